#include "ab/verdict.h"

#include <math.h>

#include "ab/analysis.h"
#include "unit/synthetic.h"
#include "unit/test.h"

/* Each row of the table of verdicts, from runs: the threshold of wall is 1 %. */
static const struct {
	double centre, half;
	size_t blocks;
	enum verdict verdict;
	int exit_status, bisect_status;
	bool is_detectable;
} rows[] = {
	{ 0.05, 0.002, 5, VERDICT_INSUFFICIENT, 3, 125, true },
	{ 0.05, 0.002, 10, VERDICT_REGRESSED, 1, 1, true },
	{ -0.05, 0.002, 10, VERDICT_IMPROVED, 0, 0, true },
	{ 0, 0.002, 10, VERDICT_EQUIVALENT, 0, 0, false },
	{ 0.005, 0.002, 10, VERDICT_EQUIVALENT, 0, 0, true },
	{ 0.01, 0.006, 10, VERDICT_WORSE, 3, 125, true },
	{ -0.01, 0.006, 10, VERDICT_BETTER, 0, 0, true },
	{ -0.008, 0.011, 10, VERDICT_NOT_WORSE, 0, 0, false },
	{ 0.005, 0.02, 10, VERDICT_INCONCLUSIVE, 3, 125, false },
};

static struct analysis *analyse(struct runs *runs, const struct analysis_options *options)
{
	struct analysis *analysis = NULL;

	assert_success(analysis_create(runs, options, &analysis));
	return analysis;
}

static const struct comparison *wall_of(const struct analysis *analysis)
{
	assert_string_equal(analysis->comparisons[0].quantity->name, "wall");
	return &analysis->comparisons[0];
}

void test_verdict__each_row_of_the_table_comes_from_runs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cleanup(runs_guard) struct runs *runs = synthetic_effect(rows[i].centre, rows[i].half, rows[i].blocks);
		cleanup(analysis_guard) struct analysis *plain = analyse(runs, &(struct analysis_options){ 0 });
		cleanup(analysis_guard) struct analysis *bisect =
			analyse(runs, &(struct analysis_options){ .is_bisect = true });
		const struct comparison *wall = wall_of(plain);

		if (wall->verdict != rows[i].verdict)
			fail_msg("row %zu: %s [%.4f, %.4f], expected %s", i, verdict_name(wall->verdict),
				 wall->typical.interval.low, wall->typical.interval.high, verdict_name(rows[i].verdict));
		assert_int_equal(plain->exit_status, rows[i].exit_status);
		assert_int_equal(bisect->exit_status, rows[i].bisect_status);
		assert_int_equal(wall->is_detectable, rows[i].is_detectable);
	}
}

void test_verdict__any_worse_can_fail_the_gate(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.01, 0.006, 10);
	cleanup(analysis_guard) struct analysis *analysis =
		analyse(runs, &(struct analysis_options){ .fail_on_any_worse = true });

	assert_int_equal(wall_of(analysis)->verdict, VERDICT_WORSE);
	assert_int_equal(analysis->exit_status, EXIT_REGRESSED);
}

void test_verdict__more_can_be_better(void **state)
{
	(void)state;
	static const char *const higher[] = { "wall" };
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.05, 0.002, 10);
	cleanup(analysis_guard) struct analysis *analysis =
		analyse(runs, &(struct analysis_options){ .higher = higher, .higher_count = 1 });

	assert_int_equal(wall_of(analysis)->verdict, VERDICT_IMPROVED);
	assert_true(wall_of(analysis)->typical.value > 1.04);
}

void test_verdict__codes_outside_the_table_abort_a_bisection(void **state)
{
	(void)state;
	assert_int_equal(verdict_bisect_status(EXIT_BAD_USAGE), EXIT_BISECT_ABORT);
	assert_int_equal(verdict_bisect_status(127), EXIT_BISECT_ABORT);
	assert_int_equal(verdict_bisect_status(EXIT_NOT_MEASURED), EXIT_BISECT_SKIP);
}
