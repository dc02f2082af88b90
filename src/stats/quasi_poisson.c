/* Counts of two groups of runs whose spread exceeds Poisson's: the ratio of their means. */
#include "stats/quasi_poisson.h"

#include <math.h>

#include "stats/descriptive.h"
#include "stats/distribution.h"

#define CONVERGED 1e-8
#define MOST_STEPS 25

/* One arm while it is being fitted. */
struct arm_fit {
	const double *counts;
	size_t count;
	double eta;    /* log of the fitted mean */
	double weight; /* of all its runs together, in the step that gave eta */
};

/* First step: from each count plus 0.1, where no logarithm is infinite. */
static void start_fit(struct arm_fit *arm)
{
	double products = 0;

	for (size_t i = 0; i < arm->count; i++) {
		double mean = arm->counts[i] + 0.1;

		arm->weight += mean;
		products += mean * (log(mean) + (arm->counts[i] - mean) / mean);
	}
	arm->eta = products / arm->weight;
}

static void step_fit(struct arm_fit *arm, int step)
{
	double mean = exp(arm->eta);

	if (step == 0) {
		start_fit(arm);
		return;
	}
	arm->weight = mean * arm->count;
	arm->eta += (descriptive_mean(arm->counts, arm->count) - mean) / mean;
}

static double deviance_of(const struct arm_fit *arm, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < arm->count; i++) {
		double count = arm->counts[i];

		sum += (count > 0 ? count * log(count / mean) : 0) - (count - mean);
	}
	return 2 * sum;
}

/* Weighted least squares until the deviance rests, by R's start and stopping rule: its figures to the last digits.
 * The weights are those of the last step, the residuals those after it, as in summary.glm. */
static double fit_arms(struct arm_fit arms[2])
{
	double before, now = INFINITY;

	for (int step = 0; step < MOST_STEPS; step++) {
		for (int arm = 0; arm < 2; arm++)
			step_fit(&arms[arm], step);
		before = now;
		now = deviance_of(&arms[0], exp(arms[0].eta)) + deviance_of(&arms[1], exp(arms[1].eta));
		if (fabs(now - before) / (fabs(now) + 0.1) < CONVERGED)
			break;
	}
	return now;
}

static double chi_square(const struct arm_fit *arm)
{
	double mean = exp(arm->eta), squares = 0;

	for (size_t i = 0; i < arm->count; i++)
		squares += (arm->counts[i] - mean) * (arm->counts[i] - mean) / (mean * mean);
	return squares * arm->weight / arm->count;
}

struct quasi_poisson quasi_poisson_fit(const struct two_samples *s)
{
	struct arm_fit arms[2] = { { s->a, s->a_count, 0, 0 }, { s->b, s->b_count, 0, 0 } };
	double a = descriptive_mean(s->a, s->a_count), b = descriptive_mean(s->b, s->b_count);
	double df = s->a_count + s->b_count - 2.0, pooled = (a * s->a_count + b * s->b_count) / (df + 2), deviance;
	struct quasi_poisson fit = { NAN, NAN, NAN, df, NAN, NAN, NAN, NAN };

	if (!(a > 0) || !(b > 0) || !(df > 0))
		return fit;
	deviance = fit_arms(arms);
	fit.log_ratio = arms[1].eta - arms[0].eta;
	fit.dispersion = (chi_square(&arms[0]) + chi_square(&arms[1])) / df;
	fit.standard_error = sqrt(fit.dispersion * (1 / arms[0].weight + 1 / arms[1].weight));
	fit.t = fit.log_ratio / fit.standard_error;
	fit.p = t_two_sided(fit.t, df);
	fit.f = (deviance_of(&arms[0], pooled) + deviance_of(&arms[1], pooled) - deviance) / fit.dispersion;
	fit.f_p = f_upper(fit.f, 1, df);
	return fit;
}

struct interval quasi_poisson_interval(const struct quasi_poisson *fit, double level)
{
	double half = t_quantile(1 - (1 - level) / 2, fit->df) * fit->standard_error;

	return (struct interval){ exp(fit->log_ratio - half), exp(fit->log_ratio + half), isnan(half) ? NAN : level };
}
