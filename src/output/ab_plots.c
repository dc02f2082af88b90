/* Plots of an A/B report as inline SVG. */
#include "output/ab_plots.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "output/ab_values.h"
#include "output/html.h"
#include "stats/descriptive.h"

enum { WIDTH = 720, LEFT = 190, RIGHT = 24, ROW = 26, PLOT_HEIGHT = 200, ARM_COLORS = 6 };

/* A linear axis from data to SVG units. */
struct axis {
	double low, high;   /* data */
	double from, to;    /* SVG */
};

static double place(const struct axis *axis, double value)
{
	double share = axis->high > axis->low ? (value - axis->low) / (axis->high - axis->low) : 0.5;

	return axis->from + (axis->to - axis->from) * fmin(fmax(share, 0), 1);
}

/* 1, 2 or 5 times a power of ten: about count steps in the span. */
static double nice_step(double span, int count)
{
	double raw = span / count, power = pow(10, floor(log10(raw))), digit = raw / power;

	return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

static bool is_plotted(const struct comparison *c)
{
	return ab_is_shown(c) && c->mode == PAIRED_LOG_RATIO && isfinite(c->typical.value) &&
	       isfinite(c->typical.interval.low) && isfinite(c->typical.interval.high);
}

static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

/* Wide enough for every interval and both sides of the threshold; changes above a factor run off the side. */
static struct axis interval_axis(const struct ab_report *report, size_t first, size_t end)
{
	struct axis axis = { -0.5, 0.5, LEFT, WIDTH - RIGHT };

	for (size_t i = first; i < end; i++) {
		const struct comparison *c = &report->analysis->comparisons[i];
		double limit = c->is_gate ? 150 * c->quantity->threshold : 0;

		if (!is_plotted(c))
			continue;
		axis.low = fmin(axis.low, fmin(percent(c->typical.interval.low), -limit));
		axis.high = fmax(axis.high, fmax(percent(c->typical.interval.high), limit));
	}
	axis.low = fmax(axis.low, -100);
	axis.high = fmin(axis.high, 400);

	double margin = 0.05 * (axis.high - axis.low);

	axis.low -= margin;
	axis.high += margin;
	return axis;
}

static void put_ticks(const struct axis *axis, double bottom, FILE *out)
{
	double step = nice_step(axis->high - axis->low, 6);

	for (double tick = ceil(axis->low / step) * step; tick <= axis->high; tick += step) {
		double shown = fabs(tick) < step / 2 ? 0 : tick;

		fprintf(out, "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"4\" y2=\"%.1f\"/>"
			"<text class=\"t\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%+g%%</text>\n",
			shown == 0 ? "zero" : "grid", place(axis, tick), place(axis, tick), bottom, place(axis, tick),
			bottom + 16, shown);
	}
}

static void put_interval(const struct comparison *c, const struct axis *axis, double y, FILE *out)
{
	double threshold = 100 * c->quantity->threshold;
	const char *name = c->verdict == VERDICT_REGRESSED || c->verdict == VERDICT_WORSE     ? "bad" :
			   c->verdict == VERDICT_INCONCLUSIVE || c->verdict == VERDICT_INSUFFICIENT ? "open" :
												    "good";

	if (c->is_gate)
		fprintf(out, "<rect class=\"band\" x=\"%.1f\" width=\"%.1f\" y=\"%.1f\" height=\"%d\"/>",
			place(axis, -threshold), place(axis, threshold) - place(axis, -threshold), y - ROW / 2.0 + 2,
			ROW - 4);
	fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\"%s>", LEFT - 10, y + 4,
		c->is_gate ? " class=\"gate\"" : "");
	html_text(c->quantity->name, out);
	fprintf(out, "</text><line class=\"ci %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
		"<circle class=\"pt %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n", c->is_gate ? name : "plain",
		place(axis, percent(c->typical.interval.low)), place(axis, percent(c->typical.interval.high)), y, y,
		c->is_gate ? name : "plain", place(axis, percent(c->typical.value)), y);
}

void ab_plot_intervals(const struct ab_report *report, size_t first, size_t end, FILE *out)
{
	struct axis axis = interval_axis(report, first, end);
	size_t rows = 0;

	for (size_t i = first; i < end; i++)
		rows += is_plotted(&report->analysis->comparisons[i]);
	if (!rows)
		return;

	double bottom = 8 + (double)rows * ROW;
	double y = 8 + ROW / 2.0;

	fprintf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"change of each metric with its "
		"interval\">\n", WIDTH, bottom + 24);
	put_ticks(&axis, bottom, out);
	for (size_t i = first; i < end; i++)
		if (is_plotted(&report->analysis->comparisons[i])) {
			put_interval(&report->analysis->comparisons[i], &axis, y, out);
			y += ROW;
		}
	fputs("</svg>\n", out);
}

/* Values of every run, NaN where there is none; the caller frees. */
static double *values_of(const struct runs *runs, const struct quantity *quantity)
{
	double *values = memory_zeroed(runs->count, sizeof(*values));

	for (size_t i = 0; i < runs->count; i++)
		values[i] = quantity_value(quantity, runs, &runs->items[i]);
	return values;
}

static struct axis value_axis(const double *values, size_t count, double from, double to)
{
	struct axis axis = { INFINITY, -INFINITY, from, to };

	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i])) {
			axis.low = fmin(axis.low, values[i]);
			axis.high = fmax(axis.high, values[i]);
		}

	double margin = axis.high > axis.low ? 0.05 * (axis.high - axis.low) : fabs(axis.high) * 0.01 + 1e-9;

	axis.low -= margin;
	axis.high += margin;
	return axis;
}

static void put_value_ticks(const struct axis *axis, const struct quantity *quantity, double left, FILE *out)
{
	double step = nice_step(axis->high - axis->low, 4);

	for (double tick = ceil(axis->low / step) * step; tick <= axis->high; tick += step) {
		auto_text struct text label = { 0 };

		ab_append_value(&label, quantity, tick);
		fprintf(out, "<line class=\"grid\" x1=\"%.0f\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
			"<text class=\"t\" x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">", left, WIDTH - RIGHT,
			place(axis, tick), place(axis, tick), left - 6, place(axis, tick) + 4);
		html_text(label.bytes, out);
		fputs("</text>\n", out);
	}
}

static void put_run_title(const struct runs *runs, const struct run *run, const struct quantity *quantity,
			  double value, FILE *out)
{
	auto_text struct text label = { 0 };

	ab_append_value(&label, quantity, value);
	fputs("<title>", out);
	html_text(runs->arms[run->arm].name, out);
	fprintf(out, ", block %u: ", run->block);
	html_text(label.bytes, out);
	fputs("</title>", out);
}

void ab_plot_runs(const struct runs *runs, const struct quantity *quantity, FILE *out)
{
	auto_free double *values = values_of(runs, quantity);
	struct axis y = value_axis(values, runs->count, PLOT_HEIGHT - 10, 10);
	struct axis x = { 0, runs->count > 1 ? (double)runs->count - 1 : 1, 130, WIDTH - RIGHT - 6 };

	if (!(y.high > y.low))
		return;
	fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"runs in time order\">\n", WIDTH,
		PLOT_HEIGHT + 18);
	put_value_ticks(&y, quantity, 120, out);
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->items[i];

		if (!isfinite(values[i]))
			continue;
		fprintf(out, "<circle class=\"a%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\">", run->arm % ARM_COLORS,
			place(&x, (double)i), place(&y, values[i]));
		put_run_title(runs, run, quantity, values[i], out);
		fputs("</circle>\n", out);
	}
	fprintf(out, "<text class=\"t\" x=\"%d\" y=\"%d\" text-anchor=\"end\">time, run by run →</text></svg>\n",
		WIDTH - RIGHT, PLOT_HEIGHT + 12);
}

/* The runs of one arm as dots spread a little to the sides, so that equal ones are seen. */
static void put_arm_dots(const struct runs *runs, const double *values, uint32_t arm, const struct axis *x, double y,
			 FILE *out)
{
	for (size_t i = 0; i < runs->count; i++)
		if (runs->items[i].arm == arm && isfinite(values[i]))
			fprintf(out, "<circle class=\"a%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", arm % ARM_COLORS,
				place(x, values[i]), y + (double)((i * 7) % 5) * 3 - 6);
}

static void put_quartiles(const struct runs *runs, const double *values, uint32_t arm, const struct axis *x, double y,
			  FILE *out)
{
	auto_free double *own = memory_zeroed(runs->count, sizeof(*own));
	size_t count = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (runs->items[i].arm == arm && isfinite(values[i]))
			own[count++] = values[i];
	if (!count)
		return;

	double low = place(x, descriptive_quantile(own, count, 0.25));
	double high = place(x, descriptive_quantile(own, count, 0.75));
	double middle = place(x, descriptive_median(own, count));

	fprintf(out, "<rect class=\"box\" x=\"%.1f\" width=\"%.1f\" y=\"%.1f\" height=\"24\"/>"
		"<line class=\"median\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", low, fmax(high - low, 1),
		y - 12, middle, middle, y - 14, y + 14);
}

static void put_bottom_ticks(const struct axis *x, const struct quantity *quantity, double bottom, FILE *out)
{
	double step = nice_step(x->high - x->low, 4);

	for (double tick = ceil(x->low / step) * step; tick <= x->high; tick += step) {
		auto_text struct text label = { 0 };

		ab_append_value(&label, quantity, tick);
		fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"4\" y2=\"%.1f\"/>"
			"<text class=\"t\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", place(x, tick),
			place(x, tick), bottom, place(x, tick), bottom + 16);
		html_text(label.bytes, out);
		fputs("</text>\n", out);
	}
}

void ab_plot_distributions(const struct runs *runs, const struct quantity *quantity, FILE *out)
{
	auto_free double *values = values_of(runs, quantity);
	struct axis x = value_axis(values, runs->count, LEFT, WIDTH - RIGHT);
	double bottom = 8 + 36.0 * (double)runs->arm_count;

	if (!(x.high > x.low))
		return;
	fprintf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"distribution of each arm\">\n", WIDTH,
		bottom + 24);
	put_bottom_ticks(&x, quantity, bottom, out);
	for (size_t arm = 0; arm < runs->arm_count; arm++) {
		double y = 8 + 36.0 * (double)arm + 18;

		fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 10, y + 4);
		html_text(runs->arms[arm].name, out);
		fputs("</text>", out);
		put_quartiles(runs, values, (uint32_t)arm, &x, y, out);
		put_arm_dots(runs, values, (uint32_t)arm, &x, y, out);
		fputc('\n', out);
	}
	fputs("</svg>\n", out);
}
