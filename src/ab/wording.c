/* Results in words: numbers, ratios and differences with the digits that their interval allows. */
#include "ab/wording.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define MOST_DECIMALS 9

int wording_decimals(const struct interval *interval)
{
	double half = (interval->high - interval->low) / 2, decimals;

	if (half == 0)
		return 4;
	if (!isfinite(half))
		return 3;
	decimals = 1 - floor(log10(half));
	return (int)fmin(MOST_DECIMALS, fmax(0, decimals));
}

struct scaled_unit {
	double from;
	const char *unit;
};

static void append_scaled(struct text *text, double value, const struct scaled_unit *units)
{
	while (units[1].unit && fabs(value) < units->from)
		units++;
	value /= units->from;
	text_format(text, "%.*f %s", fabs(value) >= 100 ? 1 : fabs(value) >= 10 ? 2 : 3, value, units->unit);
}

void wording_value(struct text *text, double value, const char *unit)
{
	static const struct scaled_unit times[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" }, { 0, NULL } };
	static const struct scaled_unit sizes[] = { { 0x1p30, "GiB" }, { 0x1p20, "MiB" }, { 0x1p10, "KiB" },
						    { 1, "bytes" }, { 0, NULL } };

	if (!isfinite(value)) {
		text_append(text, isnan(value) ? "?" : value > 0 ? "inf" : "-inf");
		return;
	}
	if (strcmp(unit, "ns") == 0) {
		append_scaled(text, value, times);
		return;
	}
	if (strcmp(unit, "bytes") == 0) {
		append_scaled(text, value, sizes);
		return;
	}
	/* A share of an operation: three decimals would leave nothing of it. */
	if (strcmp(unit, "msec") == 0 && fabs(value) < 0.1 && value != 0) {
		append_scaled(text, 1e6 * value, times);
		return;
	}
	if (value != 0 && fabs(value) < 0.1)
		text_format(text, "%.3g", value);
	else
		text_append_grouped_double(text, value, fabs(value) >= 1000 ? 0 : fabs(value) >= 10 ? 1 : 3);
	if (*unit) {
		text_append_char(text, ' ');
		text_append_escaped(text, unit);
	}
}

void wording_ratio(struct text *text, double ratio, const struct interval *interval)
{
	if (isnan(ratio))
		text_append(text, "?");
	else
		text_format(text, "%.*fx", wording_decimals(interval), ratio);
}

static void append_interval(struct text *text, const struct interval *interval, double scale, int decimals)
{
	if (isnan(interval->low) || isnan(interval->high))
		return;
	if (isinf(interval->low) || isinf(interval->high))
		text_append(text, " [unbounded]");
	else
		text_format(text, " [%.*f, %.*f]", decimals, scale * interval->low, decimals, scale * interval->high);
}

void wording_ratio_interval(struct text *text, const struct estimate *ratio)
{
	wording_ratio(text, ratio->value, &ratio->interval);
	append_interval(text, &ratio->interval, 1, wording_decimals(&ratio->interval));
}

static int percent_decimals(const struct interval *interval)
{
	int decimals = wording_decimals(interval) - 2;

	return decimals > 0 ? decimals : 0;
}

void wording_percent(struct text *text, double ratio, const struct interval *interval)
{
	double percent = 100 * (ratio - 1);

	if (isnan(percent)) {
		text_append(text, "?");
		return;
	}
	text_format(text, "%+.*f %%", percent_decimals(interval), percent);
}

void wording_percent_column(struct text *text, const struct estimate *ratio)
{
	if (ratio->value < 2 && ratio->value > 0.5)
		wording_percent(text, ratio->value, &ratio->interval);
}

static int difference_decimals(const struct interval *interval)
{
	int decimals = wording_decimals(interval);

	return decimals > 3 ? 3 : decimals;
}

void wording_difference(struct text *text, const struct estimate *difference)
{
	int decimals = difference_decimals(&difference->interval);

	if (isnan(difference->value)) {
		text_append(text, "?");
		return;
	}
	text_format(text, "%+.*f", decimals, difference->value);
	append_interval(text, &difference->interval, 1, decimals);
}

void wording_points(struct text *text, double share_difference)
{
	text_format(text, "%+.2f pp", 100 * share_difference);
}

/* A log effect as a percentage with its interval. */
static void append_effect(struct text *text, const struct cause_part *part)
{
	struct interval ratio = { exp(part->interval.low), exp(part->interval.high), part->interval.level };
	struct interval percent = { 100 * (ratio.low - 1), 100 * (ratio.high - 1), ratio.level };

	wording_percent(text, exp(part->effect), &ratio);
	append_interval(text, &percent, 1, percent_decimals(&ratio));
}

void wording_cause(struct text *text, const struct cause *cause)
{
	const char *joint = " = ";

	if (!cause->blocks)
		return;
	text_format(text, "%s ", cause->total_name);
	append_effect(text, &cause->total);
	for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
		if (!cause->terms[term].is_known)
			continue;
		text_format(text, "%s%s ", joint, cause_term_name(term));
		append_effect(text, &cause->terms[term]);
		joint = "; ";
	}
	for (enum cause_beside beside = 0; beside < CAUSE_BESIDE; beside++) {
		const struct cause_part *part = &cause->beside[beside];
		struct estimate difference = { part->effect, part->interval };

		if (!part->is_known || (part->effect == 0 && part->interval.low == part->interval.high))
			continue;
		text_format(text, "; %s a run ", cause_beside_name(beside));
		wording_difference(text, &difference);
	}
}
