/* Does a share grow or fall along an axis? */
#ifndef STATS_TREND_H
#define STATS_TREND_H

#include <stddef.h>

struct trend {
	double z; /* above 0: the share grows; NaN: no answer */
	double p; /* two-sided, normal approximation */
};

/**
 * Cochran and Armitage's test of a linear trend in proportions.
 *
 * hits of totals at the place at, [count] each. NaN for fewer than two places, no hits, or nothing but hits.
 * Source: Armitage, Biometrics 11 (1955); R's prop.trend.test() gives z squared.
 */
struct trend trend_of_shares(const double *hits, const double *totals, const double *at, size_t count);

#endif
