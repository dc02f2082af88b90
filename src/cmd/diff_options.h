/* The options of perfmini diff, and what they mean. */
#ifndef CMD_DIFF_OPTIONS_H
#define CMD_DIFF_OPTIONS_H

#include <jansson.h>

#include "base/options.h"
#include "cmd/diff_sides.h"
#include "output/diff.h"
#include "profile/diff_gather.h"

struct diff_options {
	struct option_texts a, b;
	const char *event, *axis, *compute, *sort, *dsos, *comms, *symbols, *operations, *pair_by, *separator;
	const char *symfs, *vmlinux, *kallsyms, *time, *pid, *tid;
	double phi, threshold, percent_limit;
	uint64_t order;
	bool stdio, json, csv, html, gate, user_only, paired, by_machine, clones, fold, inclusive, period, formula, baseline_only, force, quiet;
	bool debuginfod;
	bool inline_frames, demangle;
};

struct diff_kept;

/* Everything one run of the command holds. */
struct diff_command {
	struct diff_options chosen;
	struct side_list sides;
	struct symbolizer_setup symbols;
	struct gather_setup gather;
	struct diff_setup setup;
	struct diff_view view;
	char *lists; /* owned copy of -d, -C, -S, cut at commas */
	const char **words[3];
	uint32_t *ids[2];
	json_t *json;
	size_t views_printed;
	struct diff_kept *kept; /* comparisons go there instead of being printed; NULL: print. Borrowed */
	int verdict;
};

extern const struct option diff_option_table[];

/* Check the options and fill everything but the sides. Errors: ERROR_USAGE. */
must_use struct error *diff_options_prepare(struct diff_command *command);
void diff_command_release(struct diff_command *command);

#endif
