/* Costs of one operation, where a run makes a known number of them. */
#include "output/ab_operation.h"

#include <math.h>
#include <string.h>

#include "ab/wording.h"
#include "output/ab_values.h"

static bool adds_up(const struct quantity *quantity)
{
	return quantity->kind != QUANTITY_PEAK && quantity->kind != QUANTITY_DERIVED;
}

double ab_per_operation(const struct ab_report *report, const struct quantity *quantity, double value)
{
	return report->ops && adds_up(quantity) ? value / (double)report->ops : value;
}

struct estimate ab_typical_per_operation(const struct ab_report *report, const struct comparison *c)
{
	const struct estimate *all = &c->typical;

	if (c->mode != PAIRED_DIFFERENCE)
		return *all;
	return (struct estimate){ ab_per_operation(report, c->quantity, all->value),
				  { ab_per_operation(report, c->quantity, all->interval.low),
				    ab_per_operation(report, c->quantity, all->interval.high), all->interval.level } };
}

/* Of the difference of one operation; counts keep the unit of the event, CPU clocks are told in ns. */
static struct estimate of_operation(const struct ab_report *report, const struct comparison *c, const char **unit)
{
	double scale = 1 / (double)report->ops;

	*unit = c->quantity->unit;
	if (!strcmp(*unit, "msec")) {
		scale *= 1e6;
		*unit = "ns";
	}
	return (struct estimate){ scale * c->absolute.value,
				  { scale * c->absolute.interval.low, scale * c->absolute.interval.high,
				    c->absolute.interval.level } };
}

static void append_one(struct text *out, const struct ab_report *report, const struct comparison *c)
{
	const char *unit;
	struct estimate over = of_operation(report, c, &unit);
	int decimals = wording_decimals(&over.interval);

	text_append_escaped(out, c->quantity->name);
	text_format(out, " %+.*f", decimals, over.value);
	if (*unit)
		text_format(out, " %s", unit);
	text_format(out, " [%+.*f, %+.*f]", decimals, over.interval.low, decimals, over.interval.high);
}

static bool is_told(const struct comparison *c)
{
	return ab_is_shown(c) && adds_up(c->quantity) && isfinite(c->absolute.value) &&
	       isfinite(c->absolute.interval.low) && isfinite(c->absolute.interval.high);
}

void ab_append_over_first(struct text *out, const struct ab_report *report, size_t first, size_t end)
{
	const struct analysis *analysis = report->analysis;
	bool is_begun = false;

	for (size_t i = first; report->ops && i < end; i++) {
		const struct comparison *c = &analysis->comparisons[i];

		if (!is_told(c))
			continue;
		if (is_begun)
			text_append(out, "; ");
		else {
			text_append_escaped(out, analysis->arms[c->arm].name);
			text_append(out, " over ");
			text_append_escaped(out, analysis->arms[0].name);
			text_append(out, ", an operation: ");
		}
		append_one(out, report, c);
		is_begun = true;
	}
}
