/* The parts of `annotate` while it runs. */
#ifndef CMD_ANNOTATE_H
#define CMD_ANNOTATE_H

#include <jansson.h>

#include "cmd/report_options.h"
#include "output/annotate.h"

struct annotate_options {
	struct recording_options recording;
	const char *symbol, *dsos, *style, *percent_type, *prefix;
	uint64_t prefix_strip;
	bool source, lines, jumps, raw, full_paths, show_samples, show_period, stdio, json, quiet, diff;
};

struct annotate {
	struct annotate_options options;
	struct annotate_view view;
	struct disassembly_setup disassembly;
	struct recording_filter filter;
	struct word_list dsos;
	struct profile *profile;
	struct resolver *resolver;
	struct hot_functions *functions;
	struct text out;
	json_t *json;
	size_t shown;
	bool is_browsed; /* the first function that can be shown is walked through, no other is shown */
};

extern const struct option annotate_option_table[];

/* From words to what they mean. Errors: ERROR_USAGE. */
must_use struct error *annotate_options_prepare(struct annotate *annotate);
/* Whether a function is what the user named: "f" is also "f(int)", and its mangled name. */
bool annotate_is_named(const char *name, const char *shown, const char *wanted);
/* Whether the function is looked at on the terminal, not printed. */
bool annotate_is_browsed(const struct annotate_options *chosen);
/* Walk through one function; take the annotation. view is borrowed. */
must_use struct error *annotate_browse(struct annotation *annotation);
struct annotation_diff;
struct diff_view;
must_use struct error *annotate_browse_diff(struct annotation_diff *diff, const struct diff_view *view);
/* --diff: operands are the two sides. */
must_use struct error *annotate_compare(struct annotate *annotate, char *const *operands);

#endif
