/* The report of `ab` as JSON: every figure of the analysis. The runs themselves are in the runs file. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>

#include "output/ab_machines.h"
#include "output/ab_report.h"
#include "base/text.h"

static void set_number(json_t *object, const char *name, double value)
{
	json_object_set_new(object, name, isfinite(value) ? json_real(value) : json_null());
}

static void set_text(json_t *object, const char *name, const char *text)
{
	json_t *value = text ? json_string(text) : json_null();

	json_object_set_new(object, name, value ? value : json_null());
}

static json_t *interval_json(const struct interval *interval)
{
	json_t *object = json_object();

	set_number(object, "low", interval->low);
	set_number(object, "high", interval->high);
	set_number(object, "level", interval->level);
	return object;
}

static json_t *estimate_json(const struct estimate *estimate)
{
	json_t *object = interval_json(&estimate->interval);

	set_number(object, "value", estimate->value);
	return object;
}

static void set_tests(json_t *object, const struct comparison *c)
{
	set_number(object, "alpha", c->alpha);
	set_number(object, "p", c->p);
	set_number(object, c->is_gate ? "p_holm" : "q", c->is_gate ? c->p_holm : c->q);
	set_number(object, "p_equivalent", c->p_equivalent);
	set_number(object, "blocks_needed", c->blocks_needed);
	set_number(object, "smallest_change", c->smallest_change);
	set_text(object, "verdict", verdict_name(c->verdict));
	json_object_set_new(object, "not_worse", json_boolean(c->not_worse));
	json_object_set_new(object, "scaled", json_boolean(c->is_scaled));
	json_object_set_new(object, "flagged_blocks", json_integer((json_int_t)c->flagged_blocks));
	if (c->flagged_blocks)
		json_object_set_new(object, "without_flagged", estimate_json(&c->unflagged));
	if (c->layouts > 1) {
		json_object_set_new(object, "layouts", json_integer((json_int_t)c->layouts));
		set_number(object, "layout_share_a", c->layout_a.group_share);
		set_number(object, "layout_share_b", c->layout_b.group_share);
		set_number(object, "run_p_not_valid", c->run_p);
	}
}

static json_t *comparison_json(const struct analysis *analysis, const struct comparison *c)
{
	json_t *object = json_object();

	set_text(object, "metric", c->quantity->name);
	set_text(object, "unit", c->quantity->unit);
	set_text(object, "arm", analysis->arms[c->arm].name);
	set_text(object, "condition", c->condition);
	set_text(object, "family", c->is_gate ? "gate" : "exploratory");
	json_object_set_new(object, "higher_is_better", json_boolean(c->quantity->higher_is_better));
	json_object_set_new(object, "control", json_boolean(c->is_control));
	set_text(object, "mode", c->mode == PAIRED_LOG_RATIO ? "ratio" : "difference");
	json_object_set_new(object, "paired", json_boolean(c->is_paired));
	json_object_set_new(object, "blocks", json_integer((json_int_t)c->blocks));
	set_number(object, "threshold", c->quantity->threshold);
	set_number(object, "mean_a", c->mean_a);
	set_number(object, "mean_b", c->mean_b);
	set_number(object, "median_a", c->median_a);
	set_number(object, "median_b", c->median_b);
	json_object_set_new(object, "typical", estimate_json(&c->typical));
	json_object_set_new(object, "typical_one_sided", interval_json(&c->narrow));
	json_object_set_new(object, "mean", estimate_json(&c->mean));
	json_object_set_new(object, "absolute", estimate_json(&c->absolute));
	json_object_set_new(object, "means_disagree", json_boolean(c->means_disagree));
	set_tests(object, c);
	if (c->machines)
		json_object_set_new(object, "machines", ab_machine_effects_json(analysis, c));
	return object;
}

static json_t *diagnostic_json(const struct diagnostic *diagnostic)
{
	json_t *object = json_object();

	set_text(object, "kind", diagnostic_name(diagnostic->kind));
	set_text(object, "level", diagnostic->is_warning ? "warning" : "note");
	set_text(object, "metric", diagnostic->metric);
	set_text(object, "text", diagnostic->text);
	set_number(object, "value", diagnostic->value);
	set_number(object, "p", diagnostic->p);
	return object;
}

static json_t *part_json(const char *name, const struct cause_part *part)
{
	json_t *object = interval_json(&part->interval);

	set_text(object, "name", name);
	set_number(object, "effect", part->effect);
	return object;
}

static json_t *cause_json(const struct analysis *analysis, const struct cause *cause)
{
	json_t *object = json_object(), *terms = json_array(), *beside = json_array();

	set_text(object, "arm", analysis->arms[cause->arm].name);
	set_text(object, "condition", cause->condition);
	json_object_set_new(object, "total", part_json(cause->total_name, &cause->total));
	for (int i = 0; i < CAUSE_TERMS; i++)
		if (cause->terms[i].is_known)
			json_array_append_new(terms, part_json(cause_term_name((enum cause_term)i), &cause->terms[i]));
	for (int i = 0; i < CAUSE_BESIDE; i++)
		if (cause->beside[i].is_known)
			json_array_append_new(beside,
					      part_json(cause_beside_name((enum cause_beside)i), &cause->beside[i]));
	json_object_set_new(object, "terms_log_ratio", terms);
	json_object_set_new(object, "beside_a_run", beside);
	return object;
}

static json_t *head_json(const struct ab_report *report)
{
	const struct analysis *analysis = report->analysis;
	json_t *object = json_object(), *arms = json_array();
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, analysis->machines ? analysis->machines->seed : report->files[0]->seed);
	json_object_set_new(object, "perfmini_ab", json_integer(1));
	set_text(object, "seed", seed);
	set_text(object, "host", report->files[0]->host);
	set_text(object, "kernel", report->files[0]->kernel);
	set_text(object, "cpu_model", report->files[0]->cpu_model);
	set_text(object, "repeat", report->repeat);
	json_object_set_new(object, "blocks", json_integer((json_int_t)analysis->blocks));
	json_object_set_new(object, "void_blocks", json_integer((json_int_t)analysis->void_blocks));
	json_object_set_new(object, "paired", json_boolean(analysis->is_paired));
	json_object_set_new(object, "exit_status", json_integer(analysis->exit_status));
	for (size_t i = 0; i < analysis->arm_count; i++)
		json_array_append_new(arms, json_string(analysis->arms[i].name));
	json_object_set_new(object, "arms", arms);
	if (analysis->machines)
		json_object_set_new(object, "machines", ab_machines_json(analysis->machines));
	return object;
}

void ab_json_write(const struct ab_report *report, FILE *out)
{
	const struct analysis *analysis = report->analysis;
	json_t *object = head_json(report);
	json_t *comparisons = json_array(), *diagnostics = json_array(), *causes = json_array(),
	       *functions = json_array();

	for (size_t i = 0; i < analysis->comparison_count; i++)
		json_array_append_new(comparisons, comparison_json(analysis, &analysis->comparisons[i]));
	for (size_t i = 0; i < analysis->diagnostic_count; i++)
		json_array_append_new(diagnostics, diagnostic_json(&analysis->diagnostics[i]));
	for (size_t i = 0; i < analysis->cause_count; i++)
		if (analysis->causes[i].blocks)
			json_array_append_new(causes, cause_json(analysis, &analysis->causes[i]));
	json_object_set_new(object, "comparisons", comparisons);
	json_object_set_new(object, "diagnostics", diagnostics);
	json_object_set_new(object, "causes", causes);
	for (size_t i = 0; i < report->symbol_count; i++)
		json_array_append_new(functions, ab_symbols_json(analysis, &report->symbols[i]));
	if (report->symbol_count)
		json_object_set(object, "functions", functions);
	json_decref(functions);
	json_dumpf(object, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
	json_decref(object);
	fputc('\n', out);
}
