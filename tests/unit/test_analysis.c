/* The analysis as a whole, and each defect of other tools that it must not share. */
#include "ab/analysis.h"

#include <math.h>

#include "ab/wording.h"
#include "base/memory.h"
#include "stats/random.h"
#include "stats/signed_rank.h"
#include "unit/reference.h"
#include "unit/synthetic.h"
#include "unit/test.h"

static struct analysis *analyse(const struct runs *runs, const struct analysis_options *options)
{
	struct analysis *analysis = NULL;

	assert_success(analysis_create(runs, options, &analysis));
	return analysis;
}

static const struct comparison *find(const struct analysis *analysis, const char *metric)
{
	for (size_t i = 0; i < analysis->comparison_count; i++)
		if (strcmp(analysis->comparisons[i].quantity->name, metric) == 0)
			return &analysis->comparisons[i];
	fail_msg("no comparison of %s", metric);
	return NULL;
}

static const struct diagnostic *diagnosed(const struct analysis *analysis, enum diagnostic_kind kind)
{
	for (size_t i = 0; i < analysis->diagnostic_count; i++)
		if (analysis->diagnostics[i].kind == kind)
			return &analysis->diagnostics[i];
	return NULL;
}

/* The data sets of the reference tables, as wall times in ns. */
static struct runs *reference_runs(const char *name)
{
	struct reference *table = reference_load(name);
	size_t count;
	auto_free double *a = reference_column(table, "a", NULL, NULL, &count);
	auto_free double *b = reference_column(table, "b", NULL, NULL, &count);

	reference_destroy(table);
	return synthetic_pair(a, b, count);
}

void test_analysis__a_known_shift_is_estimated_as_r_does(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = reference_runs("d01_shift3pct");
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
	const struct comparison *wall = find(analysis, "wall");

	reference_check("ratio", wall->typical.value, 1.03009, 1e-5);
	reference_check("low", wall->typical.interval.low, 1.01776, 1e-5);
	reference_check("high", wall->typical.interval.high, 1.04293, 1e-5);
	reference_check("p", wall->p, 0.001953125, 1e-12);
	assert_int_equal(wall->verdict, VERDICT_REGRESSED);
	assert_int_equal(analysis->exit_status, EXIT_REGRESSED);
}

void test_analysis__swapped_arms_give_the_inverse(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = reference_runs("d01_shift3pct");
	cleanup(analysis_guard) struct analysis *one = analyse(runs, &(struct analysis_options){ 0 });
	const struct comparison *forth = find(one, "wall"), *back;

	for (size_t i = 0; i < runs->count; i++)
		runs->items[i].arm = !runs->items[i].arm;
	cleanup(analysis_guard) struct analysis *other = analyse(runs, &(struct analysis_options){ 0 });

	back = find(other, "wall");
	reference_check("ratio", back->typical.value, 1 / forth->typical.value, 1e-12);
	reference_check("low", back->typical.interval.low, 1 / forth->typical.interval.high, 1e-12);
	reference_check("high", back->typical.interval.high, 1 / forth->typical.interval.low, 1e-12);
	reference_check("mean low", back->mean.interval.low, 1 / forth->mean.interval.high, 1e-9);
	reference_check("p", back->p, forth->p, 1e-12);
}

void test_analysis__scale_and_order_of_blocks_do_not_matter(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = reference_runs("d01_shift3pct");
	cleanup(analysis_guard) struct analysis *plain = analyse(runs, &(struct analysis_options){ 0 });

	for (size_t i = 0; i < runs->count; i++) {
		runs->items[i].wall_ns *= 1000;
		runs->items[i].block = 9 - runs->items[i].block;
	}
	cleanup(analysis_guard) struct analysis *scaled = analyse(runs, &(struct analysis_options){ 0 });

	reference_check("ratio", find(scaled, "wall")->typical.value, find(plain, "wall")->typical.value, 1e-12);
	reference_check("low", find(scaled, "wall")->typical.interval.low, find(plain, "wall")->typical.interval.low,
			1e-12);
	reference_check("mean", find(scaled, "wall")->mean.value, find(plain, "wall")->mean.value, 1e-12);
}

/* An event that never got onto the PMU is no zero, and its ratio no NaN that passes a gate. */
void test_analysis__an_event_that_was_not_counted_is_not_zero(void **state)
{
	(void)state;
	static const char *const gates[] = { "cycles" };
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.05, 0.002, 10);

	for (size_t i = 0; i < runs->count; i++)
		runs->items[i].counts[0] = (struct run_count){ 0, 1000, 0, COUNT_NOT_COUNTED };
	cleanup(analysis_guard) struct analysis *analysis =
		analyse(runs, &(struct analysis_options){ .gates = gates, .gate_count = 1 });

	assert_int_equal(find(analysis, "cycles")->blocks, 0);
	assert_true(isnan(find(analysis, "cycles")->typical.value));
	assert_non_null(diagnosed(analysis, DIAGNOSTIC_NOT_COUNTED));
	assert_int_equal(analysis->exit_status, EXIT_NOT_MEASURED);
}

void test_analysis__a_scaled_count_is_shown_but_cannot_gate(void **state)
{
	(void)state;
	static const char *const gates[] = { "cycles" };
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0, 0.002, 10);

	runs->items[3].counts[0].running_ns = 500;
	runs->items[3].counts[0].value /= 2;
	cleanup(analysis_guard) struct analysis *analysis =
		analyse(runs, &(struct analysis_options){ .gates = gates, .gate_count = 1 });

	assert_true(find(analysis, "cycles")->is_scaled);
	assert_int_equal(find(analysis, "cycles")->verdict, VERDICT_EQUIVALENT);
	assert_int_equal(analysis->exit_status, EXIT_NOT_MEASURED);
	assert_non_null(diagnosed(analysis, DIAGNOSTIC_SCALED));
}

/* The "+-" must be of the estimate: it shrinks as runs are added. */
void test_analysis__the_interval_shrinks_with_more_blocks(void **state)
{
	(void)state;
	double width[2];

	for (size_t i = 0; i < 2; i++) {
		cleanup(runs_guard) struct runs *runs = synthetic_effect(0.02, 0.01, i ? 60 : 15);
		cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
		const struct comparison *wall = find(analysis, "wall");

		width[i] = wall->typical.interval.high - wall->typical.interval.low;
	}
	assert_true(width[1] < 0.6 * width[0]);
}

/* p >= 0.05 is never "the same"; one value, two values, five values are never significant. */
void test_analysis__few_or_noisy_runs_claim_nothing(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *noisy = synthetic_effect(0.005, 0.03, 10);
	cleanup(analysis_guard) struct analysis *unsure = analyse(noisy, &(struct analysis_options){ 0 });

	assert_true(find(unsure, "wall")->p > 0.05);
	assert_int_equal(find(unsure, "wall")->verdict, VERDICT_INCONCLUSIVE);
	assert_true(find(unsure, "wall")->blocks_needed > 10);
	for (size_t blocks = 1; blocks <= 5; blocks++) {
		cleanup(runs_guard) struct runs *runs = synthetic_effect(0.5, 0.001, blocks);
		cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });

		assert_int_equal(find(analysis, "wall")->verdict, VERDICT_INSUFFICIENT);
		assert_int_equal(analysis->exit_status, EXIT_UNRESOLVED);
		assert_int_equal(find(analysis, "wall")->minimum, 6);
		reference_check("level", find(analysis, "wall")->typical.interval.level, 1 - ldexp(1, 1 - (int)blocks),
				1e-12);
	}
}

void test_analysis__three_blocks_suffice_when_normality_is_assumed(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.05, 0.0005, 3);
	cleanup(analysis_guard) struct analysis *analysis =
		analyse(runs, &(struct analysis_options){ .assume_normal = true });

	assert_int_equal(find(analysis, "wall")->verdict, VERDICT_REGRESSED);
}

/* A zero in A makes no ratio of 200 %; the difference is what is reported. */
void test_analysis__zero_counts_are_compared_as_differences(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = reference_runs("d08_zeros");
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
	const struct comparison *wall = find(analysis, "wall");

	assert_int_equal(wall->mode, PAIRED_DIFFERENCE);
	reference_check("difference", wall->typical.value, 2, 1e-12);
	reference_check("low", wall->typical.interval.low, 0.5, 1e-12);
	reference_check("high", wall->typical.interval.high, 4, 1e-12);
}

void test_analysis__all_zero_and_all_equal_are_identical_not_undefined(void **state)
{
	(void)state;
	static const double zeros[10] = { 0 };
	cleanup(runs_guard) struct runs *runs = synthetic_pair(zeros, zeros, 10);
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
	const struct comparison *wall = find(analysis, "wall");

	assert_true(wall->is_identical);
	assert_int_equal(wall->verdict, VERDICT_EQUIVALENT);
	assert_true(wall->p == 1 && wall->typical.value == 0);
	assert_int_equal(analysis->exit_status, EXIT_NOT_WORSE);
}

/* A change of 0.2 % that hardly varies is found: no hidden minimum effect, no 2.6 sigma on top of the test. */
void test_analysis__a_small_sure_change_is_not_swallowed(void **state)
{
	(void)state;
	static const struct threshold fine[] = { { "wall", 0.001 } };
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.002, 0.0002, 10);
	cleanup(analysis_guard) struct analysis *analysis =
		analyse(runs, &(struct analysis_options){ .thresholds = fine, .threshold_count = 1 });

	assert_int_equal(find(analysis, "wall")->verdict, VERDICT_REGRESSED);
}

/* The threshold is for the interval: an estimate beyond it with an interval across it is not REGRESSED. */
void test_analysis__the_threshold_judges_the_interval_not_the_estimate(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.013, 0.008, 10);
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });

	assert_true(find(analysis, "wall")->typical.value > 1.01);
	assert_int_equal(find(analysis, "wall")->verdict, VERDICT_WORSE);
}

static size_t runs_to_builds(struct runs *runs, const struct reference *table)
{
	for (size_t row = 0; row < table->rows; row++) {
		unsigned build = (unsigned)reference_number(table, row, "build");
		unsigned number = (unsigned)reference_number(table, row, "run");
		struct run *run = synthetic_run(runs, reference_cell(table, row, "arm")[0] == 'b',
						(build - 1) * 5 + number - 1);

		run->wall_ns = (uint64_t)reference_number(table, row, "value");
		run->layout = build;
	}
	return table->rows / 2;
}

/* Runs of one build are not independent builds: pooled they give p = .00046, rightly .13. */
void test_analysis__runs_inside_builds_are_not_taken_as_independent(void **state)
{
	(void)state;
	struct reference *table = reference_load("d21_builds_runs");
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0, 0, 30);
	size_t blocks = runs_to_builds(runs, table);
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
	const struct comparison *wall = find(analysis, "wall");
	auto_text struct text text = { 0 };

	reference_destroy(table);
	assert_int_equal(wall->blocks, blocks);
	assert_int_equal(wall->layouts, 6);
	reference_check("p", wall->p, 0.13433601576694948, RELATIVE_TAIL);
	reference_check("ratio", wall->typical.value, 1.009986487857093, RELATIVE);
	reference_check("low", wall->typical.interval.low, 0.99634612785290855, RELATIVE);
	reference_check("share", wall->layout_a.group_share, 0.90122330608058165, RELATIVE);
	assert_true(wall->run_p < 0.01);
	assert_int_equal(wall->verdict, VERDICT_INCONCLUSIVE);
	wording_layouts(&text, wall);
	assert_string_equal(text.bytes, "layout explains 89 % of the variance (A 90 %, B 88 %), 6 builds an arm");
}

/* Five metrics, two arms: the family is gates x comparisons, and intervals widen with it. */
void test_analysis__gates_share_alpha_and_others_get_q(void **state)
{
	(void)state;
	static const char *const gates[] = { "wall", "cycles" };
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.03, 0.01, 10);
	cleanup(analysis_guard) struct analysis *one = analyse(runs, &(struct analysis_options){ 0 });
	cleanup(analysis_guard) struct analysis *two =
		analyse(runs, &(struct analysis_options){ .gates = gates, .gate_count = 2 });

	reference_check("alpha", find(two, "wall")->alpha, 0.025, 1e-12);
	reference_check("holm", find(two, "wall")->p_holm, 2 * find(two, "wall")->p, 1e-12);
	assert_true(find(two, "wall")->typical.interval.high > find(one, "wall")->typical.interval.high);
	assert_true(isnan(find(one, "wall")->q));
	/* user and cycles move alike, sys and peak-memory are all zero: four tests */
	reference_check("q", find(one, "cycles")->q, find(one, "cycles")->p * 2, 1e-12);
	assert_int_equal(find(two, "wall")->minimum, 7);
}

/* HL +0.4 %, mean +4 %: a slow mode that went from 5 to 25 % of the runs. */
void test_analysis__rare_slow_runs_are_said_beside_the_typical_run(void **state)
{
	(void)state;
	double a[40], b[40];

	for (size_t i = 0; i < 40; i++) {
		a[i] = 1e9 * (1 + 0.0001 * ((i * 7) % 40)) * (i % 20 == 3 ? 1.2 : 1);
		b[i] = 1e9 * (1 + 0.0001 * ((i * 11) % 40)) * (i % 4 == 1 ? 1.2 : 1);
	}
	cleanup(runs_guard) struct runs *runs = synthetic_pair(a, b, 40);
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
	cleanup(analysis_guard) struct analysis *mean = analyse(runs, &(struct analysis_options){ .gate_on_mean = true });

	assert_true(find(analysis, "wall")->means_disagree);
	assert_non_null(diagnosed(analysis, DIAGNOSTIC_MEANS_DISAGREE));
	assert_true(find(mean, "wall")->mean.value > 1.03);
	assert_true(find(mean, "wall")->verdict != find(analysis, "wall")->verdict);
}

void test_analysis__void_blocks_are_left_out_and_many_of_them_fail(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0, 0.002, 12);

	synthetic_run(runs, 1, 4)->is_void = true;
	synthetic_run(runs, 1, 4)->wall_ns = 1;
	cleanup(analysis_guard) struct analysis *one = analyse(runs, &(struct analysis_options){ 0 });

	assert_int_equal(find(one, "wall")->blocks, 11);
	assert_int_equal(one->void_blocks, 1);
	assert_int_equal(one->exit_status, EXIT_NOT_WORSE);
	assert_non_null(diagnosed(one, DIAGNOSTIC_VOID));
	synthetic_run(runs, 0, 7)->is_void = true;
	cleanup(analysis_guard) struct analysis *two = analyse(runs, &(struct analysis_options){ 0 });
	cleanup(analysis_guard) struct analysis *bisect = analyse(runs, &(struct analysis_options){ .is_bisect = true });

	assert_int_equal(two->exit_status, EXIT_NOT_MEASURED);
	assert_int_equal(bisect->exit_status, EXIT_BISECT_SKIP);
}

void test_analysis__flagged_blocks_are_judged_with_and_without(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0, 0.002, 12);
	auto_text struct text text = { 0 };

	synthetic_run(runs, 1, 4)->flags = RUN_STEAL;
	synthetic_run(runs, 1, 4)->wall_ns *= 2;
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
	const struct comparison *wall = find(analysis, "wall");

	assert_int_equal(wall->blocks, 12);
	assert_int_equal(wall->flagged_blocks, 1);
	assert_true(wall->unflagged.interval.high < wall->typical.interval.high);
	wording_sensitivity(&text, wall);
	assert_non_null(strstr(text.bytes, "without the 1 flagged block: "));
	assert_non_null(strstr(diagnosed(analysis, DIAGNOSTIC_OUTLIERS)->text, "block 4 steal"));
}

void test_analysis__a_copy_of_a_is_a_control_and_no_gate(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.05, 0.002, 10);

	runs->arms[1].content_hash = runs->arms[0].content_hash;
	cleanup(analysis_guard) struct analysis *same = analyse(runs, &(struct analysis_options){ 0 });

	assert_true(same->is_same_program && !find(same, "wall")->is_control);
	assert_non_null(diagnosed(same, DIAGNOSTIC_SAME_PROGRAM));
	assert_int_equal(same->exit_status, EXIT_REGRESSED);
}

void test_analysis__outputs_that_differ_are_told(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0, 0.002, 10);

	for (size_t i = 0; i < runs->count; i++)
		runs->items[i].output_hash = runs->items[i].arm ? 7 : 8;
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });

	assert_string_equal(diagnosed(analysis, DIAGNOSTIC_OUTPUT_DIFFERS)->text,
			    "B prints something else than A: they may not do the same work");
}

/* 8 % drift: the ratio is right all the same, and the drift is told. */
void test_analysis__drift_is_removed_by_blocks_and_told(void **state)
{
	(void)state;
	double a[16], b[16];
	struct random random;

	random_seed(&random, 12);
	for (size_t i = 0; i < 16; i++) {
		a[i] = 1e12 * exp(0.08 * i / 16 + 0.001 * random_normal(&random));
		b[i] = 1e12 * exp(-0.015 + 0.08 * i / 16 + 0.001 * random_normal(&random));
	}
	cleanup(runs_guard) struct runs *runs = synthetic_pair(a, b, 16);
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });

	assert_int_equal(find(analysis, "wall")->verdict, VERDICT_IMPROVED);
	assert_non_null(diagnosed(analysis, DIAGNOSTIC_DRIFT));
	assert_true(fabs(diagnosed(analysis, DIAGNOSTIC_DRIFT)->value - 0.08) < 0.02);
}

void test_analysis__the_terms_of_the_cause_add_up(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.03, 0.002, 10);
	double sum = 0;

	for (size_t i = 0; i < runs->count; i++) {
		struct run *run = &runs->items[i];

		run->user_ns = run->wall_ns / 100 * (run->arm ? 97 : 95);
		run->counts[0].value = run->user_ns / 10 * 33;
	}
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
	const struct cause *cause = &analysis->causes[0];

	for (size_t term = 0; term < CAUSE_TERMS; term++)
		sum += cause->terms[term].effect;
	reference_check("sum", sum, cause->total.effect, 1e-9);
	reference_check("total", cause->total.effect, 0.03, 1e-6);
	reference_check("waiting", cause->terms[CAUSE_WAITING].effect, log(0.95 / 0.97), 1e-6);
	assert_true(cause->terms[CAUSE_CYCLES].is_known && !cause->terms[CAUSE_INSTRUCTIONS].is_known);
}

void test_analysis__separate_sessions_never_fail_a_gate_by_themselves(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.05, 0.002, 10);
	struct analysis_sample samples[] = { { runs, 0, "old" }, { runs, 1, "new" } };
	cleanup(analysis_guard) struct analysis *careful = NULL;
	cleanup(analysis_guard) struct analysis *trusting = NULL;

	assert_success(analysis_create_unpaired(samples, 2, &(struct analysis_options){ 0 }, &careful));
	assert_int_equal(find(careful, "wall")->verdict, VERDICT_REGRESSED);
	assert_int_equal(careful->exit_status, EXIT_UNRESOLVED);
	assert_non_null(diagnosed(careful, DIAGNOSTIC_SESSIONS));
	assert_success(analysis_create_unpaired(samples, 2, &(struct analysis_options){ .trust_sessions = true }, &trusting));
	assert_int_equal(trusting->exit_status, EXIT_REGRESSED);
	reference_check("ratio", find(careful, "wall")->typical.value, exp(0.05), 1e-3);
}

void test_analysis__a_wrong_name_or_threshold_is_a_usage_error(void **state)
{
	(void)state;
	static const char *const gates[] = { "cylces" };
	static const struct threshold zero[] = { { "wall", 0 } };
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0, 0.002, 10);
	struct analysis *analysis = NULL;

	assert_failure(analysis_create(runs, &(struct analysis_options){ .gates = gates, .gate_count = 1 }, &analysis),
		       ERROR_USAGE, "no metric 'cylces'");
	assert_failure(analysis_create(runs, &(struct analysis_options){ .thresholds = zero, .threshold_count = 1 },
				       &analysis), ERROR_USAGE, "must be above 0");
	runs->arm_count = 1;
	assert_failure(analysis_create(runs, &(struct analysis_options){ 0 }, &analysis), ERROR_USAGE, "one command");
	assert_null(analysis);
}

/* A third arm that is a copy of A: it cannot fail a gate, and when it differs from A that is said. */
void test_analysis__a_control_that_differs_is_told(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0, 0.002, 10);
	struct run_arm *arms = runs_alloc(runs, 3, sizeof(*arms));

	memcpy(arms, runs->arms, 2 * sizeof(*arms));
	arms[2] = arms[0];
	arms[2].name = "A'";
	runs->arms = arms;
	runs->arm_count = 3;
	for (uint32_t block = 0; block < 10; block++) {
		struct run *run = runs_add(runs);

		run->block = block;
		run->position = 2;
		run->arm = 2;
		run->wall_ns = 1100000000000 + block;
	}
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });

	assert_true(analysis->arms[2].is_control && !analysis->is_same_program);
	assert_int_equal(analysis->exit_status, EXIT_NOT_WORSE);
	assert_non_null(diagnosed(analysis, DIAGNOSTIC_CONTROL_FAILED));
}

/* Quiet: no change. Under pressure: 5 %. Two rows, one verdict each, and the difference is told. */
void test_analysis__conditions_are_judged_apart_and_compared(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0, 0.002, 20);

	for (size_t i = 0; i < runs->count; i++) {
		runs->items[i].condition = runs->items[i].block % 2 ? "pressure" : "quiet";
		if (runs->items[i].block % 2 && runs->items[i].arm)
			runs->items[i].wall_ns = (uint64_t)(runs->items[i].wall_ns * 1.05);
	}
	cleanup(analysis_guard) struct analysis *analysis = analyse(runs, &(struct analysis_options){ 0 });
	const struct comparison *quiet = find(analysis, "wall"), *pressure = quiet + analysis->quantity_count;

	assert_int_equal(analysis->condition_count, 2);
	assert_string_equal(pressure->condition, "pressure");
	assert_int_equal(quiet->verdict, VERDICT_EQUIVALENT);
	assert_int_equal(pressure->verdict, VERDICT_REGRESSED);
	reference_check("alpha", pressure->alpha, 0.025, 1e-12);
	assert_non_null(diagnosed(analysis, DIAGNOSTIC_CONDITIONS));
	assert_int_equal(analysis->exit_status, EXIT_REGRESSED);
}

void test_analysis__a_look_uses_its_own_alpha_and_only_decisive_rows_stop(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.05, 0.002, 10);
	cleanup(analysis_guard) struct analysis *look = analyse(runs, &(struct analysis_options){ .look_alpha = 0.005 });
	cleanup(runs_guard) struct runs *noisy = synthetic_effect(0.01, 0.006, 10);
	cleanup(analysis_guard) struct analysis *open = analyse(noisy, &(struct analysis_options){ 0 });

	assert_int_equal(find(look, "wall")->minimum, 9);
	reference_check("level", find(look, "wall")->typical.interval.level, 0.99609375, 1e-12);
	assert_true(analysis_is_decided(look));
	assert_false(analysis_is_decided(open));
	assert_true(analysis_precision(look) < 0.005 && analysis_precision(open) > 0.005);
}

/* 5 msec is no small count: the unit of a measure must not choose how it is compared. */
void test_analysis__a_measure_in_large_units_is_still_a_ratio(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = synthetic_effect(0.05, 0.002, 10);
	cleanup(analysis_guard) struct analysis *plain = NULL, *scaled = NULL;

	runs->events[0].scale = 1e-12;
	scaled = analyse(runs, &(struct analysis_options){ 0 });
	assert_true(find(scaled, "cycles")->mean_a < 20);
	assert_int_equal(find(scaled, "cycles")->mode, PAIRED_LOG_RATIO);
	runs->events[0].scale = 1;
	for (size_t i = 0; i < runs->count; i++)
		runs->items[i].counts[0].value = 5 + i % 2;
	plain = analyse(runs, &(struct analysis_options){ 0 });
	assert_int_equal(find(plain, "cycles")->mode, PAIRED_DIFFERENCE);
}
