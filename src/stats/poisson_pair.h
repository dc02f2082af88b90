/* Two counts, one a side: sampling noise is all that is known. */
#ifndef STATS_POISSON_PAIR_H
#define STATS_POISSON_PAIR_H

#include "stats/interval.h"

/* Counts with their exposures (runs, operations, seconds or total samples: any unit, the same for both). */
struct poisson_pair {
	double a, b;
	double exposure_a, exposure_b;
};

/* Two-sided p of equal rates: b out of a + b is binomial. 1 when both are zero. */
double poisson_pair_p(const struct poisson_pair *pair);
/* Rate of b over rate of a: (b / exposure_b) / (a / exposure_a); infinite for a = 0, NaN for both. */
double poisson_pair_ratio(const struct poisson_pair *pair);
/* Of that ratio. Source: Clopper and Pearson 1934, bounds p to p / (1 - p). */
struct interval poisson_pair_interval(const struct poisson_pair *pair, double level);
/* p of equal shares a of total_a and b of total_b (the exposures), Fisher's exact test. */
double poisson_pair_fisher(const struct poisson_pair *pair);

/* Of the mean of one count. Source: Garwood 1936, exact. */
struct interval poisson_interval(double count, double level);

/* Samples a side at which a true ratio is found in 80 % of tries at 5 %: 15.7 / log(ratio)^2. */
double poisson_pair_needed(double ratio);

#endif
