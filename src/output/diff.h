/* A diff as text, JSON and CSV. */
#ifndef OUTPUT_DIFF_H
#define OUTPUT_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/diff.h"

/* How rows are ordered, and what the difference column holds; perf diff's words. */
enum diff_compute {
	DIFF_DELTA_ABS, /* by size of the difference */
	DIFF_DELTA,     /* by difference, growth first */
	DIFF_RATIO,     /* by ratio, growth first */
	DIFF_WEIGHTED,  /* b x weight of b - a x weight of a */
};

struct diff_view {
	const struct diff *diff;
	const char *event;             /* "cpu-clock:u" */
	const char *unit;              /* of the numbers shown: "ms", "" */
	double scale;                  /* events to that unit: 1e-6 */
	const char *const *warnings;   /* what makes the sides unlike; [warning_count] */
	size_t warning_count;
	enum diff_compute compute;
	double weights[2];             /* DIFF_WEIGHTED */
	double percent_limit;          /* rows below on both sides are one line */
	bool baseline_only;            /* no functions that are only in B */
	bool raw;                      /* events, not unit */
	bool formula;
	bool inclusive;                /* costs include callees: rows do not sum */
	const char *separator;         /* of CSV */
	bool color;
};

void diff_print_text(const struct diff_view *view, FILE *out);
/* What it is made of: the lines before the rows, the last of which heads the columns; a row's line; the lines after. */
void diff_print_head(const struct diff_view *view, FILE *out);
void diff_print_row(const struct diff_view *view, const struct diff_row *row, FILE *out);
void diff_print_foot(const struct diff_view *view, FILE *out);
/* One object; many views are an array, see man perfmini-diff. */
struct json_t *diff_to_json(const struct diff_view *view);
/* heading: print the line of column names first. */
void diff_print_csv(const struct diff_view *view, bool heading, FILE *out);

/* One page of all views: its beginning, each view, its end. */
void diff_html_begin(FILE *out);
void diff_html_view(const struct diff_view *view, FILE *out);
void diff_html_end(FILE *out);

/* Row numbers in the view's order; the caller frees. */
size_t *diff_view_order(const struct diff_view *view);
/* The item that names a row: of B when it has one, else of A. */
const struct pair_item *diff_row_item(const struct diff *diff, const struct diff_row *row);
/* What the difference column holds, in events. */
double diff_row_value(const struct diff_view *view, const struct diff_row *row);
/* The row is part of the "below the limit" line. */
bool diff_row_hidden(const struct diff_view *view, const struct diff_row *row);

#endif
