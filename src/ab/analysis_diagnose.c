/* Warnings of a finished analysis: from the figures of its comparisons and from the runs behind them. */
#include <math.h>
#include <stdlib.h>

#include "ab/analysis_parts.h"
#include "base/memory.h"
#include "base/text.h"
#include "stats/t_test.h"

static struct diagnostic about(enum diagnostic_kind kind, bool is_warning, const char *metric)
{
	return (struct diagnostic){ kind, is_warning, metric, NULL, NAN, NAN };
}

static void check_control(const struct comparison *c, struct diagnostic_list *list)
{
	struct diagnostic failed = about(DIAGNOSTIC_CONTROL_FAILED, true, c->quantity->name);

	failed.value = c->typical.value;
	failed.p = c->p;
	if (c->is_control && c->quantity->kind == QUANTITY_WALL && c->is_detectable && c->blocks >= c->minimum)
		diagnostics_add(list, &failed,
				"the control, a copy of A, differs from A: this machine cannot carry the comparison now");
}

static void diagnose_comparison(const struct comparison *c, struct diagnostic_list *list)
{
	const char *metric = c->quantity->name;
	struct diagnostic scaled = about(DIAGNOSTIC_SCALED, c->is_gate, metric);
	struct diagnostic missing = about(DIAGNOSTIC_NOT_COUNTED, c->is_gate, metric);
	struct diagnostic disagree = about(DIAGNOSTIC_MEANS_DISAGREE, true, metric);

	check_control(c, list);
	if (c->is_scaled)
		diagnostics_add(list, &scaled, "scaled: on for only a part of some runs; shown, but cannot decide");
	if (!c->blocks && (c->quantity->kind == QUANTITY_EVENT || c->is_gate))
		diagnostics_add(list, &missing, "not counted in any complete block");
	if (!c->means_disagree || c->mode != PAIRED_LOG_RATIO || c->blocks < c->minimum)
		return;
	disagree.value = c->mean.value;
	diagnostics_add(list, &disagree, "typical run %.3fx, average run %.3fx: rare slow runs differ", c->typical.value,
			c->mean.value);
}

/* Runs of both arms of a comparison as they came in time: blocks in order, positions inside them. */
static void diagnose_gate(const struct analysis *analysis, const struct comparison *c, const struct runs *runs,
			  struct diagnostic_list *list)
{
	struct pair_list pairs = pairs_collect(runs, c->arm, c->condition);
	auto_free struct pair *items unused = pairs.items;
	auto_pair_values struct pair_values v = pair_values_collect(&pairs, runs, c->quantity, false);
	auto_free double *values = memory_zeroed(2 * v.count, sizeof(*values));
	auto_free const struct run **order = memory_zeroed(2 * v.count, sizeof(*order));
	auto_free unsigned char *arm = memory_zeroed(2 * v.count, sizeof(*arm));
	const char *arm_names[] = { analysis->arms[0].name, analysis->arms[c->arm].name };
	struct series series = { c->quantity, values, order, arm_names, arm, 2 * v.count, true,
				 c->mode == PAIRED_LOG_RATIO };

	for (size_t i = 0; i < v.count; i++) {
		bool b_first = v.pairs[i].b->position < v.pairs[i].a->position;

		values[2 * i + b_first] = v.a[i];
		order[2 * i + b_first] = v.pairs[i].a;
		values[2 * i + !b_first] = v.b[i];
		order[2 * i + !b_first] = v.pairs[i].b;
		arm[2 * i + !b_first] = 1;
	}
	diagnostics_of_series(&series, list);
}

static size_t max_layouts(const struct analysis *analysis)
{
	size_t most = 0;

	for (size_t i = 0; i < analysis->comparison_count; i++)
		if (analysis->comparisons[i].layouts > most)
			most = analysis->comparisons[i].layouts;
	return most;
}

static void diagnose_repetition(const struct runs *runs, struct diagnostic_list *list)
{
	const char *comparison = runs_plan(runs, "comparison");
	struct diagnostic repeated = about(DIAGNOSTIC_REPEATED, false, NULL);

	repeated.value = comparison ? strtod(comparison, NULL) : 0;
	if (repeated.value > 1 && repeated.value < 1e6)
		diagnostics_add(list, &repeated, "this is comparison %.0f of these two builds today: decide how many "
				"before you look; one of twenty finds a difference where there is none", repeated.value);
}

/* What this machine can see: the half-widths of the gates, and how many metrics differ though nothing did. */
static void diagnose_noise(const struct analysis *analysis, struct diagnostic_list *list)
{
	struct diagnostic same = about(DIAGNOSTIC_SAME_PROGRAM, false, NULL);
	auto_text struct text floor = { 0 };
	size_t judged = 0, alarms = 0;

	for (size_t i = 0; i < analysis->comparison_count; i++) {
		const struct comparison *c = &analysis->comparisons[i];
		double half = (c->typical.interval.high - c->typical.interval.low) / 2;

		if (c->blocks < c->minimum || c->quantity->kind == QUANTITY_DERIVED)
			continue;
		judged++;
		alarms += c->is_detectable;
		if (!c->is_gate || c->mode != PAIRED_LOG_RATIO || !isfinite(half))
			continue;
		text_format(&floor, "%s%s +-%.2g %%", floor.length ? ", " : "; noise of ", c->quantity->name, 100 * half);
	}
	if (judged)
		text_format(&floor, "; %zu of %zu metrics differ though nothing did", alarms, judged);
	same.value = (double)alarms;
	diagnostics_add(list, &same, "all arms are the same program with the same arguments: this is an A/A run%s",
			floor.bytes ? floor.bytes : "");
}

static void diagnose_whole(const struct analysis *analysis, const struct runs *runs, struct diagnostic_list *list)
{
	struct diagnostic one_build = about(DIAGNOSTIC_ONE_BUILD, false, NULL);
	struct diagnostic sessions = about(DIAGNOSTIC_SESSIONS, true, NULL);

	if (!analysis->is_paired)
		diagnostics_add(list, &sessions,
				"runs not interleaved: drift between sessions is confounded with the change");
	if (analysis->is_same_program)
		diagnose_noise(analysis, list);
	else if (analysis->is_paired && max_layouts(analysis) < 2)
		diagnostics_add(list, &one_build,
				"one build per arm: differences below about 1 to 3 %% may be code placement");
	if (!runs)
		return;
	diagnose_repetition(runs, list);
	diagnostics_of_runs(runs, list);
}

/* The effect under one condition against that under another: the blocks differ, so Welch's t of the differences. */
static void diagnose_conditions(const struct analysis *analysis, size_t first, size_t second, const struct runs *runs,
				struct diagnostic_list *list)
{
	const struct comparison *c[2] = { &analysis->comparisons[first], &analysis->comparisons[second] };
	double *d[2] = { NULL, NULL };
	size_t count[2];
	struct t_test test;
	struct diagnostic differs = about(DIAGNOSTIC_CONDITIONS, false, c[0]->quantity->name);

	for (size_t i = 0; i < 2; i++) {
		struct pair_list pairs = pairs_collect(runs, c[i]->arm, c[i]->condition);
		auto_free struct pair *items unused = pairs.items;
		auto_pair_values struct pair_values v = pair_values_collect(&pairs, runs, c[i]->quantity, false);

		count[i] = v.count;
		d[i] = memory_zeroed(v.count, sizeof(**d));
		paired_differences(v.a, v.b, v.count, c[0]->mode, d[i]);
	}
	test = t_test_welch(&(struct two_samples){ d[0], d[1], count[0], count[1] });
	free(d[0]);
	free(d[1]);
	differs.value = c[0]->mode == PAIRED_LOG_RATIO ? exp(test.difference) : test.difference;
	differs.p = test.p;
	if (test.p < 0.05 && c[0]->mode == c[1]->mode)
		diagnostics_add(list, &differs, "B/A depends on the condition: %.3f %s, %.3f %s (p %.2g)",
				c[0]->typical.value, c[0]->condition ? c[0]->condition : "plain", c[1]->typical.value,
				c[1]->condition ? c[1]->condition : "plain", test.p);
}

void analysis_diagnose(struct analysis *analysis, const struct runs *runs)
{
	struct diagnostic_list list = { .arena = analysis->arena };
	size_t stride = (analysis->arm_count - 1) * analysis->quantity_count;

	diagnose_whole(analysis, runs, &list);
	for (size_t i = 0; i < analysis->comparison_count; i++) {
		const struct comparison *c = &analysis->comparisons[i];

		diagnose_comparison(c, &list);
		if (!runs || !c->is_gate)
			continue;
		diagnose_gate(analysis, c, runs, &list);
		if (i >= stride)
			diagnose_conditions(analysis, i % stride, i, runs, &list);
	}
	analysis->diagnostics = list.items;
	analysis->diagnostic_count = list.count;
}

void analysis_diagnose_machines(struct analysis *analysis)
{
	struct diagnostic_list list = { .arena = analysis->arena };

	diagnose_whole(analysis, NULL, &list);
	analysis_add_machine_diagnostics(analysis, &list);
	for (size_t i = 0; i < analysis->comparison_count; i++)
		diagnose_comparison(&analysis->comparisons[i], &list);
	analysis->diagnostics = list.items;
	analysis->diagnostic_count = list.count;
}
