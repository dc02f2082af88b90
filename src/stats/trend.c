/* Cochran and Armitage's test of a trend in proportions. */
#include "stats/trend.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

struct trend trend_of_shares(const double *hits, const double *totals, const double *at, size_t count)
{
	double all = 0, hit = 0, weighted = 0, moment = 0, square = 0, share, variance;
	struct trend trend = { NAN, NAN };

	for (size_t i = 0; i < count; i++) {
		all += totals[i];
		hit += hits[i];
		moment += totals[i] * at[i];
		square += totals[i] * at[i] * at[i];
	}
	if (!(hit > 0) || !(hit < all))
		return trend;
	share = hit / all;
	for (size_t i = 0; i < count; i++)
		weighted += at[i] * (hits[i] - totals[i] * share);
	variance = share * (1 - share) * (square - moment * moment / all);
	if (!(variance > 0))
		return trend;
	trend.z = weighted / sqrt(variance);
	trend.p = 2 * gsl_cdf_ugaussian_Q(fabs(trend.z));
	return trend;
}
