/* Trends in shares, against R. */
#include "stats/trend.h"

#include <math.h>

#include "unit/test.h"

void test_trend__is_that_of_r(void **state)
{
	(void)state;
	/* prop.trend.test(c(83, 90, 129, 70), c(86, 93, 136, 82)): X-squared = 8.2249, df = 1, p-value = 0.004132 */
	static const double hits[] = { 83, 90, 129, 70 }, totals[] = { 86, 93, 136, 82 }, at[] = { 1, 2, 3, 4 };
	struct trend trend = trend_of_shares(hits, totals, at, 4);

	assert_true(fabs(trend.z * trend.z - 8.2249) < 5e-5);
	assert_true(fabs(trend.p - 0.004132) < 5e-7);
	assert_true(trend.z < 0);
}

void test_trend__has_no_answer_without_variation(void **state)
{
	(void)state;
	static const double none[] = { 0, 0 }, totals[] = { 10, 10 }, at[] = { 1, 2 }, same[] = { 3, 3 };

	assert_true(isnan(trend_of_shares(none, totals, at, 2).p));
	assert_true(isnan(trend_of_shares(totals, totals, at, 2).p));
	assert_true(isnan(trend_of_shares(same, totals, same, 2).p));
	assert_true(isnan(trend_of_shares(same, totals, at, 0).p));
}
