/* What one sample of numbers looks like: mean, spread, quantiles. */
#ifndef STATS_DESCRIPTIVE_H
#define STATS_DESCRIPTIVE_H

#include <stddef.h>

#include "stats/interval.h"

/* NaN for no values; sd and the standard error also for one. None of these changes its input. */
double descriptive_mean(const double *values, size_t count);
double descriptive_variance(const double *values, size_t count); /* divided by count - 1 */
double descriptive_sd(const double *values, size_t count);
double descriptive_covariance(const double *x, const double *y, size_t count);
double descriptive_median(const double *values, size_t count);
/* Median of |x - median|, not scaled. */
double descriptive_mad(const double *values, size_t count);
/* Hyndman and Fan's type 7, the default of R and NumPy. probability in [0, 1]. */
double descriptive_quantile(const double *values, size_t count, double probability);

/* The exact interval of the median is [k-th smallest, k-th largest]: k, 0 when count is too small (level NaN). */
size_t descriptive_median_order(size_t count, double alpha, double *level);

/* Copy of the values in rising order; the caller frees. */
double *descriptive_sorted(const double *values, size_t count);

/* What a column of repeated runs shows. Unknown fields are NaN: all but count for no value; sd, the errors and
 * the interval for one. */
struct summary {
	size_t count;
	double mean, sd;
	double standard_error;          /* of the mean: sd / sqrt(count) */
	double relative_standard_error; /* standard_error / |mean|; NaN for a mean of 0 */
	double median, mad, minimum, maximum;
	struct interval mean_interval;  /* Student's t, at the level asked for */
	size_t outlier_count;           /* modified z > 3.5, see stats/outliers.h */
};

struct summary descriptive_summary(const double *values, size_t count, double level);

#endif
