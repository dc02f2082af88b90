/* Comparisons kept to be walked through on a terminal. */
#ifndef CMD_DIFF_BROWSE_H
#define CMD_DIFF_BROWSE_H

#include "cmd/diff_options.h"
#include "profile/comparability.h"
#include "profile/diff_machines.h"

/* One comparison with what it borrows. */
struct diff_comparison {
	struct gathering *gatherings[2]; /* borrowed */
	size_t events[2];                /* of them */
	struct diff_setup setup;
	struct diff_side sides[2];
	struct diff_machines machines;   /* sides may point into it */
	struct comparability warnings;
	struct diff *diff;
	struct diff_view view;
};
void diff_comparison_destroy(struct diff_comparison *comparison);
DEFINE_GUARD(diff_comparison)

/* What the loading thread leaves to the view. Zero-initialised is empty. */
struct diff_kept {
	struct gathering **gatherings;
	size_t gathering_count, gathering_capacity;
	struct diff_comparison **comparisons;
	size_t count, capacity;
};
/* Take the gathering, the comparison. */
void diff_keep_gathering(struct diff_kept *kept, struct gathering *gathering);
void diff_keep(struct diff_kept *kept, struct diff_comparison *comparison);
void diff_kept_release(struct diff_kept *kept);

/* Whether a diff with these options is looked at on the terminal, not printed. */
bool diff_is_browsed(const struct diff_options *chosen, char *const *operands);
/* Run compare, which fills command->kept, in the background, and let the user walk through what it kept. */
must_use struct error *diff_browse(struct diff_command *command,
				   struct error *(*compare)(struct diff_command *command));

#endif
