/* One sample of differences: Hodges-Lehmann estimate, its exact interval, and Wilcoxon's signed-rank test. */
#include "stats/signed_rank.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"
#include "stats/ranks.h"
#include "stats/select.h"

#define EXACT_LIMIT 200

struct pair_averages {
	const double *sorted;
	size_t count;
};

static size_t averages_up_to(const void *context, double x)
{
	const struct pair_averages *averages = context;
	size_t total = 0, high = averages->count;

	/* For each low partner the highest that still fits; it only moves down. */
	for (size_t low = 0; low < averages->count && low < high; low++) {
		while (high > low && (averages->sorted[low] + averages->sorted[high - 1]) / 2 > x)
			high--;
		total += high - low;
	}
	return total;
}

static double average_at(const struct pair_averages *averages, size_t k)
{
	return select_kth(averages_up_to, averages, averages->sorted[0], averages->sorted[averages->count - 1], k);
}

static size_t pair_count(size_t count)
{
	return count * (count + 1) / 2;
}

double signed_rank_estimate(const double *differences, size_t count)
{
	auto_free double *sorted = descriptive_sorted(differences, count);
	struct pair_averages averages = { sorted, count };
	size_t pairs = pair_count(count);

	if (!count)
		return NAN;
	if (pairs % 2)
		return average_at(&averages, pairs / 2 + 1);
	return (average_at(&averages, pairs / 2) + average_at(&averages, pairs / 2 + 1)) / 2;
}

/* P(sum = t) for sums of the weights taken with probability 1/2 each: probability[0..total]. */
static double *sum_distribution(const size_t *weights, size_t count, size_t total)
{
	double *probability = memory_zeroed(total + 1, sizeof(*probability));
	size_t reach = 0;

	probability[0] = 1;
	for (size_t i = 0; i < count; i++) {
		reach += weights[i];
		for (size_t t = reach + 1; t-- > weights[i];)
			probability[t] = (probability[t] + probability[t - weights[i]]) / 2;
		for (size_t t = 0; t < weights[i] && t <= reach; t++)
			probability[t] /= 2;
	}
	return probability;
}

static size_t exact_order(size_t count, double alpha, double *level)
{
	size_t total = pair_count(count), ranks[EXACT_LIMIT] = { 0 }, order = 0;
	auto_free double *probability = NULL;
	double below = 0;

	for (size_t i = 0; i < count; i++)
		ranks[i] = i + 1;
	probability = sum_distribution(ranks, count, total);
	while (order < total && below + probability[order] < alpha / 2 - 10 * DBL_EPSILON)
		below += probability[order++];
	if (!order)
		below += probability[order++];
	*level = 1 - 2 * below;
	return order;
}

size_t signed_rank_order(size_t count, double alpha, double *level)
{
	if (!count) {
		*level = NAN;
		return 0;
	}
	if (count <= EXACT_LIMIT)
		return exact_order(count, alpha, level);

	double n = count, mean = n * (n + 1) / 4, sd = sqrt(n * (n + 1) * (2 * n + 1) / 24);
	double order = fmax(1, ceil(mean + normal_quantile(alpha / 2) * sd - 0.5));

	*level = 1 - 2 * normal_cdf((order - 0.5 - mean) / sd);
	return (size_t)order;
}

struct interval signed_rank_interval(const double *differences, size_t count, double alpha)
{
	auto_free double *sorted = descriptive_sorted(differences, count);
	struct pair_averages averages = { sorted, count };
	struct interval interval = { NAN, NAN, NAN };
	size_t order = signed_rank_order(count, alpha, &interval.level);

	if (!count)
		return interval;
	interval.low = average_at(&averages, order);
	interval.high = average_at(&averages, pair_count(count) + 1 - order);
	return interval;
}

size_t signed_rank_minimum(double alpha)
{
	size_t count = 1;

	while (count < EXACT_LIMIT && ldexp(1, 1 - (int)count) > alpha)
		count++;
	return count;
}

/* Doubled ranks of the differences that are not zero, positive ones summed. weights: borrowed, room for all. */
struct ranked_differences {
	size_t *weights;
	size_t count, positive, total;
};

static void rank_differences(const double *differences, size_t count, enum signed_rank_zeros zeros,
			     struct ranked_differences *ret)
{
	auto_free double *sizes = memory_zeroed(count, sizeof(*sizes)), *kept = memory_zeroed(count, sizeof(*kept));
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (differences[i] == 0 && zeros == ZEROS_DROPPED)
			continue;
		kept[used] = differences[i];
		sizes[used++] = fabs(differences[i]);
	}
	ranks_doubled(sizes, used, ret->weights);
	for (size_t i = 0; i < used; i++) {
		size_t weight = ret->weights[i];

		if (kept[i] == 0)
			continue;
		ret->weights[ret->count++] = weight;
		ret->total += weight;
		if (kept[i] > 0)
			ret->positive += weight;
	}
}

static void exact_tails(const struct ranked_differences *ranked, struct signed_rank *ret)
{
	auto_free double *probability = sum_distribution(ranked->weights, ranked->count, ranked->total);
	size_t opposite = ranked->total - ranked->positive;

	/* Symmetric: the upper tail from positive is the lower tail to its mirror image. */
	ret->p_less = ret->p_greater = 0;
	for (size_t t = 0; t <= ranked->positive; t++)
		ret->p_less += probability[t];
	for (size_t t = 0; t <= opposite; t++)
		ret->p_greater += probability[t];
}

static void normal_tails(const struct ranked_differences *ranked, struct signed_rank *ret)
{
	double variance = 0, half = ranked->total / 2.0;

	for (size_t i = 0; i < ranked->count; i++)
		variance += (double)ranked->weights[i] * ranked->weights[i] / 4;
	ret->p_less = normal_cdf((ranked->positive + 1 - half) / sqrt(variance));
	ret->p_greater = normal_cdf((half - ranked->positive + 1) / sqrt(variance));
}

struct signed_rank signed_rank_test(const double *differences, size_t count, double shift,
				    enum signed_rank_zeros zeros)
{
	auto_free double *shifted = memory_zeroed(count, sizeof(*shifted));
	auto_free size_t *weights = memory_zeroed(count, sizeof(*weights));
	struct ranked_differences ranked = { .weights = weights };
	struct signed_rank result = { 0, 1, 1, 1 };

	for (size_t i = 0; i < count; i++)
		shifted[i] = differences[i] - shift;
	rank_differences(shifted, count, zeros, &ranked);
	result.statistic = ranked.positive / 2.0;
	if (!ranked.count)
		return result;
	if (ranked.count <= EXACT_LIMIT)
		exact_tails(&ranked, &result);
	else
		normal_tails(&ranked, &result);
	result.p = fmin(1, 2 * fmin(result.p_less, result.p_greater));
	return result;
}
