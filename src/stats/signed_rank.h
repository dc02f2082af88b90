/* One sample of differences: Hodges-Lehmann estimate, its exact interval, and Wilcoxon's signed-rank test. */
#ifndef STATS_SIGNED_RANK_H
#define STATS_SIGNED_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/interval.h"

/* Median of the averages of all pairs, each value also paired with itself. NaN for none. */
double signed_rank_estimate(const double *differences, size_t count);

/* The order k such that [k-th smallest, k-th largest] pair average is the interval at 1 - alpha, or the widest
 * there is (k = 1) when count is too small. level: what it achieves; exact to 200 values, then normal.
 * Source: R's convention, max(1, qsignrank(alpha/2, count)). */
size_t signed_rank_order(size_t count, double alpha, double *level);
struct interval signed_rank_interval(const double *differences, size_t count, double alpha);

/* The least count for which an exact interval at 1 - alpha exists: 2^(1-count) <= alpha. */
size_t signed_rank_minimum(double alpha);

enum signed_rank_zeros {
	ZEROS_RANKED_THEN_DROPPED, /* Pratt 1959 */
	ZEROS_DROPPED,             /* Wilcoxon 1945 */
};

struct signed_rank {
	double statistic; /* sum of the ranks of positive differences */
	double p;         /* two-sided; 1 when every difference is zero */
	double p_greater, p_less;
};

/* Test of the differences against shift, exact given the ties (midranks; equal within 1e-12 is tied). Beyond
 * 200 values the normal approximation. Source: Streitberg and Roehmel 1986, the shift algorithm. */
struct signed_rank signed_rank_test(const double *differences, size_t count, double shift,
				    enum signed_rank_zeros zeros);

#endif
