/* Student's and Welch's t: one sample of differences, and two independent samples. */
#include "stats/t_test.h"

#include <math.h>

#include "stats/descriptive.h"
#include "stats/distribution.h"

static struct t_test from_parts(double difference, double shift, double variance_of_mean, double df)
{
	double se = sqrt(variance_of_mean), t = (difference - shift) / se;

	/* Rounding noise around one constant is no variance. */
	if (!(se > 1e-15 * fabs(difference)) || !(df > 0))
		return (struct t_test){ difference, NAN, NAN, NAN, NAN, NAN, NAN };
	return (struct t_test){ difference, se, t, df, t_two_sided(t, df), t_cdf(-t, df), t_cdf(t, df) };
}

struct t_test t_test_one(const double *differences, size_t count, double shift)
{
	return from_parts(descriptive_mean(differences, count), shift,
			  descriptive_variance(differences, count) / count, count - 1.0);
}

struct t_test t_test_welch(const struct two_samples *s)
{
	double a = descriptive_variance(s->a, s->a_count) / s->a_count;
	double b = descriptive_variance(s->b, s->b_count) / s->b_count;
	double df = (a + b) * (a + b) / (a * a / (s->a_count - 1.0) + b * b / (s->b_count - 1.0));

	return from_parts(descriptive_mean(s->b, s->b_count) - descriptive_mean(s->a, s->a_count), 0, a + b, df);
}

struct interval t_test_interval(const struct t_test *test, double level)
{
	double half = t_quantile(1 - (1 - level) / 2, test->df) * test->standard_error;

	return (struct interval){ test->difference - half, test->difference + half, isnan(half) ? NAN : level };
}

double t_test_equivalence(const double *differences, size_t count, double limit)
{
	double not_below = t_test_one(differences, count, -limit).p_greater;
	double not_above = t_test_one(differences, count, limit).p_less;

	return isnan(not_below) || isnan(not_above) ? NAN : fmax(not_below, not_above);
}
