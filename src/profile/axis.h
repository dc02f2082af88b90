/* Functions along an axis: several recordings, each made with another value of one parameter. */
#ifndef PROFILE_AXIS_H
#define PROFILE_AXIS_H

#include "profile/diff.h"

/* One function; arrays are [count of values]. */
struct axis_row {
	const struct pair_item *item; /* of the first recording that has it */
	double *events;               /* a run, or a unit of work */
	double *samples;              /* over all runs */
	double z, p, q;               /* the trend of its share of the samples; NaN: not tested */
	bool marked;                  /* q <= 0.05 */
};

struct axis {
	size_t count;          /* values */
	double *events, *samples; /* of all rows, [count] */
	struct axis_row *rows; /* by the largest share on the axis */
	size_t row_count;
	size_t tested, marked;
};

/* diffs: [count - 1], of the first recording with each further one, which they are borrowed from. values: [count]. */
struct axis *axis_create(const struct diff *const *diffs, const double *values, size_t count);
/* A row's largest share of all samples at one value. */
double axis_largest_share(const struct axis *axis, const struct axis_row *row);
void axis_destroy(struct axis *axis);
DEFINE_GUARD(axis)

#endif
