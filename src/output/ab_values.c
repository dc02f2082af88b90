/* Cells and sentences of an A/B report. */
#include "output/ab_values.h"

#include <math.h>
#include <string.h>

#include "ab/wording.h"
#include "base/memory.h"

/* Three decimals keep the columns narrow, but say nothing of a hundredth of a count for one operation. */
#define TINY 0.1
enum { DECIMALS = 3, MOST_DECIMALS = 6 };

void ab_append_value(struct text *out, const struct quantity *quantity, double value)
{
	bool is_plain = strcmp(quantity->unit, "ns") && strcmp(quantity->unit, "bytes");

	/* Sixteen digits would widen every column, and not all be known. */
	if (isfinite(value) && is_plain && fabs(value) >= 1e12)
		text_format(out, "%.6g%s%s", value, *quantity->unit ? " " : "", quantity->unit);
	else if (isfinite(value))
		wording_value(out, value, quantity->unit);
	else
		text_append_char(out, '-');
}

/* Times and sizes of a difference in the unit that suits the larger end of the interval. */
static double difference_scale(const struct comparison *comparison, const struct estimate *estimate,
			       const char **unit)
{
	static const struct {
		const char *base, *name;
		double size;
	} scales[] = { { "ns", "s", 1e9 },	    { "ns", "ms", 1e6 },       { "ns", "us", 1e3 },
		       { "msec", "msec", 1 },	    { "msec", "us", 1e-3 },    { "msec", "ns", 1e-6 },
		       { "bytes", "GiB", 1 << 30 }, { "bytes", "MiB", 1 << 20 }, { "bytes", "KiB", 1 << 10 } };
	double most = fmax(fabs(estimate->value), fmax(fabs(estimate->interval.low), fabs(estimate->interval.high)));

	*unit = comparison->quantity->unit ? comparison->quantity->unit : "";
	for (size_t i = 0; i < ARRAY_SIZE(scales); i++)
		if (!strcmp(scales[i].base, *unit) && most >= scales[i].size) {
			*unit = scales[i].name;
			return scales[i].size;
		}
	return 1;
}

static void append_difference(struct text *out, const struct comparison *comparison, const struct estimate *estimate)
{
	const char *unit;
	double scale = difference_scale(comparison, estimate, &unit);
	struct interval scaled = { estimate->interval.low / scale, estimate->interval.high / scale, 0 };
	bool is_tiny = fmax(fabs(scaled.low), fabs(scaled.high)) < TINY && estimate->value != 0;
	int decimals = (int)fmin(wording_decimals(&scaled), is_tiny ? MOST_DECIMALS : DECIMALS);

	text_format(out, "%+.*f", decimals, estimate->value / scale);
	if (*unit)
		text_format(out, " %s", unit);
	if (isfinite(scaled.low) && isfinite(scaled.high))
		text_format(out, " [%+.*f, %+.*f]", decimals, scaled.low, decimals, scaled.high);
}

void ab_append_effect(struct text *out, const struct comparison *comparison, const struct estimate *estimate)
{
	if (!isfinite(estimate->value))
		text_append_char(out, '-');
	else if (comparison->mode == PAIRED_LOG_RATIO)
		wording_ratio_interval(out, estimate);
	else
		append_difference(out, comparison, estimate);
}

void ab_append_percent(struct text *out, const struct comparison *comparison, const struct estimate *estimate)
{
	if (comparison->mode == PAIRED_LOG_RATIO && isfinite(estimate->value))
		wording_percent_column(out, estimate);
}

void ab_append_explored(struct text *out, const struct comparison *comparison)
{
	static const char *const settled[] = {
		[VERDICT_REGRESSED] = "worse", [VERDICT_WORSE] = "worse", [VERDICT_IMPROVED] = "better",
		[VERDICT_BETTER] = "better", [VERDICT_INCONCLUSIVE] = NULL,
	};
	bool known = comparison->is_gate || comparison->q < 0.05;

	if (comparison->verdict == VERDICT_EQUIVALENT)
		text_append(out, "same");
	else if (comparison->verdict == VERDICT_INSUFFICIENT)
		text_append(out, "too few");
	else
		text_append(out, known && settled[comparison->verdict] ? settled[comparison->verdict] : "-");
}

void ab_append_verdict(struct text *out, const struct comparison *comparison)
{
	if (comparison->is_scaled)
		text_append(out, "scaled ");
	if (comparison->is_gate)
		wording_verdict(out, comparison);
	else
		ab_append_explored(out, comparison);
}

void ab_append_sentence(struct text *out, const struct analysis *analysis, const struct comparison *comparison)
{
	const struct estimate *typical = &comparison->typical;
	int decimals = wording_decimals(&typical->interval);

	wording_sentence(out, analysis, comparison);
	if (comparison->mode == PAIRED_LOG_RATIO && isfinite(typical->interval.low) && isfinite(typical->interval.high))
		text_format(out, ", between %.*fx and %.*fx at %.4g %%", decimals, typical->interval.low, decimals,
			    typical->interval.high, 100 * typical->interval.level);
	text_format(out, ". %s: ", verdict_name(comparison->verdict));
	wording_meaning(out, comparison);
	if (!analysis->is_paired)
		text_append(out, ", if nothing else changed between the sessions");
	text_append_char(out, '.');
}

size_t ab_group_end(const struct analysis *analysis, size_t first)
{
	const struct comparison *head = &analysis->comparisons[first];
	size_t end = first;

	while (end < analysis->comparison_count && analysis->comparisons[end].arm == head->arm &&
	       analysis->comparisons[end].condition == head->condition)
		end++;
	return end;
}

void ab_append_count(struct text *out, size_t count, const char *noun)
{
	text_format(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

bool ab_is_shown(const struct comparison *comparison)
{
	bool all_zero = comparison->mean_a == 0 && comparison->mean_b == 0;

	return comparison->is_gate || (comparison->runs_a && comparison->runs_b && !all_zero);
}
