/* Annotated functions as text in perf's form, and as JSON. */
#ifndef OUTPUT_ANNOTATE_H
#define OUTPUT_ANNOTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "profile/annotation.h"
#include "symbol/source_file.h"

enum annotate_value { ANNOTATE_PERCENT, ANNOTATE_SAMPLES, ANNOTATE_PERIOD };

struct annotate_view {
	enum annotate_value value;
	bool global;                  /* percent of the whole event, not of the function */
	bool hits;                    /* percent of samples, not of period */
	bool source;                  /* the text of source lines between the instructions */
	bool lines;                   /* a list of lines by cost, and each instruction's line behind it */
	bool jumps;
	bool raw;                     /* the bytes of each instruction */
	bool full_paths;
	bool utf8, color;
	struct source_files *sources; /* borrowed */
};

void annotate_text(const struct annotation *annotation, const struct annotate_view *view, struct text *out);
/* "local period", as heads say it. */
const char *annotate_percent_type(const struct annotate_view *view);
/* What a total is in percent, by the view; 0 of nothing. */
double annotate_percent(const struct annotate_view *view, const struct row_total *total,
			const struct annotated_event *event);
/* Source text: tabs as columns, control characters escaped. */
void annotate_append_source(const char *line, struct text *out);
/* "prog.c:19" of the frame. */
void annotate_append_place(const struct frame *frame, bool full_paths, struct text *out);

struct json_t;
/* One object a function; see man perfmini-annotate. The caller releases it. */
struct json_t *annotate_json(const struct annotation *annotation);

struct annotation_diff;

struct annotate_diff_view {
	const char *event;
	const char *unit;             /* of the numbers shown: "ms", "events" */
	double scale;                 /* events to that unit */
	bool color;
};

void annotate_diff_text(const struct annotation_diff *diff, const struct annotate_diff_view *view, struct text *out);
struct json_t *annotate_diff_json(const struct annotation_diff *diff, const struct annotate_diff_view *view);

#endif
