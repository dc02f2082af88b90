/* A diff as one page: what changed, with intervals, to filter and sort. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/diff.h"
#include "output/html.h"

enum { BAR_WIDTH = 160, BAR_HEIGHT = 14 };

#define LEAST_Q 1e-9 /* smaller ones are called so */

static double shown(const struct diff_view *view, double events)
{
	return view->raw ? events : events * view->scale;
}

static void put_number(const struct diff_view *view, double events, const char *format, FILE *out)
{
	if (isfinite(events))
		fprintf(out, format, shown(view, events));
}

static void put_side(const struct diff_view *view, const char *name, size_t side, FILE *out)
{
	const struct diff_side *of = diff_side(view->diff, side);
	const struct diff_totals *totals = diff_totals(view->diff);
	auto_text struct text line = { 0 };

	text_format(&line, "%s: %zu %s, %.0f samples, %.4g %s", of->label, of->run_count, of->run_count == 1 ? "run" : "runs",
		    side ? totals->b_samples : totals->a_samples, shown(view, side ? totals->b : totals->a), view->unit);
	html_term(name, line.bytes, out);
}

static void put_total(const struct diff_view *view, FILE *out)
{
	const struct diff_totals *totals = diff_totals(view->diff);
	const struct interval *interval = &totals->difference_interval;
	bool grew = interval->low > 0, shrank = interval->high < 0;

	fprintf(out, "<p class=\"verdict %s\">B - A %+.4g %s", grew ? "bad" : shrank ? "good" : "open",
		shown(view, totals->b - totals->a), view->unit);
	if (isfinite(interval->low))
		fprintf(out, " [%+.4g, %+.4g]", shown(view, interval->low), shown(view, interval->high));
	if (totals->a > 0)
		fprintf(out, ", B/A %.3fx", totals->b / totals->a);
	fprintf(out, "; %zu of %zu tested functions changed", totals->marked, totals->tested);
	fputs(".</p>\n", out);
}

/* The interval of the difference on an axis that all rows share. */
static void put_bar(const struct diff_row *row, double reach, FILE *out)
{
	const struct interval *interval = &row->difference_interval;
	double middle = BAR_WIDTH / 2.0, scale = (middle - 2) / reach;
	const char *color = !row->marked ? "plain" : row->difference > 0 ? "bad" : "good";
	double at = middle + row->difference * scale;
	bool is_known = isfinite(interval->low) && isfinite(interval->high);
	double low = is_known ? middle + fmax(interval->low, -reach) * scale : at;
	double high = is_known ? middle + fmin(interval->high, reach) * scale : at;

	fprintf(out, "<td data-v=\"%.6g\"><svg style=\"width:%dpx\" viewBox=\"0 0 %d %d\"><line class=\"zero\" x1=\"%.1f\" x2=\"%.1f\" "
		"y1=\"0\" y2=\"%d\"/><line class=\"ci %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"7\" y2=\"7\"/>"
		"<circle class=\"pt %s\" cx=\"%.1f\" cy=\"7\" r=\"3\"/></svg></td>", row->difference, BAR_WIDTH, BAR_WIDTH,
		BAR_HEIGHT, middle, middle, BAR_HEIGHT, color, low, high, color, at);
}

static void put_name(const struct diff_view *view, const struct diff_row *row, FILE *out)
{
	const struct pair_item *item = diff_row_item(view->diff, row);

	fputs("<td class=\"n\">", out);
	html_text(item->shown ? item->shown : "[no symbol]", out);
	fputs("</td>", out);
}

static void put_origin(const struct diff_view *view, const struct diff_row *row, FILE *out)
{
	fputs("<td class=\"n\">", out);
	html_text(text_base_name(diff_row_item(view->diff, row)->object), out);
	fprintf(out, "</td><td class=\"n\">%s%s</td>", row->pair->code == CODE_IDENTICAL ? "= " :
		row->pair->code == CODE_CHANGED ? "~ " : "", pair_rule_text(row->pair->rule));
}

static void put_cell(const struct diff_view *view, double events, const char *format, FILE *out)
{
	fprintf(out, "<td data-v=\"%.6g\">", events);
	put_number(view, events, format, out);
	fputs("</td>", out);
}

static void put_row(const struct diff_view *view, const struct diff_row *row, double reach, FILE *out)
{
	fprintf(out, "<tr%s>", row->marked ? " class=\"c\"" : "");
	put_name(view, row, out);
	put_cell(view, row->difference, "%+.4g", out);
	put_bar(row, reach, out);
	if (isfinite(row->ratio))
		fprintf(out, "<td data-v=\"%.6g\">%.3fx</td>", row->ratio, row->ratio);
	else
		fputs("<td></td>", out);
	put_cell(view, row->a, "%.4g", out);
	put_cell(view, row->b, "%.4g", out);
	if (isfinite(row->q))
		fprintf(out, "<td data-v=\"%.6g\">%s%.2g</td>", row->q, row->q < LEAST_Q ? "&lt;" : "", fmax(row->q, LEAST_Q));
	else
		fputs("<td></td>", out);
	put_origin(view, row, out);
	fputs("</tr>\n", out);
}

static double widest(const struct diff_row *rows, const struct diff_view *view, size_t count)
{
	double reach = 0;

	for (size_t i = 0; i < count; i++)
		if (!diff_row_hidden(view, &rows[i]))
			reach = fmax(reach, 1.5 * fabs(rows[i].difference));
	return reach > 0 ? reach : 1;
}

static void put_rows(const struct diff_view *view, FILE *out)
{
	const struct diff_row *rows;
	size_t count = diff_rows(view->diff, &rows), hidden = 0;
	auto_free size_t *order = diff_view_order(view);
	double reach = widest(rows, view, count);

	fputs("<input placeholder=\"filter (/)\" aria-label=\"filter the rows\">\n<div class=\"scroll\"><table class=\"rows\"><thead>"
	      "<tr><th>function</th><th>B - A</th><th class=\"n\">interval</th><th>B/A</th>", out);
	fprintf(out, "<th>A, %s</th><th>B</th><th>q</th><th class=\"n\">object</th><th class=\"n\">pair</th></tr></thead><tbody>\n",
		*view->unit ? view->unit : "events");
	for (size_t i = 0; i < count; i++) {
		const struct diff_row *row = &rows[order[i]];

		if (diff_row_hidden(view, row))
			hidden++;
		else
			put_row(view, row, reach, out);
	}
	fputs("</tbody></table></div>\n", out);
	if (hidden)
		fprintf(out, "<p>%zu rows below %.4g %% on both sides are left out.</p>\n", hidden, view->percent_limit);
}

static void put_control(const struct diff_view *view, FILE *out)
{
	const struct diff_control *control = diff_control(view->diff);

	if (!control->functions)
		return;
	fprintf(out, "<p>Control: %zu functions with the same code in both builds moved to %.3fx; spread %.1f %%, sampling "
		"alone %.1f %%.</p>\n", control->functions, control->median_ratio, 100 * control->spread,
		100 * control->expected_spread);
}

void diff_html_begin(FILE *out)
{
	html_begin("perfmini diff", out);
}

void diff_html_view(const struct diff_view *view, FILE *out)
{
	fputs("<h2>", out);
	html_text(view->event, out);
	fprintf(out, "%s</h2>\n<dl>\n", view->inclusive ? ", with callees" : "");
	put_side(view, "A", 0, out);
	put_side(view, "B", 1, out);
	fputs("</dl>\n", out);
	put_total(view, out);
	put_control(view, out);
	if (view->warning_count)
		fputs("<ul>\n", out);
	for (size_t i = 0; i < view->warning_count; i++) {
		fputs("<li class=\"w\">", out);
		html_text(view->warnings[i], out);
		fputs("</li>\n", out);
	}
	if (view->warning_count)
		fputs("</ul>\n", out);
	put_rows(view, out);
}

void diff_html_end(FILE *out)
{
	html_rows_script(out);
	html_end(out);
}
