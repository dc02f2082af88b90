/* What looks wrong with the values of one metric in the order in which they were measured. */
#include "ab/diagnostics.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "stats/bimodal.h"
#include "stats/descriptive.h"
#include "stats/dip.h"
#include "stats/drift.h"
#include "stats/outliers.h"
#include "stats/random.h"
#include "stats/t_test.h"

#define SIGNIFICANT 0.01
#define SPREAD_RATIO 2
#define FEW_DISTINCT 10
#define DIP_DRAWS 500
#define LEAST_FOR_MODES 20
#define MOST_FOR_MODES 2000 /* runs an arm; the simulated null would take too long */

static const char *const names[] = {
	[DIAGNOSTIC_OUTLIERS] = "outliers",           [DIAGNOSTIC_DRIFT] = "drift",
	[DIAGNOSTIC_AUTOCORRELATION] = "autocorrelation", [DIAGNOSTIC_ORDER] = "order",
	[DIAGNOSTIC_CARRY_OVER] = "carry-over",       [DIAGNOSTIC_TWO_MODES] = "two-modes",
	[DIAGNOSTIC_SPREAD] = "spread",               [DIAGNOSTIC_MEANS_DISAGREE] = "means-disagree",
	[DIAGNOSTIC_COARSE] = "coarse",               [DIAGNOSTIC_SCALED] = "scaled",
	[DIAGNOSTIC_NOT_COUNTED] = "not-counted",     [DIAGNOSTIC_OUTPUT_DIFFERS] = "output-differs",
	[DIAGNOSTIC_VOID] = "void",                   [DIAGNOSTIC_FLAGGED] = "flagged",
	[DIAGNOSTIC_ONE_BUILD] = "one-build",         [DIAGNOSTIC_SAME_PROGRAM] = "same-program",
	[DIAGNOSTIC_SESSIONS] = "sessions",           [DIAGNOSTIC_CONTROL_FAILED] = "control-failed",
	[DIAGNOSTIC_CONDITIONS] = "conditions",       [DIAGNOSTIC_REPEATED] = "repeated",
	[DIAGNOSTIC_MACHINES] = "machines",
};

const char *diagnostic_name(enum diagnostic_kind kind)
{
	return names[kind];
}

void diagnostics_add(struct diagnostic_list *list, const struct diagnostic *about, const char *format, ...)
{
	auto_free char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = memory_strdup("");
	va_end(args);
	array_grow(&list->items, list->count, &list->capacity);
	list->items[list->count] = *about;
	list->items[list->count++].text = arena_strdup(list->arena, text);
}

/* The values of one arm on the scale on which they are compared; the caller frees. */
static double *arm_values(const struct series *s, unsigned char arm, size_t *count)
{
	double *values = memory_zeroed(s->count, sizeof(*values));

	*count = 0;
	for (size_t i = 0; i < s->count; i++)
		if (s->arm[i] == arm)
			values[(*count)++] = s->is_log ? log(s->values[i]) : s->values[i];
	return values;
}

static void name_flags(uint32_t flags, struct text *text)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} known[] = {
		{ RUN_STEAL, "steal" },         { RUN_THROTTLED, "throttled" },
		{ RUN_FOREIGN_LOAD, "foreign load" }, { RUN_MAJOR_FAULT, "major fault" },
		{ RUN_MIGRATED, "migrated" },   { RUN_LEFT_CHILDREN, "left children" },
		{ RUN_CHANGED_BINARY, "binary changed" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (flags & known[i].flag)
			text_format(text, " %s", known[i].name);
}

static void list_outliers(const struct series *s, unsigned char arm, const bool *flags, struct text *text)
{
	size_t place = 0, shown = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->arm[i] != arm)
			continue;
		if (!flags[place++])
			continue;
		if (++shown > 5) {
			text_append(text, ", ...");
			return;
		}
		text_format(text, "%s block %u", shown > 1 ? "," : "", (unsigned)s->runs[i]->block);
		if (s->runs[i]->flags)
			name_flags(s->runs[i]->flags, text);
	}
}

static void check_outliers(const struct series *s, unsigned char arm, struct diagnostic_list *list)
{
	size_t count, found, severe;
	auto_free double *values = arm_values(s, arm, &count);
	auto_free bool *flags = memory_zeroed(count, sizeof(*flags));
	auto_text struct text where = { 0 }, name = { 0 };

	found = outliers_modified_z(values, count, flags);
	severe = outliers_severe(values, count, NULL);
	if (!found || count < 5)
		return;
	list_outliers(s, arm, flags, &where);
	text_append_escaped(&name, s->arm_names[arm]);
	diagnostics_add(list,
			&(struct diagnostic){ DIAGNOSTIC_OUTLIERS, severe > 0, s->quantity->name, NULL, (double)found, NAN },
			"%zu of %zu runs of %s lie far from the others (%zu severe):%s; kept", found, count, name.bytes,
			severe, where.bytes);
}

/* Values less the mean of their arm. */
static double *centred(const struct series *s)
{
	double *values = memory_zeroed(s->count, sizeof(*values));

	for (unsigned char arm = 0; arm < 2; arm++) {
		size_t count;
		auto_free double *own = arm_values(s, arm, &count);
		double mean = descriptive_mean(own, count);

		for (size_t i = 0, place = 0; i < s->count; i++)
			if (s->arm[i] == arm)
				values[i] = own[place++] - mean;
	}
	return values;
}

static void check_drift(const struct series *s, struct diagnostic_list *list)
{
	auto_free double *values = centred(s), *time = memory_zeroed(s->count, sizeof(*time));
	struct kendall kendall;
	double moved, lag;

	for (size_t i = 0; i < s->count; i++)
		time[i] = (double)i;
	kendall = drift_kendall(time, values, s->count);
	moved = drift_theil_sen(time, values, s->count) * (s->count - 1.0);
	lag = drift_lag1(values, s->count);
	if (s->is_log)
		moved = expm1(moved);
	if (kendall.p < SIGNIFICANT && s->is_log && fabs(moved) > s->quantity->threshold)
		diagnostics_add(list, &(struct diagnostic){ DIAGNOSTIC_DRIFT, !s->is_paired, s->quantity->name, NULL,
							    moved, kendall.p },
				"the machine drifted %+.1f %% during the session%s", 100 * moved,
				s->is_paired ? "; blocking removed it" : "");
	if (s->count >= 10 && fabs(lag) > 2.6 / sqrt(s->count))
		diagnostics_add(list, &(struct diagnostic){ DIAGNOSTIC_AUTOCORRELATION, false, s->quantity->name, NULL,
							    lag, NAN },
				"neighbouring runs are alike (lag-1 %.2f, von Neumann %.2f); blocks absorb it", lag,
				drift_von_neumann(values, s->count));
}

/* Differences of blocks in two groups, by who ran first or by who ran before. */
struct split_differences {
	double *values[2];
	size_t count[2];
};

static double split_p(const struct split_differences *split, double *difference)
{
	struct t_test test = t_test_welch(&(struct two_samples){ split->values[0], split->values[1], split->count[0],
								 split->count[1] });

	*difference = test.difference;
	return split->count[0] >= 3 && split->count[1] >= 3 ? test.p : NAN;
}

static double difference_of(const struct series *s, size_t one, size_t other)
{
	size_t a = s->arm[one] ? other : one, b = s->arm[one] ? one : other;

	return s->is_log ? log(s->values[b] / s->values[a]) : s->values[b] - s->values[a];
}

/* Runs i and i + 1 are one block's; by_previous: grouped by the arm that ran last before it. */
static void split_blocks(const struct series *s, bool by_previous, struct split_differences *split)
{
	for (size_t i = 0; i + 1 < s->count; i++) {
		unsigned char group;

		if (s->runs[i]->block != s->runs[i + 1]->block || s->arm[i] == s->arm[i + 1])
			continue;
		if (by_previous && i == 0)
			continue;
		group = by_previous ? s->arm[i - 1] : s->arm[i];
		split->values[group][split->count[group]++] = difference_of(s, i, i + 1);
	}
}

static void check_order(const struct series *s, struct diagnostic_list *list)
{
	auto_free double *values = memory_zeroed(4 * s->count, sizeof(*values));
	struct split_differences order = { { values, values + s->count }, { 0, 0 } };
	struct split_differences previous = { { values + 2 * s->count, values + 3 * s->count }, { 0, 0 } };
	double difference, p;

	split_blocks(s, false, &order);
	p = split_p(&order, &difference);
	/* With A first, B comes second: half the difference between the orders is the cost of being second. */
	if (p < SIGNIFICANT)
		diagnostics_add(list, &(struct diagnostic){ DIAGNOSTIC_ORDER, false, s->quantity->name, NULL,
							    -difference / 2, p },
				"the second run of a block differs by %+.*f%s; the random order cancels it",
				s->is_log ? 1 : 0, s->is_log ? -100 * expm1(difference / 2) : -difference / 2,
				s->is_log ? " %" : "");
	split_blocks(s, true, &previous);
	p = split_p(&previous, &difference);
	if (p < SIGNIFICANT)
		diagnostics_add(list, &(struct diagnostic){ DIAGNOSTIC_CARRY_OVER, true, s->quantity->name, NULL,
							    difference, p },
				"a run changes the next: B/A depends on which arm ran before the block");
}

static size_t distinct_count(const double *values, size_t count, double *smallest_step)
{
	auto_free double *sorted = descriptive_sorted(values, count);
	size_t distinct = count > 0;

	*smallest_step = INFINITY;
	for (size_t i = 1; i < count; i++)
		if (sorted[i] > sorted[i - 1]) {
			distinct++;
			*smallest_step = fmin(*smallest_step, sorted[i] - sorted[i - 1]);
		}
	return distinct;
}

static void check_coarse(const struct series *s, struct diagnostic_list *list, bool *is_coarse)
{
	double step;
	size_t distinct = distinct_count(s->values, s->count, &step);

	*is_coarse = s->count >= FEW_DISTINCT && distinct < FEW_DISTINCT;
	if (*is_coarse && distinct > 1 && step > s->quantity->threshold / 4 * fabs(descriptive_median(s->values, s->count)))
		diagnostics_add(list, &(struct diagnostic){ DIAGNOSTIC_COARSE, false, s->quantity->name, NULL,
							    (double)distinct, NAN },
				"only %zu different values: the metric moves in steps of %.4g", distinct, step);
}

static void check_modes(const struct series *s, struct diagnostic_list *list)
{
	struct random random;
	struct bimodal modes[2];
	bool found = false;

	for (unsigned char arm = 0; arm < 2; arm++) {
		size_t count;
		auto_free double *values = arm_values(s, arm, &count);

		if (count < LEAST_FOR_MODES || count > MOST_FOR_MODES)
			return;
		random_seed(&random, count); /* the same runs, the same answer */
		modes[arm] = bimodal_find(values, count);
		found |= modes[arm].found &&
			 dip_p(dip_statistic(values, count), count, DIP_DRAWS, &random) < SIGNIFICANT;
	}
	if (!found || !s->is_log)
		return;
	diagnostics_add(list, &(struct diagnostic){ DIAGNOSTIC_TWO_MODES, true, s->quantity->name, NULL,
						    exp(modes[0].high_centre - modes[0].low_centre), NAN },
			"two modes: A has %.0f %% of its runs in the upper one (%.2fx), B %.0f %% (%.2fx)",
			100 * (1 - modes[0].low_share), exp(modes[0].high_centre - modes[0].low_centre),
			100 * (1 - modes[1].low_share), exp(modes[1].high_centre - modes[1].low_centre));
}

static void check_spread(const struct series *s, struct diagnostic_list *list)
{
	size_t count_a, count_b;
	auto_free double *a = arm_values(s, 0, &count_a), *b = arm_values(s, 1, &count_b);
	double ratio = descriptive_mad(b, count_b) / descriptive_mad(a, count_a);

	if (count_a < 10 || count_b < 10 || !isfinite(ratio) || ratio <= 0)
		return;
	if (ratio > SPREAD_RATIO || ratio < 1.0 / SPREAD_RATIO)
		diagnostics_add(list, &(struct diagnostic){ DIAGNOSTIC_SPREAD, false, s->quantity->name, NULL, ratio, NAN },
				"B spreads %.1fx as wide as A (median absolute deviation)", ratio);
}

void diagnostics_of_series(const struct series *s, struct diagnostic_list *list)
{
	bool is_coarse;

	if (s->count < 2)
		return;
	check_coarse(s, list, &is_coarse);
	check_outliers(s, 0, list);
	check_outliers(s, 1, list);
	check_drift(s, list);
	check_spread(s, list);
	if (!is_coarse)
		check_modes(s, list);
	if (s->is_paired)
		check_order(s, list);
}
