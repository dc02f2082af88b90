/* Results in words: what a comparison says. */
#include <math.h>
#include <string.h>

#include "ab/wording.h"
#include "base/memory.h"

/* "takes 1.03x the time of A": verb and noun by what was counted. */
struct phrase {
	const char *verb, *noun;
};

static struct phrase phrase_of(const struct quantity *q)
{
	if (q->higher_is_better)
		return (struct phrase){ "has", "rate" };
	switch (q->kind) {
	case QUANTITY_WALL:
		return (struct phrase){ "takes", "time" };
	case QUANTITY_USER:
		return (struct phrase){ "takes", "user time" };
	case QUANTITY_SYS:
		return (struct phrase){ "takes", "system time" };
	case QUANTITY_PEAK:
		return (struct phrase){ "uses", "peak memory" };
	case QUANTITY_DERIVED:
		return (struct phrase){ "has", NULL };
	default:
		return (struct phrase){ "uses", NULL };
	}
}

static void append_noun(struct text *text, const struct quantity *q)
{
	const char *noun = phrase_of(q).noun;

	if (noun)
		text_append(text, noun);
	else
		text_append_escaped(text, q->name);
}

static void append_difference_sentence(struct text *text, const struct comparison *c, const char *first)
{
	struct estimate d = c->typical;

	if (d.value == 0 && d.interval.low == 0 && d.interval.high == 0) {
		text_append(text, "as many ");
		text_append_escaped(text, c->quantity->name);
		text_append(text, " a run as ");
	} else {
		wording_difference(text, &d);
		text_append_char(text, ' ');
		text_append_escaped(text, c->quantity->name);
		text_append(text, " a run against ");
	}
	text_append_escaped(text, first);
}

void wording_sentence(struct text *text, const struct analysis *analysis, const struct comparison *c)
{
	const char *first = analysis->arms[0].name;

	text_append_escaped(text, analysis->arms[c->arm].name);
	if (isnan(c->typical.value)) {
		text_append(text, ": ");
		text_append_escaped(text, c->quantity->name);
		text_append(text, " was not measured");
		return;
	}
	if (c->mode == PAIRED_DIFFERENCE) {
		text_append(text, " has ");
		append_difference_sentence(text, c, first);
		return;
	}
	text_format(text, " %s ", phrase_of(c->quantity).verb);
	wording_ratio(text, c->typical.value, &c->typical.interval);
	text_append(text, " the ");
	append_noun(text, c->quantity);
	text_append(text, " of ");
	text_append_escaped(text, first);
	text_append(text, " (");
	wording_percent(text, c->typical.value, &c->typical.interval);
	text_append_char(text, ')');
}

static void append_threshold(struct text *text, const struct comparison *c)
{
	text_format(text, "%.6g %%", 100 * c->quantity->threshold);
}

void wording_verdict(struct text *text, const struct comparison *c)
{
	text_append(text, verdict_name(c->verdict));
	switch (c->verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_IMPROVED:
		text_append(text, " (>");
		append_threshold(text, c);
		text_append_char(text, ')');
		break;
	case VERDICT_EQUIVALENT:
		text_append(text, " (within ");
		append_threshold(text, c);
		text_append_char(text, ')');
		break;
	case VERDICT_NOT_WORSE:
		text_append(text, " than ");
		append_threshold(text, c);
		break;
	default:
		break;
	}
}

/* The end of the interval that is nearest to no change, as "1.8 %" or counts. */
static void append_least(struct text *text, const struct comparison *c)
{
	const struct interval *i = &c->typical.interval;
	double neutral = c->mode == PAIRED_LOG_RATIO ? 1 : 0;
	double near = i->low > neutral ? i->low : i->high;
	int decimals = wording_decimals(i);

	if (c->mode == PAIRED_LOG_RATIO)
		text_format(text, "%.*f %%", decimals > 2 ? decimals - 2 : 0, fabs(100 * (near - 1)));
	else
		text_format(text, "%.*f a run", decimals > 3 ? 3 : decimals, fabs(near));
}

enum { MOST_MACHINES = 1000 }; /* more help nobody who asks how many to take */

/* What is one independent observation. */
static const char *unit_noun(const struct comparison *c)
{
	if (c->machines)
		return "machines";
	if (c->layouts > 1)
		return "builds an arm";
	return c->is_paired ? "blocks" : "runs an arm";
}

static void append_needed(struct text *text, const struct comparison *c)
{
	if (isfinite(c->blocks_needed) && (!c->machines || c->blocks_needed <= MOST_MACHINES))
		text_format(text, "; about %.0f %s would tell", c->blocks_needed, unit_noun(c));
}

static void append_smallest(struct text *text, const struct comparison *c)
{
	if (!isfinite(c->smallest_change) || c->is_detectable)
		return;
	if (c->mode == PAIRED_LOG_RATIO)
		text_format(text, "; smallest change these runs could have found: %.2g %%", 100 * c->smallest_change);
	else
		text_format(text, "; smallest change these runs could have found: %.2g a run", c->smallest_change);
}

static void append_insufficient(struct text *text, const struct comparison *c)
{
	if (!c->blocks) {
		text_append(text, "not measured");
		return;
	}
	if (c->machines || c->layouts > 1) {
		size_t count = c->machines ? c->machines->fit.count : c->layouts;

		text_format(text, "%zu %s: at least %zu are needed", count,
			    c->machines && count == 1 ? "machine" : unit_noun(c), c->minimum);
		return;
	}
	text_format(text, "n=%zu: exact interval has %.4g %% confidence, %zu %s are needed", c->blocks,
		    100 * c->typical.interval.level, c->minimum, unit_noun(c));
}

void wording_meaning(struct text *text, const struct comparison *c)
{
	switch (c->verdict) {
	case VERDICT_INSUFFICIENT:
		append_insufficient(text, c);
		return;
	case VERDICT_REGRESSED:
	case VERDICT_IMPROVED:
		text_append(text, c->verdict == VERDICT_REGRESSED ? "worse by at least " : "better by at least ");
		append_least(text, c);
		return;
	case VERDICT_EQUIVALENT:
		if (c->is_identical) {
			text_append(text, "identical in every run");
			return;
		}
		text_append(text, "no change larger than ");
		append_threshold(text, c);
		text_append(text, c->is_detectable ? " (detectable: yes)" : "");
		break;
	case VERDICT_WORSE:
	case VERDICT_BETTER:
		text_append(text, c->verdict == VERDICT_WORSE ? "worse, size unresolved" : "better, size unresolved");
		break;
	case VERDICT_NOT_WORSE:
		text_append(text, "not worse than ");
		append_threshold(text, c);
		text_append(text, ", may be better");
		break;
	case VERDICT_INCONCLUSIVE:
		text_append(text, "neither a change nor its absence is shown");
		break;
	}
	append_needed(text, c);
	append_smallest(text, c);
}

void wording_line(struct text *text, const struct analysis *analysis, const struct comparison *c)
{
	text_append_escaped(text, c->quantity->name);
	text_append(text, "  ");
	text_append_escaped(text, analysis->arms[0].name);
	text_append_char(text, ' ');
	wording_value(text, c->median_a, c->quantity->unit);
	text_append(text, "  ");
	text_append_escaped(text, analysis->arms[c->arm].name);
	text_append_char(text, ' ');
	wording_value(text, c->median_b, c->quantity->unit);
	if (c->mode == PAIRED_LOG_RATIO) {
		text_append(text, "  B/A ");
		wording_ratio_interval(text, &c->typical);
		text_append(text, "  ");
		wording_percent_column(text, &c->typical);
	} else {
		text_append(text, "  B-A ");
		wording_difference(text, &c->typical);
	}
	text_append(text, "  ");
	wording_verdict(text, c);
	text_format(text, "  n=%zu %s", c->blocks, c->is_paired ? "blocks" : "runs");
}

/* Fewer blocks support no statement at 95 %. */
enum { LEAST_LEFT = 6 };

void wording_sensitivity(struct text *text, const struct comparison *c)
{
	if (!c->flagged_blocks || c->blocks < c->flagged_blocks + LEAST_LEFT)
		return;
	text_format(text, "without the %zu flagged block%s: ", c->flagged_blocks, c->flagged_blocks == 1 ? "" : "s");
	if (c->mode == PAIRED_LOG_RATIO)
		wording_ratio_interval(text, &c->unflagged);
	else
		wording_difference(text, &c->unflagged);
	text_format(text, ", %s", verdict_name(c->unflagged_verdict));
}

void wording_layouts(struct text *text, const struct comparison *c)
{
	double a = 100 * c->layout_a.group_share, b = 100 * c->layout_b.group_share;

	if (c->layouts < 2)
		return;
	text_format(text, "layout explains %.0f %% of the variance (A %.0f %%, B %.0f %%), %zu builds an arm",
		    (a + b) / 2, a, b, c->layouts);
}
