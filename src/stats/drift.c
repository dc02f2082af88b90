/* Does a series move with time, or remember its last value? */
#include "stats/drift.h"

#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"

#define EXACT_BELOW 50
#define MOST_PLACES 2000

static size_t stride_of(size_t count)
{
	return (count + MOST_PLACES - 1) / MOST_PLACES;
}

/* P(at most this many of the pairs are concordant) for a random order of n. */
static double pairs_cdf(size_t concordant, size_t n)
{
	size_t most = n * (n - 1) / 2;
	auto_free double *now = memory_zeroed(most + 1, sizeof(*now)), *next = memory_zeroed(most + 1, sizeof(*next));
	double sum = 0;

	now[0] = 1;
	for (size_t k = 2; k <= n; k++) { /* the k-th value makes 0..k-1 of them, equally likely */
		double window = 0;

		for (size_t t = 0; t <= most; t++) {
			window += now[t] - (t >= k ? now[t - k] : 0);
			next[t] = window / k;
		}
		double *swap = now;

		now = next;
		next = swap;
	}
	for (size_t t = 0; t <= concordant && t <= most; t++)
		sum += now[t];
	return sum;
}

struct pair_counts {
	double concordant, discordant, tied_x, tied_y; /* tied_x: pairs tied in x, in y or not */
};

static struct pair_counts count_pairs(const double *x, const double *y, size_t count)
{
	struct pair_counts pairs = { 0 };
	size_t stride = stride_of(count);

	for (size_t i = 0; i < count; i += stride)
		for (size_t j = i + stride; j < count; j += stride) {
			double sign = ((x[j] > x[i]) - (x[j] < x[i])) * ((y[j] > y[i]) - (y[j] < y[i]));

			pairs.concordant += sign > 0;
			pairs.discordant += sign < 0;
			pairs.tied_x += x[j] == x[i];
			pairs.tied_y += y[j] == y[i];
		}
	return pairs;
}

struct kendall drift_kendall(const double *x, const double *y, size_t count)
{
	struct pair_counts pairs = count_pairs(x, y, count);
	double n = ceil((double)count / (count ? stride_of(count) : 1)), all = n * (n - 1) / 2;
	double score = pairs.concordant - pairs.discordant;
	struct kendall result = { score / sqrt((all - pairs.tied_x) * (all - pairs.tied_y)), NAN };

	if (isnan(result.tau))
		return result;
	if (n < EXACT_BELOW && !pairs.tied_x && !pairs.tied_y) {
		/* Symmetric: the smaller tail is summed from its own end and keeps its digits. */
		double fewer = fmin(pairs.concordant, pairs.discordant);

		result.p = fmin(1, 2 * pairs_cdf((size_t)fewer, (size_t)n));
		return result;
	}
	result.p = 2 * normal_cdf(-fabs(score) / sqrt(n * (n - 1) * (2 * n + 5) / 18));
	return result;
}

double drift_theil_sen(const double *x, const double *y, size_t count)
{
	size_t stride = count ? stride_of(count) : 1, places = (count + stride - 1) / stride, used = 0;
	auto_free double *slopes = memory_zeroed(places * places / 2 + 1, sizeof(*slopes));

	for (size_t i = 0; i < count; i += stride)
		for (size_t j = i + stride; j < count; j += stride)
			if (x[j] != x[i])
				slopes[used++] = (y[j] - y[i]) / (x[j] - x[i]);
	return descriptive_median(slopes, used);
}

static double squares_around_mean(const double *values, size_t count)
{
	return descriptive_variance(values, count) * (count - 1.0);
}

double drift_lag1(const double *values, size_t count)
{
	double mean = descriptive_mean(values, count), products = 0;

	for (size_t i = 0; i + 1 < count; i++)
		products += (values[i] - mean) * (values[i + 1] - mean);
	return products / squares_around_mean(values, count);
}

double drift_von_neumann(const double *values, size_t count)
{
	double steps = 0;

	for (size_t i = 0; i + 1 < count; i++)
		steps += (values[i + 1] - values[i]) * (values[i + 1] - values[i]);
	return steps / squares_around_mean(values, count);
}
