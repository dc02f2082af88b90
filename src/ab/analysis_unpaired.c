/* Runs of separate sessions: drift between them cannot be told from the change. */
#include <math.h>
#include <string.h>

#include "ab/analysis_parts.h"
#include "base/memory.h"

/* The finite values of one quantity in one arm; *count of them, 0 when the file does not have it. */
static double *sample_values(const struct analysis_sample *sample, const struct quantity *wanted, size_t *count,
			     bool *scaled)
{
	double *values = memory_zeroed(sample->runs->count, sizeof(*values));
	struct quantity quantity;

	*count = 0;
	if (!quantity_in(wanted, sample->runs, &quantity))
		return values;
	for (size_t i = 0; i < sample->runs->count; i++) {
		const struct run *run = &sample->runs->items[i];
		double value = run->arm == sample->arm ? quantity_value(&quantity, sample->runs, run) : NAN;

		if (!isfinite(value))
			continue;
		values[(*count)++] = value;
		*scaled |= quantity_is_scaled(&quantity, run);
	}
	return values;
}

static void compare_one(struct comparison *c, const struct analysis_sample *samples, const struct compare_rules *rules)
{
	struct two_samples sides;
	auto_free double *a = sample_values(&samples[0], c->quantity, &sides.a_count, &c->is_scaled);
	auto_free double *b = sample_values(&samples[c->arm], c->quantity, &sides.b_count, &c->is_scaled);

	sides.a = a;
	sides.b = b;
	compare_samples(c, &sides, rules);
}

static void list_samples(struct analysis *analysis, const struct analysis_sample *samples, size_t count,
			 const struct analysis_options *options)
{
	analysis->arm_count = count;
	analysis->arms = memory_zeroed(count, sizeof(*analysis->arms));
	analysis->comparisons = memory_zeroed((count - 1) * analysis->quantity_count, sizeof(*analysis->comparisons));
	for (size_t arm = 0; arm < count; arm++) {
		const struct runs *runs = samples[arm].runs;

		analysis->arms[arm].name = samples[arm].name;
		for (size_t i = 0; i < runs->count; i++) {
			bool own = runs->items[i].arm == samples[arm].arm;

			analysis->arms[arm].void_runs += own && runs->items[i].is_void;
			analysis->void_blocks += own && runs->items[i].is_void;
			analysis->blocks += own && !runs->items[i].is_void;
		}
		for (size_t i = 0; arm && i < analysis->quantity_count; i++) {
			struct comparison *c = &analysis->comparisons[analysis->comparison_count++];

			c->quantity = &analysis->quantities[i];
			c->arm = arm;
			c->is_gate = analysis_is_gate(options, c->quantity);
		}
	}
}

/* Events of which no other file has one: the files are of different measurements. */
static bool shares_events(const struct analysis *analysis, const struct analysis_sample *samples, size_t count)
{
	struct quantity ignored;
	bool any = false;

	for (size_t i = 0; i < analysis->quantity_count; i++) {
		if (analysis->quantities[i].kind != QUANTITY_EVENT)
			continue;
		any = true;
		for (size_t other = 1; other < count; other++)
			if (quantity_in(&analysis->quantities[i], samples[other].runs, &ignored))
				return true;
	}
	return !any;
}

struct error *analysis_create_unpaired(const struct analysis_sample *samples, size_t count,
				       const struct analysis_options *options, struct analysis **ret)
{
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	struct error *err;

	if (count < 2)
		return error_new(ERROR_USAGE, "one set of runs cannot be compared: give at least two");
	err = analysis_begin(samples[0].runs, options, &analysis);
	if (err)
		return err;
	if (!shares_events(analysis, samples, count))
		return error_new(ERROR_USAGE, "%s and %s have no event in common", samples[0].name, samples[1].name);
	list_samples(analysis, samples, count, options);
	for (size_t i = 0; i < analysis->comparison_count; i++) {
		struct compare_rules rules = analysis_rules(analysis, options, &analysis->comparisons[i]);

		compare_one(&analysis->comparisons[i], samples, &rules);
	}
	analysis->conditions = memory_zeroed(1, sizeof(*analysis->conditions));
	analysis->condition_count = 1;
	analysis_adjust(analysis);
	analysis_set_exit_status(analysis, options);
	analysis_diagnose(analysis, NULL);
	*ret = take(analysis);
	return NULL;
}
