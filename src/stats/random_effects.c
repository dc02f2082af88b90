/* The mean of effects that differ from place to place. */
#include "stats/random_effects.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"

enum { MOST_STEPS = 500, HALVINGS = 60, NODES = 64 };
#define CONVERGED 1e-10 /* of the step, relative to the variance of the effects */
#define FAR 10.0       /* standard deviations: beyond is nothing */
#define LEAST_VARIANCE 1e-6 /* relative to the largest: what stands for zero */

/* Sums of powers of the weights 1 / (variance + tau2), and what they weigh. */
struct sums {
	double w, w2, w3;
	double mean;         /* sum(w y) / sum(w) */
	double square, w2square; /* sum(w (y - mean)^2), sum(w^2 (y - mean)^2) */
};

static struct sums add_up(const double *y, const double *v, size_t count, double tau2)
{
	struct sums s = { 0 };
	double weighted = 0;

	for (size_t i = 0; i < count; i++) {
		double w = 1 / (v[i] + tau2);

		s.w += w;
		s.w2 += w * w;
		s.w3 += w * w * w;
		weighted += w * y[i];
	}
	s.mean = weighted / s.w;
	for (size_t i = 0; i < count; i++) {
		double w = 1 / (v[i] + tau2), d = y[i] - s.mean;

		s.square += w * d * d;
		s.w2square += w * w * d * d;
	}
	return s;
}

/* Fisher scoring of the restricted likelihood: with P = W - W1 (1'W1)^-1 1'W, (y'PPy - tr P) / tr PP. Where one weight
 * outweighs all, tr PP cancels away: it is at least (tr P)^2 over the rank of P. */
static double step(const struct sums *s, size_t count)
{
	double trace = s->w - s->w2 / s->w;
	double trace2 = s->w2 - 2 * s->w3 / s->w + s->w2 * s->w2 / (s->w * s->w);

	return (s->w2square - trace) / fmax(trace2, trace * trace / (double)(count - 1));
}

static double fit_tau2(const double *y, const double *v, size_t count, double scale)
{
	double tau2 = scale;

	for (int i = 0; i < MOST_STEPS; i++) {
		struct sums s = add_up(y, v, count, tau2);
		double change = step(&s, count);

		if (!isfinite(change))
			break;
		while (tau2 + change < 0 && tau2 > CONVERGED * scale)
			change /= 2;
		if (tau2 + change < CONVERGED * scale)
			return 0;
		tau2 += change;
		if (fabs(change) < CONVERGED * scale)
			break;
	}
	return tau2;
}

/* Variances of which none is zero beside the others. */
static double *positive(const double *variances, size_t count, double spread)
{
	double *v = memory_zeroed(count, sizeof(*v)), most = spread;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, variances[i]);
	for (size_t i = 0; i < count; i++)
		v[i] = fmax(variances[i], LEAST_VARIANCE * most);
	return v;
}

static double share_between(const double *v, size_t count, double tau2)
{
	double w = 0, w2 = 0, typical;

	for (size_t i = 0; i < count; i++) {
		w += 1 / v[i];
		w2 += 1 / v[i] / v[i];
	}
	typical = (double)(count - 1) * w / (w * w - w2);
	return tau2 / (tau2 + typical);
}

static void fit_spread(struct random_effects *fit, const double *y, const double *v)
{
	double df = (double)fit->count - 1;
	struct sums plain = add_up(y, v, fit->count, 0), weighted;

	fit->q = plain.square;
	fit->q_p = gsl_cdf_chisq_Q(fit->q, df);
	fit->tau2 = fit_tau2(y, v, fit->count, descriptive_variance(y, fit->count));
	fit->i2 = share_between(v, fit->count, fit->tau2);
	weighted = add_up(y, v, fit->count, fit->tau2);
	fit->mean = weighted.mean;
	fit->standard_error = sqrt(fmax(1, weighted.square / df) / weighted.w);
	fit->p = t_two_sided(fit->mean / fit->standard_error, df);
}

struct random_effects random_effects_fit(const double *effects, const double *variances, size_t count)
{
	struct random_effects fit = { count, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	double spread, most = 0;

	if (count < 2)
		return fit;
	fit.df = (double)count - 1;
	spread = descriptive_variance(effects, count);
	for (size_t i = 0; i < count; i++)
		most = fmax(most, variances[i]);
	if (spread == 0 && most == 0) { /* the same everywhere, in every run */
		fit.mean = effects[0];
		fit.standard_error = fit.tau2 = fit.q = fit.i2 = 0;
		fit.p = fit.mean == 0 ? 1 : 0;
		fit.q_p = 1;
		return fit;
	}

	auto_free double *v = positive(variances, count, spread);

	fit_spread(&fit, effects, v);
	return fit;
}

struct interval random_effects_interval(const struct random_effects *fit, double level)
{
	double half = fit->count < 2 ? NAN : t_quantile((1 + level) / 2, fit->df) * fit->standard_error;

	return (struct interval){ fit->mean - half, fit->mean + half, isnan(half) ? NAN : level };
}

/* tau2 at which Cochran's Q is down at the value wanted, from a tau2 that is not above it: Newton's steps on a convex
 * falling function never pass its root. 0 when Q is below even there. */
static double tau2_at(const double *y, const double *v, size_t count, double wanted, double from)
{
	double tau2 = from;

	for (int i = 0; i < MOST_STEPS; i++) {
		struct sums s = add_up(y, v, count, tau2);
		double change = (s.square - wanted) / s.w2square;

		if (!(change > CONVERGED * tau2))
			break;
		tau2 += change;
	}
	return tau2;
}

/* One of the normal distributions whose mixture is that of the effect in one more place. */
struct component {
	double mean, sd, weight;
};

/* Nodes are close together where tau2 is large: there the tails of the mixture come from. */
static void make_mixture(const double *y, const double *v, size_t count, struct component *mixture)
{
	double tau2 = 0;

	for (int i = NODES - 1; i >= 0; i--) {
		double s = (i + 0.5) / NODES;
		struct sums sums;

		tau2 = tau2_at(y, v, count, gsl_cdf_chisq_Pinv(s * s, (double)count - 1), tau2);
		sums = add_up(y, v, count, tau2);
		mixture[i] = (struct component){ sums.mean, sqrt(1 / sums.w + tau2), 2 * s / NODES };
	}
}

/* Newton's steps, kept inside the bracket by halving it. */
static double mixture_quantile(const struct component *mixture, double probability, double low, double high)
{
	double at = (low + high) / 2, width = high - low;

	for (int i = 0; i < HALVINGS && high - low > CONVERGED * width; i++) {
		double below = -probability, density = 0, next;

		for (int n = 0; n < NODES; n++) {
			double z = (at - mixture[n].mean) / mixture[n].sd;

			below += mixture[n].weight * normal_cdf(z);
			density += mixture[n].weight * exp(-z * z / 2) / (mixture[n].sd * sqrt(2 * M_PI));
		}
		*(below < 0 ? &low : &high) = at;
		next = at - below / density;
		if (fabs(next - at) < CONVERGED * width)
			return next;
		at = next > low && next < high ? next : (low + high) / 2;
	}
	return at;
}

struct interval random_effects_prediction(const struct random_effects *fit, const double *effects,
					  const double *variances, double level)
{
	struct component mixture[NODES];
	struct interval mean = random_effects_interval(fit, level);
	double spread, reach;

	if (fit->count < 2 || fit->standard_error == 0)
		return mean;
	spread = descriptive_variance(effects, fit->count);

	auto_free double *v = positive(variances, fit->count, spread);

	make_mixture(effects, v, fit->count, mixture);
	reach = mixture[0].sd * FAR + fabs(mixture[0].mean - fit->mean);
	return (struct interval){
		fmin(mean.low, mixture_quantile(mixture, (1 - level) / 2, fit->mean - reach, fit->mean + reach)),
		fmax(mean.high, mixture_quantile(mixture, (1 + level) / 2, fit->mean - reach, fit->mean + reach)), level
	};
}
