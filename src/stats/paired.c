/* Pairs of positive counts as one difference each. */
#include "stats/paired.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "stats/descriptive.h"

#define SMALL_MEDIAN 20

enum paired_mode paired_measure_mode(const double *a, const double *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!(a[i] > 0) || !(b[i] > 0))
			return PAIRED_DIFFERENCE;
	return PAIRED_LOG_RATIO;
}

enum paired_mode paired_choose_mode(const double *a, const double *b, size_t count)
{
	auto_free double *pooled = memory_zeroed(2 * count, sizeof(*pooled));

	if (paired_measure_mode(a, b, count) == PAIRED_DIFFERENCE)
		return PAIRED_DIFFERENCE;
	for (size_t i = 0; i < count; i++) {
		pooled[i] = a[i];
		pooled[count + i] = b[i];
	}
	return descriptive_median(pooled, 2 * count) < SMALL_MEDIAN ? PAIRED_DIFFERENCE : PAIRED_LOG_RATIO;
}

void paired_differences(const double *a, const double *b, size_t count, enum paired_mode mode,
			double *differences)
{
	for (size_t i = 0; i < count; i++) {
		differences[i] = b[i] - a[i];
		if (mode == PAIRED_LOG_RATIO)
			differences[i] = log1p(differences[i] / a[i]);
	}
}
