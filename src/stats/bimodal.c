/* One mode or two: where a sample splits. */
#include "stats/bimodal.h"

#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"

#define LEAST_VALUES 20
#define LEAST_SHARE 0.15
#define GAP_MADS 3

/* Values 0..result-1 make the lower cluster: the cut with the most between-cluster sum of squares. */
static size_t best_cut(const double *sorted, size_t count)
{
	double centre = sorted[count / 2], total = 0, sum = 0, best = -1; /* centred: squares keep their digits */
	size_t cut = 1;

	for (size_t i = 0; i < count; i++)
		total += sorted[i] - centre;
	for (size_t i = 1; i < count; i++) {
		double rest, between;

		sum += sorted[i - 1] - centre;
		rest = total - sum;
		between = sum * sum / i + rest * rest / (count - i);
		if (between > best && sorted[i] > sorted[i - 1]) {
			best = between;
			cut = i;
		}
	}
	return cut;
}

struct bimodal bimodal_find(const double *values, size_t count)
{
	auto_free double *sorted = descriptive_sorted(values, count);
	auto_free double *distances = memory_zeroed(count, sizeof(*distances));
	struct bimodal result = { false, NAN, NAN, NAN, NAN };
	size_t cut;

	if (count < LEAST_VALUES || !(sorted[count - 1] > sorted[0]))
		return result;
	cut = best_cut(sorted, count);
	result.low_share = (double)cut / count;
	result.split = (sorted[cut - 1] + sorted[cut]) / 2;
	result.low_centre = descriptive_median(sorted, cut);
	result.high_centre = descriptive_median(sorted + cut, count - cut);
	for (size_t i = 0; i < count; i++)
		distances[i] = fabs(sorted[i] - (i < cut ? result.low_centre : result.high_centre));
	result.found = result.low_share >= LEAST_SHARE && 1 - result.low_share >= LEAST_SHARE &&
		       result.high_centre - result.low_centre > GAP_MADS / 0.6745 * descriptive_median(distances, count);
	return result;
}
