/* The sides of a diff as the command line names them. */
#ifndef CMD_DIFF_SIDES_H
#define CMD_DIFF_SIDES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/options.h"

/* One side: its recordings. */
struct side_paths {
	char *label;  /* owned */
	char **items; /* owned */
	size_t count, capacity;
};

struct side_list {
	struct side_paths *items; /* the first is A, each other is compared with it */
	size_t count, capacity;
	char *binaries;           /* of a bundle: build-id cache to look in; owned, or NULL */
	bool paired;              /* recordings of a bundle: run i of each side is one block */
};

/**
 * From -A and -B lists, or operands: a recording, a directory of recordings, a pattern, or an experiment of `ab`; nothing
 * means perf.data.old and perf.data.
 *
 * Errors: ERROR_USAGE for one side alone, ERROR_NOT_FOUND for what is not there.
 */
must_use struct error *side_list_collect(const struct option_texts *a, const struct option_texts *b,
					 char *const *operands, struct side_list *ret);
void side_list_release(struct side_list *list);

#endif
