/* What one sample of numbers looks like: mean, spread, quantiles. */
#include "stats/descriptive.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/distribution.h"
#include "stats/outliers.h"

/* The second pass takes back what the first lost to rounding, as R's mean() does. */
double descriptive_mean(const double *values, size_t count)
{
	long double sum = 0, rest = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	sum /= count;
	if (!isfinite((double)sum))
		return count ? (double)sum : NAN;
	for (size_t i = 0; i < count; i++)
		rest += values[i] - sum;
	return (double)(sum + rest / count);
}

double descriptive_covariance(const double *x, const double *y, size_t count)
{
	long double mean_x = descriptive_mean(x, count), mean_y = descriptive_mean(y, count), sum = 0;

	if (count < 2)
		return NAN;
	for (size_t i = 0; i < count; i++)
		sum += (x[i] - mean_x) * (y[i] - mean_y);
	return (double)(sum / (count - 1));
}

double descriptive_variance(const double *values, size_t count)
{
	return descriptive_covariance(values, values, count);
}

double descriptive_sd(const double *values, size_t count)
{
	return sqrt(descriptive_variance(values, count));
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double *descriptive_sorted(const double *values, size_t count)
{
	double *sorted = memory_copy(values, count * sizeof(*values));

	qsort(sorted, count, sizeof(*sorted), compare_doubles);
	return sorted;
}

static double sorted_median(const double *sorted, size_t count)
{
	if (!count)
		return NAN;
	if (count % 2)
		return sorted[count / 2];
	return (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double descriptive_median(const double *values, size_t count)
{
	auto_free double *sorted = descriptive_sorted(values, count);

	return sorted_median(sorted, count);
}

size_t descriptive_median_order(size_t count, double alpha, double *level)
{
	size_t order = 0;

	while (order < count && binomial_cdf((double)order, (double)count, 0.5) < alpha / 2)
		order++;
	*level = order ? 1 - 2 * binomial_cdf(order - 1.0, (double)count, 0.5) : NAN;
	return order;
}

double descriptive_mad(const double *values, size_t count)
{
	double median = descriptive_median(values, count);
	auto_free double *distances = memory_zeroed(count + 1, sizeof(*distances));

	for (size_t i = 0; i < count; i++)
		distances[i] = fabs(values[i] - median);
	return descriptive_median(distances, count);
}

double descriptive_quantile(const double *values, size_t count, double probability)
{
	if (!count || !(probability >= 0 && probability <= 1))
		return NAN;

	auto_free double *sorted = descriptive_sorted(values, count);
	double place = (count - 1) * probability;
	size_t below = (size_t)place;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

struct summary descriptive_summary(const double *values, size_t count, double level)
{
	auto_free double *sorted = descriptive_sorted(values, count);
	struct summary s = { .count = count, .mean = descriptive_mean(values, count),
			     .sd = descriptive_sd(values, count), .median = sorted_median(sorted, count),
			     .mad = descriptive_mad(values, count), .minimum = NAN, .maximum = NAN,
			     .outlier_count = outliers_modified_z(values, count, NULL) };
	double half;

	if (count) {
		s.minimum = sorted[0];
		s.maximum = sorted[count - 1];
	}
	s.standard_error = s.sd / sqrt(count);
	s.relative_standard_error = s.mean == 0 ? NAN : s.standard_error / fabs(s.mean);
	half = count < 2 ? NAN : s.standard_error * t_quantile(1 - (1 - level) / 2, count - 1.0);
	s.mean_interval = (struct interval){ s.mean - half, s.mean + half, isnan(half) ? NAN : level };
	return s;
}
