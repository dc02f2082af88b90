/* Two independent samples: Hodges-Lehmann shift, its exact interval, and the Mann-Whitney test. */
#ifndef STATS_MANN_WHITNEY_H
#define STATS_MANN_WHITNEY_H

#include <stddef.h>

#include "stats/interval.h"

struct two_samples {
	const double *a, *b;
	size_t a_count, b_count;
};

struct mann_whitney {
	double statistic; /* pairs with b > a, ties as one half */
	double p;         /* two-sided, exact given the ties to 100 values in all, then normal */
};

struct mann_whitney mann_whitney_test(const struct two_samples *samples);

/* As signed_rank_order(), of the a_count x b_count differences. Exact while their product is <= 2500.
 * Source: R's convention, max(1, qwilcox(alpha/2, m, n)). */
size_t mann_whitney_order(size_t a_count, size_t b_count, double alpha, double *level);

/* Median of all b - a, NaN when a side is empty. */
double mann_whitney_shift(const struct two_samples *samples);
struct interval mann_whitney_interval(const struct two_samples *samples, double alpha);

/* The least two-sided p that these counts can give: 2 / C(m + n, m). */
double mann_whitney_least_p(size_t a_count, size_t b_count);

#endif
