/* Effects measured in several places (machines), each with its own error: the mean over all such places, also those not
 * tried, and what one more place would show. */
#ifndef STATS_RANDOM_EFFECTS_H
#define STATS_RANDOM_EFFECTS_H

#include <stddef.h>

#include "stats/interval.h"

/* NaN where there are fewer than two effects. */
struct random_effects {
	size_t count;
	double mean, standard_error; /* of the mean over the population of places */
	double tau2;                 /* variance between places, not below zero */
	double df, p;                /* two-sided, of "the mean is zero" */
	double q, q_p;               /* heterogeneity: Cochran's Q and its p */
	double i2;                   /* share of the variance that is between places, 0..1 */
};

/* effects[i] with sampling variances[i] >= 0. A variance of zero (the same in every run) counts as one much smaller than
 * all others. REML for tau2; Knapp and Hartung's standard error, not below the plain one; t with count - 1 degrees.
 * Source: as metafor's rma(method="REML", test="adhoc"). */
struct random_effects random_effects_fit(const double *effects, const double *variances, size_t count);
/* Of the mean, at level. */
struct interval random_effects_interval(const struct random_effects *fit, double level);
/**
 * Of the true effect in one more place, at level: the distribution of that effect given tau2, averaged over the
 * confidence distribution of tau2 that Cochran's Q gives. Plugging in the estimate of tau2 covers too seldom.
 *
 * effects, variances: those that were fitted. NaN of fewer than two. Never narrower than the interval of the mean. Exact
 * (Student's) as the variances go to zero.
 * Source: Nagashima, Noma and Furukawa 2019, without their bootstrap.
 */
struct interval random_effects_prediction(const struct random_effects *fit, const double *effects,
					  const double *variances, double level);

#endif
