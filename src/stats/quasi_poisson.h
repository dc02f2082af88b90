/* Counts of two groups of runs whose spread exceeds Poisson's: the ratio of their means. */
#ifndef STATS_QUASI_POISSON_H
#define STATS_QUASI_POISSON_H

#include "stats/interval.h"
#include "stats/mann_whitney.h"

/* The generalised linear model log(mean) = arm with variance dispersion x mean. */
struct quasi_poisson {
	double log_ratio, standard_error;
	double dispersion; /* Pearson's chi-square over its df; 1 is Poisson */
	double df;
	double t, p;       /* Wald's t */
	double f, f_p;     /* analysis of deviance */
};

/* NaN fields when a side has no count at all or there are fewer than three runs. */
struct quasi_poisson quasi_poisson_fit(const struct two_samples *counts);
/* Of the ratio, not its logarithm. */
struct interval quasi_poisson_interval(const struct quasi_poisson *fit, double level);

#endif
