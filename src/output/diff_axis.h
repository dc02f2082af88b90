/* Functions along an axis as text, JSON and CSV. */
#ifndef OUTPUT_DIFF_AXIS_H
#define OUTPUT_DIFF_AXIS_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/axis.h"

struct axis_view {
	const struct axis *axis;
	const char *name;          /* of the parameter: "threads" */
	const char *const *values; /* [axis->count], as they were given */
	const char *event, *unit;  /* of costs: "ms", "" */
	double scale;              /* events to that unit: 1e-6 */
	double percent_limit;      /* rows that are below everywhere are one line */
	bool costs;                /* costs in place of shares */
};

void axis_print_text(const struct axis_view *view, FILE *out);
/* heading: print the line of column names first. */
void axis_print_csv(const struct axis_view *view, const char *separator, bool heading, FILE *out);
struct json_t *axis_to_json(const struct axis_view *view);

#endif
