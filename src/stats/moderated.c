/* Many small samples of one kind lend each other their variance: moderated t, and its scale for counts. */
#include "stats/moderated.h"

#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"

double moderated_freeman_tukey(double count)
{
	return sqrt(count) + sqrt(count + 1);
}

struct variance_prior moderated_prior(const double *variances, size_t count, double df)
{
	auto_free double *logs = memory_zeroed(count, sizeof(*logs));
	struct variance_prior prior = { 0, 0, df * count };
	double median = descriptive_median(variances, count), least, mean, excess;

	if (count < 2 || !(df > 0))
		return prior;
	/* A variance of exactly zero has no logarithm. */
	least = 1e-5 * (median > 0 ? median : 1);
	for (size_t i = 0; i < count; i++)
		logs[i] = log(fmax(variances[i], least)) - digamma(df / 2) + log(df / 2);
	mean = descriptive_mean(logs, count);
	excess = descriptive_variance(logs, count) - trigamma(df / 2);
	if (excess > 0) {
		prior.df = 2 * trigamma_inverse(excess);
		prior.variance = exp(mean + digamma(prior.df / 2) - log(prior.df / 2));
	} else {
		prior.df = INFINITY;
		prior.variance = exp(mean);
	}
	return prior;
}

struct moderated moderated_test(const struct moderated_row *row, const struct variance_prior *prior, double floor)
{
	struct moderated result;

	if (isinf(prior->df))
		result.variance = prior->variance;
	else
		result.variance = (prior->df * prior->variance + row->df * row->variance) / (prior->df + row->df);
	result.variance = fmax(result.variance, floor);
	result.df = fmin(row->df + prior->df, prior->pooled_df);
	result.standard_error = sqrt(result.variance * row->unscaled);
	result.t = row->estimate / result.standard_error;
	result.p = t_two_sided(result.t, result.df);
	return result;
}
