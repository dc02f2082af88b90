/* From runs to results: every metric of every arm against the first arm, with intervals and verdicts. */
#include "ab/analysis.h"

#include <math.h>
#include <string.h>

#include "ab/analysis_parts.h"
#include "ab/compare.h"
#include "base/memory.h"
#include "base/text.h"
#include "stats/adjust.h"

#define DEFAULT_ALPHA 0.05
#define MOST_VOID 0.1

static const char *const default_gates[] = { "wall" };

void analysis_destroy(struct analysis *analysis)
{
	if (!analysis)
		return;
	free(analysis->quantities);
	free(analysis->arms);
	free(analysis->conditions);
	free(analysis->comparisons);
	free(analysis->diagnostics);
	free(analysis->causes);
	arena_destroy(analysis->arena);
	free(analysis);
}

struct quantity *analysis_quantity(const struct analysis *analysis, const char *name)
{
	for (size_t i = 0; i < analysis->quantity_count; i++)
		if (strcmp(analysis->quantities[i].name, name) == 0)
			return &analysis->quantities[i];
	return NULL;
}

static struct error *unknown_metric(const struct analysis *analysis, const char *name)
{
	auto_free const char **names = memory_zeroed(analysis->quantity_count, sizeof(*names));
	struct error *err = error_new(ERROR_USAGE, "no metric '%s' in these runs", name);
	const char *near;

	for (size_t i = 0; i < analysis->quantity_count; i++)
		names[i] = analysis->quantities[i].name;
	near = text_nearest(name, names, analysis->quantity_count);
	return near ? error_hint(err, "did you mean '%s'?", near) : err;
}

static struct error *apply_thresholds(struct analysis *analysis, const struct analysis_options *options)
{
	for (size_t i = 0; i < options->threshold_count; i++) {
		const struct threshold *threshold = &options->thresholds[i];
		struct quantity *quantity = analysis_quantity(analysis, threshold->metric);

		if (!quantity)
			return unknown_metric(analysis, threshold->metric);
		if (!(threshold->delta > 0 && threshold->delta < INFINITY))
			return error_new(ERROR_USAGE, "the threshold of '%s' must be above 0, such as 1%%",
					 threshold->metric);
		quantity->threshold = threshold->delta;
	}
	for (size_t i = 0; i < options->higher_count; i++) {
		struct quantity *quantity = analysis_quantity(analysis, options->higher[i]);

		if (!quantity)
			return unknown_metric(analysis, options->higher[i]);
		quantity->higher_is_better = true;
	}
	for (size_t i = 0; i < options->gate_count; i++)
		if (!analysis_quantity(analysis, options->gates[i]))
			return unknown_metric(analysis, options->gates[i]);
	return NULL;
}

struct error *analysis_begin(const struct runs *runs, const struct analysis_options *options, struct analysis **ret)
{
	cleanup(analysis_guard) struct analysis *analysis = memory_zeroed(1, sizeof(*analysis));
	struct error *err;

	analysis->arena = arena_create();
	analysis->quantities = quantity_list(runs, options->derived, options->derived_count,
					     &analysis->quantity_count);
	err = apply_thresholds(analysis, options);
	if (err)
		return err;
	*ret = take(analysis);
	return NULL;
}

bool analysis_is_gate(const struct analysis_options *options, const struct quantity *quantity)
{
	const char *const *gates = options->gate_count ? options->gates : default_gates;
	size_t count = options->gate_count ? options->gate_count : ARRAY_SIZE(default_gates);

	for (size_t i = 0; i < count; i++)
		if (strcmp(gates[i], quantity->name) == 0)
			return true;
	return false;
}

double analysis_alpha(const struct analysis_options *options)
{
	if (options->look_alpha > 0)
		return options->look_alpha;
	return options->alpha > 0 ? options->alpha : DEFAULT_ALPHA;
}

static size_t count_gates(const struct analysis *analysis)
{
	size_t gates = 0;

	for (size_t i = 0; i < analysis->comparison_count; i++)
		gates += analysis->comparisons[i].is_gate;
	return gates;
}

struct compare_rules analysis_rules(const struct analysis *analysis, const struct analysis_options *options,
				    const struct comparison *c)
{
	double alpha = analysis_alpha(options);

	/* Bonferroni over the gates, so that interval and verdict agree. */
	return (struct compare_rules){ c->is_gate ? alpha / count_gates(analysis) : alpha, options->gate_on_mean,
				       options->assume_normal };
}

static bool is_exploratory(const struct comparison *c)
{
	return !c->is_gate && !c->is_control && c->quantity->kind != QUANTITY_DERIVED;
}

void analysis_adjust(struct analysis *analysis)
{
	size_t count = analysis->comparison_count;
	auto_free double *gates = memory_zeroed(count, sizeof(*gates)), *others = memory_zeroed(count, sizeof(*others));

	for (size_t i = 0; i < count; i++) {
		const struct comparison *c = &analysis->comparisons[i];

		gates[i] = c->is_gate ? c->p : NAN;
		others[i] = is_exploratory(c) ? c->p : NAN;
	}
	adjust_holm(gates, count, gates);
	adjust_benjamini_hochberg(others, count, others);
	for (size_t i = 0; i < count; i++) {
		analysis->comparisons[i].p_holm = gates[i];
		analysis->comparisons[i].q = others[i];
	}
}

void analysis_set_exit_status(struct analysis *analysis, const struct analysis_options *options)
{
	auto_free struct gate_outcome *gates = memory_zeroed(analysis->comparison_count, sizeof(*gates));
	struct exit_policy policy = { options->fail_on_any_worse, options->is_bisect,
				      !analysis->is_paired && !options->trust_sessions };
	size_t count = 0, all = analysis->blocks + analysis->void_blocks;

	for (size_t i = 0; i < analysis->comparison_count; i++) {
		const struct comparison *c = &analysis->comparisons[i];

		if (c->is_gate)
			gates[count++] = (struct gate_outcome){ c->verdict, c->not_worse, c->blocks && !c->is_scaled };
	}
	analysis->exit_status = verdict_exit_status(gates, count, &policy);
	if (analysis->void_blocks > MOST_VOID * all)
		analysis->exit_status = options->is_bisect ? EXIT_BISECT_SKIP : EXIT_NOT_MEASURED;
}

bool analysis_is_decided(const struct analysis *analysis)
{
	size_t gates = 0;

	for (size_t i = 0; i < analysis->comparison_count; i++) {
		const struct comparison *c = &analysis->comparisons[i];

		if (c->is_gate && !verdict_is_decisive(c->verdict))
			return false;
		gates += c->is_gate;
	}
	return gates > 0;
}

double analysis_precision(const struct analysis *analysis)
{
	double widest = NAN;

	for (size_t i = 0; i < analysis->comparison_count; i++) {
		const struct comparison *c = &analysis->comparisons[i];
		double width = c->typical.interval.high - c->typical.interval.low;

		if (!c->is_gate)
			continue;
		if (c->mode == PAIRED_DIFFERENCE)
			width /= fabs(c->mean_a);
		if (c->verdict == VERDICT_INSUFFICIENT || isnan(width))
			return INFINITY;
		widest = fmax(widest, width / 2);
	}
	return isnan(widest) ? INFINITY : widest;
}
