/* Two counts, one a side: sampling noise is all that is known. */
#include "stats/poisson_pair.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "stats/distribution.h"

/* Outcomes this much likelier still count as equally likely (R's tolerance). */
#define LIKELY 1.0000001
#define FISHER_PLACES 20000000.0

/* The first place in (from, to] on a falling flank whose probability is not above limit, to + 1 if none. */
static double first_unlikely(double from, double to, double trials, double share, double limit)
{
	while (from < to) {
		double middle = floor((from + to) / 2);

		if (binomial_pmf(middle, trials, share) <= limit)
			to = middle;
		else
			from = middle + 1;
	}
	return binomial_pmf(to, trials, share) <= limit ? to : to + 1;
}

static double last_unlikely(double from, double to, double trials, double share, double limit)
{
	return trials - first_unlikely(trials - to, trials - from, trials, 1 - share, limit);
}

static double binomial_two_sided(double hits, double trials, double share)
{
	double expected = trials * share, limit = binomial_pmf(hits, trials, share) * LIKELY, other;

	if (hits == expected)
		return 1;
	if (hits < expected) {
		other = first_unlikely(ceil(expected), trials, trials, share, limit);
		return fmin(1, binomial_cdf(hits, trials, share) + binomial_cdf(trials - other, trials, 1 - share));
	}
	other = last_unlikely(0, floor(expected), trials, share, limit);
	return fmin(1, binomial_cdf(other, trials, share) + binomial_cdf(trials - hits, trials, 1 - share));
}

double poisson_pair_p(const struct poisson_pair *pair)
{
	double trials = pair->a + pair->b;

	if (!(pair->a >= 0) || !(pair->b >= 0) || !(pair->exposure_a > 0) || !(pair->exposure_b > 0))
		return NAN;
	if (trials == 0)
		return 1;
	return binomial_two_sided(pair->b, trials, pair->exposure_b / (pair->exposure_a + pair->exposure_b));
}

double poisson_pair_ratio(const struct poisson_pair *pair)
{
	return pair->b / pair->a * (pair->exposure_a / pair->exposure_b);
}

struct interval poisson_pair_interval(const struct poisson_pair *pair, double level)
{
	double tail = (1 - level) / 2, scale = pair->exposure_a / pair->exposure_b, low = 0, high = INFINITY;

	if (!(pair->a >= 0) || !(pair->b >= 0) || !(scale > 0))
		return (struct interval){ NAN, NAN, NAN };
	if (pair->b > 0) {
		double p = beta_quantile(tail, pair->b, pair->a + 1);

		low = p / (1 - p);
	}
	if (pair->a > 0) {
		double p = beta_quantile(tail, pair->a, pair->b + 1); /* 1 - p of the upper bound */

		high = (1 - p) / p;
	}
	return (struct interval){ scale * low, scale * high, level };
}

struct table {
	double row_a, row_b, hits; /* totals of the rows and of the first column */
	double least, most;        /* possible hits of row b */
};

/* Weight of k + 1 hits over weight of k. */
static double weight_step(const struct table *t, double k)
{
	return (t->row_b - k) * (t->hits - k) / ((k + 1) * (t->row_a - t->hits + k + 1));
}

/* Walk from the mode outwards (direction +1 or -1) and add up weights: all, and those not above limit. */
static void add_flank(const struct table *t, double mode, int direction, double limit, double sums[2])
{
	double weight = 1, k = mode;

	while (weight > 0) {
		if (direction > 0 ? k >= t->most : k <= t->least)
			break;
		weight = direction > 0 ? weight * weight_step(t, k) : weight / weight_step(t, k - 1);
		k += direction;
		sums[0] += weight;
		sums[1] += weight <= limit ? weight : 0;
	}
}

static double weight_at(const struct table *t, double mode, double place)
{
	double weight = 1;

	for (double k = mode; k < place && weight > 0; k++)
		weight *= weight_step(t, k);
	for (double k = mode; k > place && weight > 0; k--)
		weight /= weight_step(t, k - 1);
	return weight;
}

double poisson_pair_fisher(const struct poisson_pair *pair)
{
	struct table t = { pair->exposure_a, pair->exposure_b, pair->a + pair->b, 0, 0 };
	double mode, limit, sums[2];

	if (!(pair->a >= 0 && pair->a <= t.row_a) || !(pair->b >= 0 && pair->b <= t.row_b))
		return NAN;
	t.least = fmax(0, t.hits - t.row_a);
	t.most = fmin(t.hits, t.row_b);
	mode = fmin(t.most, fmax(t.least, floor((t.hits + 1) * (t.row_b + 1) / (t.row_a + t.row_b + 2))));
	if (t.most - t.least > FISHER_PLACES) /* then the binomial is as good: it differs by hits/total */
		return poisson_pair_p(pair);
	limit = weight_at(&t, mode, pair->b) * LIKELY;
	sums[0] = 1;
	sums[1] = limit >= 1 ? 1 : 0;
	add_flank(&t, mode, 1, limit, sums);
	add_flank(&t, mode, -1, limit, sums);
	return fmin(1, sums[1] / sums[0]);
}

struct interval poisson_interval(double count, double level)
{
	double tail = (1 - level) / 2;

	if (!(count >= 0))
		return (struct interval){ NAN, NAN, NAN };
	return (struct interval){ count > 0 ? gamma_quantile(tail, count) : 0, gamma_quantile(1 - tail, count + 1), level };
}

double poisson_pair_needed(double ratio)
{
	double change = log(ratio);

	return ratio > 0 && ratio != 1 ? 15.7 / (change * change) : NAN;
}
