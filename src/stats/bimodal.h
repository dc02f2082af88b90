/* One mode or two: where a sample splits. */
#ifndef STATS_BIMODAL_H
#define STATS_BIMODAL_H

#include <stdbool.h>
#include <stddef.h>

struct bimodal {
	bool found;
	double split;               /* values above it belong to the upper mode */
	double low_share;           /* of the values */
	double low_centre, high_centre; /* medians */
};

/* Best split into two clusters (least sum of squares); found when there are at least 20 values, each cluster has
 * 15 % of them, and the centres are more than three pooled MADs apart. */
struct bimodal bimodal_find(const double *values, size_t count);

#endif
