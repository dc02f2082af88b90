/* Expressions and the metric table. Wanted values are worked out by hand from the formulas of perf-stat(1). */
#include "unit/test.h"

#include <math.h>

#include "event/expression.h"
#include "event/metric.h"

static double value_of(const char *name, void *closure)
{
	static const struct {
		const char *name;
		double value;
	} counts[] = { { "cycles", 2000 },	 { "instructions", 3000 }, { "task-clock", 1000 },
		       { "duration_time", 2000 }, { "a-b", 7 },		   { "a", 10 },
		       { "b", 4 },		 { "skl::UOPS_RETIRED:ALL", 5 }, { "stalled-cycles-backend", 600 },
		       { "EVENT", 50 },		 { "zero", 0 } };

	(void)closure;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (!strcmp(counts[i].name, name))
			return counts[i].value;
	return NAN;
}

static double value(const char *text)
{
	cleanup(expression_guard) struct expression *expression = NULL;

	assert_success(expression_parse(text, &expression));
	return expression_value(expression, value_of, NULL);
}

static void expect_result(const char *text, double wanted)
{
	if (fabs(value(text) - wanted) > 1e-9 * fabs(wanted))
		fail_msg("%s is %g, wanted %g", text, value(text), wanted);
}

void test_expression__precedence_and_names(void **state)
{
	(void)state;
	expect_result("1 + 2 * 3", 7);
	expect_result("(1 + 2) * 3", 9);
	expect_result("10 - 4 - 3", 3);
	expect_result("-2 * -3", 6);
	expect_result("a-b", 7);
	expect_result("a - b", 6);
	expect_result("a -b", 6);
	expect_result("2e3/cycles", 1);
	expect_result("max(a, b) + min(a, b)", 14);
	expect_result("skl::UOPS_RETIRED:ALL*2", 10);
}

void test_expression__missing_part_or_division_by_zero_is_nan(void **state)
{
	(void)state;
	assert_true(isnan(value("a / zero")));
	assert_true(isnan(value("zero / zero")));
	assert_true(isnan(value("max(a, nothing)")));
	assert_true(isnan(value("a + nothing * 0")));
}

void test_expression__bad_text_is_refused(void **state)
{
	static const char *const bad[] = { "", "a +", "(a", "a b", "max(a)", "max a", "1 + )", "*", "1..2", "a $ b" };
	char deep[512];
	struct expression *expression = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_failure(expression_parse(bad[i], &expression), ERROR_USAGE, "column");
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	assert_failure(expression_parse(deep, &expression), ERROR_USAGE, "too deep");
	assert_null(expression);
}

/* The value of the first alternative that has one. */
static double metric(const struct metric_table *table, const char *name)
{
	size_t cursor = 0;

	for (const struct metric *row; (row = metric_find(table, name, &cursor));)
		if (!isnan(metric_value(row, value_of, NULL)))
			return metric_value(row, value_of, NULL);
	return NAN;
}

void test_metric__classic_formulas(void **state)
{
	cleanup(metric_table_guard) struct metric_table *table = NULL;

	(void)state;
	assert_success(metric_table_load(NULL, &table));
	assert_true(fabs(metric(table, "cpus-utilized") - 0.5) < 1e-9);
	assert_true(fabs(metric(table, "frequency") - 2) < 1e-9);
	assert_true(fabs(metric(table, "insn-per-cycle") - 1.5) < 1e-9);
	assert_true(fabs(metric(table, "stalled-cycles-per-insn") - 0.2) < 1e-9);
	assert_true(fabs(metric(table, "backend-cycles-idle") - 30) < 1e-9);
	assert_true(fabs(metric(table, "rate") - 5e7) < 1);
	assert_true(isnan(metric(table, "branch-miss-rate")));
}

static size_t count_beside(const struct metric_table *table, const char *text, const char **first)
{
	cleanup(event_list_guard) struct event_list *list = event_list_create();
	size_t cursor = 0, count = 0;

	assert_success(event_list_add(list, text));
	for (const struct metric *row; (row = metric_beside(table, event_list_at(list, 0), &cursor)); count++)
		if (!count)
			*first = row->name;
	return count;
}

void test_metric__stands_beside_its_event_under_any_of_its_names(void **state)
{
	cleanup(metric_table_guard) struct metric_table *table = NULL;
	const char *name;

	(void)state;
	assert_success(metric_table_load(NULL, &table));
	assert_int_equal(count_beside(table, "instructions:u", &name), 4);
	assert_int_equal(count_beside(table, "cpu-cycles", &name), 2);
	assert_string_equal(name, "frequency");
	assert_int_equal(count_beside(table, "page-faults", &name), 2);
	assert_string_equal(name, "rate");
}
