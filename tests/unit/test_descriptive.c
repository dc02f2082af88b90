#include "stats/descriptive.h"
#include "stats/outliers.h"

#include <math.h>

#include "unit/test.h"

static void near(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
		fail_msg("%.17g, expected %.17g", got, expected);
}

/* Expected: R's mean, sd, median, mad(constant=1), t.test(x)$conf.int of these five numbers. */
void test_descriptive__a_summary_agrees_with_r(void **state)
{
	(void)state;
	static const double values[] = { 104000, 109000, 99000, 112000, 102000 };
	struct summary s = descriptive_summary(values, 5, 0.95);

	assert_int_equal(s.count, 5);
	near(s.mean, 105200);
	near(s.sd, 5263.078946776307);
	near(s.median, 104000);
	near(s.mad, 5000);
	near(s.minimum, 99000);
	near(s.maximum, 112000);
	near(s.standard_error, 5263.078946776307 / sqrt(5));
	near(s.relative_standard_error, 5263.078946776307 / sqrt(5) / 105200);
	near(s.mean_interval.high - s.mean, 2.7764451051977934 * 5263.078946776307 / sqrt(5));
	assert_int_equal(s.outlier_count, 0);
}

void test_descriptive__none_and_one_value_give_no_made_up_numbers(void **state)
{
	(void)state;
	static const double one[] = { 7 };
	struct summary s = descriptive_summary(one, 0, 0.95);

	assert_true(isnan(s.mean) && isnan(s.median) && isnan(s.minimum) && isnan(s.mad));
	s = descriptive_summary(one, 1, 0.95);
	near(s.mean, 7);
	assert_true(isnan(s.sd) && isnan(s.standard_error) && isnan(s.mean_interval.low));
	assert_true(isnan(s.mean_interval.level));
	near(s.median, 7);
}

void test_descriptive__quantiles_are_type_7(void **state)
{
	(void)state;
	static const double values[] = { 4, 1, 3, 2 };

	near(descriptive_quantile(values, 4, 0.25), 1.75);
	near(descriptive_quantile(values, 4, 0.5), 2.5);
	near(descriptive_quantile(values, 4, 1), 4);
}

void test_outliers__the_far_one_is_named_and_a_zero_mad_is_no_divisor(void **state)
{
	(void)state;
	static const double far[] = { 10, 11, 10.5, 9.5, 500, 10.2 }, flat[] = { 5, 5, 5, 5, 5.1 };
	bool flags[6];

	assert_int_equal(outliers_modified_z(far, 6, flags), 1);
	assert_true(flags[4]);
	assert_int_equal(outliers_modified_z(flat, 5, NULL), 1);
	assert_int_equal(outliers_severe(far, 6, flags), 1);
}
