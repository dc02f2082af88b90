/* Two independent samples: Hodges-Lehmann shift, its exact interval, and the Mann-Whitney test. */
#include "stats/mann_whitney.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"
#include "stats/ranks.h"
#include "stats/select.h"

#define EXACT_VALUES 100
#define EXACT_PAIRS 2500

/* How many subsets of `size` of the weights have each sum: counts[0..reach]. Doubles: C(100, 50) is 1e29. */
static double *subset_sums(const size_t *weights, size_t count, size_t size, size_t reach)
{
	size_t row = reach + 1;
	auto_free double *table = memory_zeroed((size + 1) * row, sizeof(*table));

	table[0] = 1;
	for (size_t i = 0; i < count; i++)
		for (size_t chosen = size; chosen >= 1; chosen--) {
			double *with = table + chosen * row;
			const double *without = with - row;

			for (size_t t = weights[i]; t <= reach; t++)
				with[t] += without[t - weights[i]];
		}
	return memory_copy(table + size * row, row * sizeof(*table));
}

static double choose(size_t n, size_t k)
{
	double result = 1;

	for (size_t i = 1; i <= k; i++)
		result = result * (n - k + i) / i;
	return result;
}

double mann_whitney_least_p(size_t a_count, size_t b_count)
{
	return fmin(1, 2 / choose(a_count + b_count, a_count < b_count ? a_count : b_count));
}

static double exact_p(const size_t *ranks, size_t count, size_t b_count, size_t observed)
{
	size_t total = count * (count + 1); /* of doubled ranks */
	auto_free double *sums = subset_sums(ranks, count, b_count, total);
	double centre = (double)b_count * total / count, far = fabs(observed - centre) - 1e-9, hits = 0, all = 0;

	for (size_t t = 0; t <= total; t++) {
		all += sums[t];
		if (fabs(t - centre) >= far)
			hits += sums[t];
	}
	return fmin(1, hits / all);
}

static double normal_p(const size_t *ranks, size_t count, size_t b_count, size_t observed)
{
	double mean_rank = (count + 1) / 2.0, squares = 0, n = count, b = b_count, distance;

	for (size_t i = 0; i < count; i++)
		squares += (ranks[i] / 2.0 - mean_rank) * (ranks[i] / 2.0 - mean_rank);

	double sd = sqrt(b * (n - b) / (n * (n - 1)) * squares);

	if (!(sd > 0))
		return 1;
	distance = fmax(0, fabs(observed / 2.0 - b * mean_rank) - 0.5);
	return fmin(1, 2 * normal_cdf(-distance / sd));
}

struct mann_whitney mann_whitney_test(const struct two_samples *s)
{
	size_t count = s->a_count + s->b_count, observed = 0;
	auto_free double *pooled = memory_zeroed(count, sizeof(*pooled));
	auto_free size_t *ranks = memory_zeroed(count, sizeof(*ranks));
	struct mann_whitney result = { 0, 1 };

	if (!s->a_count || !s->b_count)
		return result;
	memcpy(pooled, s->b, s->b_count * sizeof(*pooled));
	memcpy(pooled + s->b_count, s->a, s->a_count * sizeof(*pooled));
	ranks_doubled(pooled, count, ranks);
	for (size_t i = 0; i < s->b_count; i++)
		observed += ranks[i];
	result.statistic = (observed - s->b_count * (s->b_count + 1.0)) / 2;
	result.p = count <= EXACT_VALUES ? exact_p(ranks, count, s->b_count, observed) :
					   normal_p(ranks, count, s->b_count, observed);
	return result;
}

static size_t exact_order(size_t m, size_t n, double alpha, double *level)
{
	auto_free size_t *ranks = memory_zeroed(m + n, sizeof(*ranks));
	auto_free double *sums = NULL;
	size_t least = m * (m + 1) / 2, order = 0;
	double all = choose(m + n, m), below = 0;

	for (size_t i = 0; i < m + n; i++)
		ranks[i] = i + 1;
	sums = subset_sums(ranks, m + n, m, least + m * n);
	while (order < m * n && below + sums[least + order] / all < alpha / 2 - 10 * DBL_EPSILON)
		below += sums[least + order++] / all;
	if (!order)
		below += sums[least + order++] / all;
	*level = 1 - 2 * below;
	return order;
}

size_t mann_whitney_order(size_t a_count, size_t b_count, double alpha, double *level)
{
	size_t m = a_count < b_count ? a_count : b_count, n = a_count < b_count ? b_count : a_count;

	if (!m) {
		*level = NAN;
		return 0;
	}
	if (m <= EXACT_PAIRS / n)
		return exact_order(m, n, alpha, level);

	double mean = (double)m * n / 2, sd = sqrt((double)m * n * (m + n + 1.0) / 12);
	double order = fmax(1, ceil(mean + normal_quantile(alpha / 2) * sd - 0.5));

	*level = 1 - 2 * normal_cdf((order - 0.5 - mean) / sd);
	return (size_t)order;
}

static size_t differences_up_to(const void *context, double x)
{
	const struct two_samples *sorted = context;
	size_t total = 0, end = 0;

	/* For each a the values of b that fit; a larger a lets more in. */
	for (size_t i = 0; i < sorted->a_count; i++) {
		while (end < sorted->b_count && sorted->b[end] - sorted->a[i] <= x)
			end++;
		total += end;
	}
	return total;
}

static double difference_at(const struct two_samples *sorted, size_t k)
{
	double low = sorted->b[0] - sorted->a[sorted->a_count - 1];
	double high = sorted->b[sorted->b_count - 1] - sorted->a[0];

	return select_kth(differences_up_to, sorted, low, high, k);
}

double mann_whitney_shift(const struct two_samples *s)
{
	auto_free double *a = descriptive_sorted(s->a, s->a_count), *b = descriptive_sorted(s->b, s->b_count);
	struct two_samples sorted = { a, b, s->a_count, s->b_count };
	size_t pairs = s->a_count * s->b_count;

	if (!pairs)
		return NAN;
	if (pairs % 2)
		return difference_at(&sorted, pairs / 2 + 1);
	return (difference_at(&sorted, pairs / 2) + difference_at(&sorted, pairs / 2 + 1)) / 2;
}

struct interval mann_whitney_interval(const struct two_samples *s, double alpha)
{
	auto_free double *a = descriptive_sorted(s->a, s->a_count), *b = descriptive_sorted(s->b, s->b_count);
	struct two_samples sorted = { a, b, s->a_count, s->b_count };
	struct interval interval = { NAN, NAN, NAN };
	size_t order = mann_whitney_order(s->a_count, s->b_count, alpha, &interval.level);

	if (!s->a_count || !s->b_count)
		return interval;
	interval.low = difference_at(&sorted, order);
	interval.high = difference_at(&sorted, s->a_count * s->b_count + 1 - order);
	return interval;
}
