/* Does a series move with time, or remember its last value? */
#ifndef STATS_DRIFT_H
#define STATS_DRIFT_H

#include <stddef.h>

struct kendall {
	double tau, p; /* two-sided; exact below 50 values without ties, else normal */
};

/* NaN for fewer than two values. Longer series are thinned evenly to 2000 places. */
struct kendall drift_kendall(const double *x, const double *y, size_t count);
/* Median of all slopes (y[j] - y[i]) / (x[j] - x[i]); pairs of equal x are left out. */
double drift_theil_sen(const double *x, const double *y, size_t count);
double drift_lag1(const double *values, size_t count);       /* autocorrelation at lag 1 */
double drift_von_neumann(const double *values, size_t count); /* 2 expected; less: neighbours alike */

#endif
