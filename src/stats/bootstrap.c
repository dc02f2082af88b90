/* Resampling intervals of a mean. */
#include "stats/bootstrap.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"
#include "stats/random.h"

#define ENUMERATED 6

static size_t whole_power(size_t count)
{
	size_t power = 1;

	for (size_t i = 0; i < count; i++)
		power *= count;
	return power;
}

/* Resample number `code` in base count, each digit one pick. */
static double enumerated_mean(const double *values, size_t count, size_t code)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++, code /= count)
		sum += values[code % count];
	return sum / count;
}

static double drawn_mean(const double *values, size_t count, struct random *random)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[random_below(random, count)];
	return sum / count;
}

static double *resampled_means(const double *values, size_t count, size_t draws, struct random *random)
{
	auto_free double *means = memory_zeroed(draws, sizeof(*means));

	for (size_t i = 0; i < draws; i++)
		means[i] = count <= ENUMERATED ? enumerated_mean(values, count, i) : drawn_mean(values, count, random);
	return descriptive_sorted(means, draws);
}

/* The smallest value with at least that share at or below it. */
static double step_quantile(const double *sorted, size_t count, double probability)
{
	double place = ceil(count * probability - 4 * DBL_EPSILON * count);

	return sorted[(size_t)fmin(count, fmax(1, place)) - 1];
}

static double share_below(const double *sorted, size_t count, double value)
{
	double below = 0;

	for (size_t i = 0; i < count; i++)
		below += fabs(sorted[i] - value) <= 1e-15 ? 0.5 : sorted[i] < value;
	return below / count;
}

static double jackknife_acceleration(const double *values, size_t count)
{
	double mean = descriptive_mean(values, count), squares = 0, cubes = 0;

	for (size_t i = 0; i < count; i++) {
		double influence = (values[i] - mean) / (count - 1.0);

		squares += influence * influence;
		cubes += influence * influence * influence;
	}
	return squares > 0 ? cubes / (6 * pow(squares, 1.5)) : 0;
}

static double adjusted(const struct bootstrap *b, double probability)
{
	double z = b->bias + normal_quantile(probability);

	return normal_cdf(b->bias + z / (1 - b->acceleration * z));
}

struct bootstrap bootstrap_mean(const double *values, size_t count, double level, size_t draws,
				struct random *random)
{
	size_t resamples = count <= ENUMERATED ? whole_power(count) : draws;
	double tail = (1 - level) / 2;
	struct bootstrap b = { .sd = NAN, .percentile = { NAN, NAN, NAN }, .bca = { NAN, NAN, NAN } };

	if (count < 2 || !resamples)
		return b;
	auto_free double *means = resampled_means(values, count, resamples, random);

	b.sd = sqrt(descriptive_variance(means, resamples) * (resamples - 1.0) / resamples);
	b.percentile = (struct interval){ step_quantile(means, resamples, tail),
					  step_quantile(means, resamples, 1 - tail), level };
	b.bias = normal_quantile(share_below(means, resamples, descriptive_mean(values, count)));
	b.acceleration = jackknife_acceleration(values, count);
	b.bca_low = adjusted(&b, tail);
	b.bca_high = adjusted(&b, 1 - tail);
	b.bca = (struct interval){ step_quantile(means, resamples, b.bca_low),
				   step_quantile(means, resamples, b.bca_high), level };
	return b;
}
