/* Values far from the others: flagged, never dropped. */
#include "stats/outliers.h"

#include <math.h>

#include "stats/descriptive.h"

#define NORMAL_QUARTILE 0.6744897501960817
#define MODIFIED_Z_LIMIT 3.5
#define OUTER_FENCE 3

static size_t flag_outside(const double *values, size_t count, double low, double high, bool *flags)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		bool out = values[i] < low || values[i] > high;

		found += out;
		if (flags)
			flags[i] = out;
	}
	return found;
}

size_t outliers_modified_z(const double *values, size_t count, bool *flags)
{
	double median = descriptive_median(values, count);
	double reach = MODIFIED_Z_LIMIT / NORMAL_QUARTILE * descriptive_mad(values, count);

	return flag_outside(values, count, median - reach, median + reach, flags);
}

size_t outliers_severe(const double *values, size_t count, bool *flags)
{
	double first = descriptive_quantile(values, count, 0.25);
	double third = descriptive_quantile(values, count, 0.75);
	double reach = OUTER_FENCE * (third - first);

	return flag_outside(values, count, first - reach, third + reach, flags);
}
