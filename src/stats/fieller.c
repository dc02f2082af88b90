/* The ratio of two means of paired values with its interval. */
#include "stats/fieller.h"

#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"
#include "stats/t_test.h"

struct interval fieller_interval(const double *a, const double *b, size_t count, double level)
{
	auto_free double *excess = memory_zeroed(count, sizeof(*excess));
	double mean_a = descriptive_mean(a, count), mean_excess, t, square, linear, constant;

	for (size_t i = 0; i < count; i++)
		excess[i] = b[i] - a[i];
	if (count < 2 || !(mean_a > 0))
		return (struct interval){ NAN, NAN, NAN };
	mean_excess = descriptive_mean(excess, count);
	t = t_quantile(1 - (1 - level) / 2, count - 1.0);
	square = mean_a * mean_a - t * t * descriptive_variance(a, count) / count;
	linear = mean_a * mean_excess - t * t * descriptive_covariance(a, excess, count) / count;
	constant = mean_excess * mean_excess - t * t * descriptive_variance(excess, count) / count;
	if (square <= 0)
		return (struct interval){ -INFINITY, INFINITY, level };

	double root = sqrt(fmax(0, linear * linear - square * constant));

	return (struct interval){ 1 + (linear - root) / square, 1 + (linear + root) / square, level };
}

struct interval fieller_unpaired(const struct two_samples *s, double level)
{
	double a = descriptive_mean(s->a, s->a_count), b = descriptive_mean(s->b, s->b_count);
	double t = t_quantile(1 - (1 - level) / 2, t_test_welch(s).df);
	double error_a = t * t * descriptive_variance(s->a, s->a_count) / s->a_count;
	double error_b = t * t * descriptive_variance(s->b, s->b_count) / s->b_count;
	double square = a * a - error_a, root;

	if (!(a > 0) || isnan(error_a) || isnan(error_b))
		return (struct interval){ NAN, NAN, NAN };
	if (square <= 0)
		return (struct interval){ -INFINITY, INFINITY, level };
	root = sqrt(fmax(0, a * b * (a * b) - square * (b * b - error_b)));
	return (struct interval){ (a * b - root) / square, (a * b + root) / square, level };
}
