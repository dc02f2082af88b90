/* A diff for people: 100 columns, what changed first. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/diff.h"
#include "profile/canonical.h"

/* Which rows a section holds. */
struct section {
	const char *title;
	bool (*holds)(const struct diff_row *row);
};

static bool is_paired(const struct diff_row *row)
{
	return row->pair->rule < PAIR_UNRESOLVED;
}

static bool is_new(const struct diff_row *row)
{
	return row->pair->rule == PAIR_NEW;
}

static bool is_gone(const struct diff_row *row)
{
	return row->pair->rule == PAIR_GONE;
}

static bool is_unresolved(const struct diff_row *row)
{
	return row->pair->rule == PAIR_UNRESOLVED;
}

static const struct section sections[] = {
	{ NULL, is_paired },
	{ "only in B", is_new },
	{ "only in A", is_gone },
	{ "without symbols", is_unresolved },
};

static double scaled(const struct diff_view *view, double events)
{
	return view->raw ? events : events * view->scale;
}

/* Enough decimals that the view's total has four digits or more. */
static int decimals(const struct diff_view *view)
{
	const struct diff_totals *totals = diff_totals(view->diff);
	double most = scaled(view, fmax(totals->a, totals->b));

	return most >= 1000 || most == 0 ? 0 : most >= 100 ? 1 : most >= 10 ? 2 : 3;
}

/* A number of events in width columns; falls back to SI-like exponent form when it does not fit. */
static void print_events(const struct diff_view *view, double events, const char *format, FILE *out)
{
	char text[64];
	int digits = decimals(view);

	snprintf(text, sizeof(text), format, digits, scaled(view, events));
	if (strlen(text) > 10)
		snprintf(text, sizeof(text), strchr(format, '+') ? "%+10.3e" : "%10.4e", scaled(view, events));
	fprintf(out, "%10s", text);
}

static void print_half_width(const struct diff_view *view, const struct diff_row *row, FILE *out)
{
	double half = (row->difference_interval.high - row->difference_interval.low) / 2;
	char text[64];

	if (isnan(half) || view->compute == DIFF_WEIGHTED) {
		fprintf(out, "%10s", "");
		return;
	}
	snprintf(text, sizeof(text), "+-%.*f", decimals(view), scaled(view, half));
	if (strlen(text) > 9)
		snprintf(text, sizeof(text), "+-%.1e", scaled(view, half));
	fprintf(out, " %9s", text);
}

static void print_ratio(double ratio, FILE *out)
{
	if (isnan(ratio) || isinf(ratio) || ratio == 0)
		fprintf(out, " %8s", "");
	else if (ratio >= 1000)
		fprintf(out, " %7.0fx", ratio);
	else
		fprintf(out, " %7.3fx", ratio);
}

static const char *const code_marks[] = { [CODE_UNKNOWN] = " ", [CODE_IDENTICAL] = "=", [CODE_CHANGED] = "~" };

static const char *const rule_words[] = {
	[PAIR_SAME_BYTES] = "build",  [PAIR_NAME] = "name",       [PAIR_NAME_FILE] = "file",
	[PAIR_NAME_CODE] = "code",    [PAIR_CANONICAL] = "suffix", [PAIR_SIGNATURE] = "sig",
	[PAIR_MOVED] = "moved",       [PAIR_CODE] = "recode",     [PAIR_AMBIGUOUS] = "ambig",
	[PAIR_UNRESOLVED] = "",       [PAIR_NEW] = "new",         [PAIR_GONE] = "gone",
};

static void append_object(struct text *line, const char *path)
{
	const char *slash = strrchr(path, '/');

	text_append_escaped(line, slash && path[0] != '[' ? slash + 1 : path);
}

static const char *shown_name(const struct pair_item *item)
{
	return item->shown ? item->shown : item->name ? item->name : "";
}

/* "old -> new" where the names or objects of the sides differ. */
static void append_name(struct text *line, const struct diff *diff, const struct pair *pair)
{
	const struct pair_item *a = pair->a_count ? &diff_side(diff, 0)->items[pair->a[0]] : NULL;
	const struct pair_item *b = pair->b_count ? &diff_side(diff, 1)->items[pair->b[0]] : NULL;
	const struct pair_item *item = b ? b : a;

	if (a && b && strcmp(shown_name(a), shown_name(b))) {
		text_append_escaped(line, shown_name(a));
		text_append(line, " -> ");
	}
	text_append_escaped(line, shown_name(item));
	if (item->object[0] == '[' && !pair->object_renamed) {
		text_append(line, item->name ? "  " : "");
		append_object(line, item->object);
	} else if (item->object[0]) {
		text_append(line, item->name ? "  [" : "[");
		if (pair->object_renamed) {
			append_object(line, a->object);
			text_append(line, " -> ");
		}
		append_object(line, item->object);
		text_append(line, "]");
	}
}

static void append_notes(struct text *line, const struct diff_view *view, const struct diff_row *row)
{
	const struct pair *pair = row->pair;
	const struct diff_row *rows;

	diff_rows(view->diff, &rows);
	if (pair->rule == PAIR_AMBIGUOUS)
		text_format(line, "  (ambiguous: %zu in A, %zu in B)", pair->a_count, pair->b_count);
	else if (pair->merged)
		text_format(line, "  (%zu functions of one code in A, %zu in B)", pair->a_count, pair->b_count);
	else if (pair->a_count + pair->b_count > 2 && pair->rule != PAIR_UNRESOLVED)
		text_format(line, "  (%zu parts in A, %zu in B)", pair->a_count, pair->b_count);
	if (row->samples_needed > 0)
		text_format(line, "  (needs ~%.0f samples)", row->samples_needed);
	if (row->probably_inlined_into != SIZE_MAX) {
		text_append(line, "  (probably inlined into ");
		text_append_escaped(line, shown_name(diff_row_item(view->diff, &rows[row->probably_inlined_into])));
		text_append_char(line, ')');
	}
}

void diff_print_row(const struct diff_view *view, const struct diff_row *row, FILE *out)
{
	auto_text struct text line = { 0 };

	if (view->color && row->marked)
		fputs(row->difference > 0 ? "\x1b[31m" : "\x1b[32m", out);
	fputc(row->marked ? '*' : ' ', out);
	print_events(view, row->a, "%.*f", out);
	print_events(view, row->b, "%.*f", out);
	print_events(view, diff_row_value(view, row), "%+.*f", out);
	print_half_width(view, row, out);
	print_ratio(row->ratio, out);
	fprintf(out, " %5.1f %5.1f", 100 * row->a_share, 100 * row->b_share);
	append_name(&line, view->diff, row->pair);
	append_notes(&line, view, row);
	fprintf(out, " %s %-6s %s", code_marks[row->pair->code], rule_words[row->pair->rule], line.bytes);
	if (view->color && row->marked)
		fputs("\x1b[m", out);
	fputc('\n', out);
	if (view->formula)
		fprintf(out, "   %.0f - %.0f = %+.0f events a run; %.0f and %.0f samples\n", row->b, row->a,
			row->difference, row->a_samples, row->b_samples);
}

static void print_section(const struct diff_view *view, const struct section *section, const size_t *order, FILE *out)
{
	const struct diff_row *rows;
	size_t count = diff_rows(view->diff, &rows), shown = 0;

	for (size_t i = 0; i < count; i++) {
		const struct diff_row *row = &rows[order[i]];

		if (!section->holds(row) || diff_row_hidden(view, row))
			continue;
		if (!shown++ && section->title)
			fprintf(out, "-- %s\n", section->title);
		diff_print_row(view, row, out);
	}
}

static void print_hidden(const struct diff_view *view, FILE *out)
{
	const struct diff_row *rows;
	size_t count = diff_rows(view->diff, &rows), hidden = 0;
	double a = 0, b = 0;

	for (size_t i = 0; i < count; i++) {
		if (!diff_row_hidden(view, &rows[i]))
			continue;
		hidden++;
		a += rows[i].a;
		b += rows[i].b;
	}
	if (!hidden)
		return;
	fputc(' ', out);
	print_events(view, a, "%.*f", out);
	print_events(view, b, "%.*f", out);
	print_events(view, b - a, "%+.*f", out);
	fprintf(out, "%42s %zu rows below %g %%\n", "", hidden, view->percent_limit);
}

static void print_side(const struct diff_view *view, char letter, size_t side, FILE *out)
{
	const struct diff_side *of = diff_side(view->diff, side);
	const struct diff_totals *totals = diff_totals(view->diff);
	auto_text struct text line = { 0 };

	text_append_escaped(&line, of->label);
	text_format(&line, "  (%zu run%s, ", of->run_count, of->run_count == 1 ? "" : "s");
	text_append_grouped(&line, (uint64_t)(side ? totals->b_samples : totals->a_samples));
	text_append(&line, " samples)");
	fprintf(out, "# %c ", letter);
	print_events(view, side ? totals->b : totals->a, "%.*f", out);
	fprintf(out, "  %s\n", line.bytes);
}

static const char *unit_text(const struct diff_view *view)
{
	return view->raw || !view->unit[0] ? "events" : view->unit;
}

static void print_total(const struct diff_view *view, FILE *out)
{
	const struct diff_totals *totals = diff_totals(view->diff);
	double difference = totals->b - totals->a;
	int digits = decimals(view);

	fprintf(out, "# B - A %+.*f %s", digits, scaled(view, difference), unit_text(view));
	if (!isnan(totals->difference_interval.low))
		fprintf(out, " [%+.*f, %+.*f]", digits, scaled(view, totals->difference_interval.low), digits,
			scaled(view, totals->difference_interval.high));
	if (totals->a > 0 && totals->b > 0) {
		double ratio = totals->b / totals->a;

		fprintf(out, "   B/A %.3fx", ratio);
		if (ratio < 2 && ratio > 0.5)
			fprintf(out, " (%+.1f %%)", 100 * (ratio - 1));
	}
	fputc('\n', out);
}

void diff_print_head(const struct diff_view *view, FILE *out)
{
	const struct diff_side *a = diff_side(view->diff, 0), *b = diff_side(view->diff, 1);
	auto_text struct text event = { 0 };

	text_append_escaped(&event, view->event);
	fprintf(out, "# %s, %s a run%s\n", event.bytes, unit_text(view),
		view->inclusive ? ", with callees (rows do not add up)" : "");
	print_side(view, 'A', 0, out);
	print_side(view, 'B', 1, out);
	if (!view->inclusive)
		print_total(view, out);
	if (a->run_count < 2 || b->run_count < 2)
		fputs("# one run a side: sampling noise only; run-to-run variation is unknown, significance overstated\n",
		      out);
	for (size_t i = 0; i < view->warning_count; i++)
		fprintf(out, "# warning: %s\n", view->warnings[i]);
	fprintf(out, "#\n# %9s%10s%10s%10s %8s %5s %5s   %-6s %s\n", "A", "B",
		view->compute == DIFF_WEIGHTED ? "weighted" : "B - A", "95 %", "B/A", "A %", "B %", "pair",
		"function");
}

static void print_control(const struct diff_control *control, FILE *out)
{
	if (!control->functions)
		return;
	fprintf(out, "# control: %zu function%s with the same code in both builds, B/A %.3fx", control->functions,
		control->functions == 1 ? "" : "s", control->median_ratio);
	if (control->functions > 1)
		fprintf(out, " (%.3fx to %.3fx; spread %.1f %%, sampling alone %.1f %%)", control->range.low,
			control->range.high, 100 * control->spread, 100 * control->expected_spread);
	fputc('\n', out);
}

void diff_print_foot(const struct diff_view *view, FILE *out)
{
	const struct diff_totals *totals = diff_totals(view->diff);
	int digits = decimals(view);

	print_control(diff_control(view->diff), out);
	fprintf(out, "# * %zu of %zu tested functions changed (q <= 0.05); %zu with too few samples to test\n",
		totals->marked, totals->tested, totals->not_tested);
	if (!view->inclusive)
		fprintf(out, "# the marked rows explain %+.*f of %+.*f %s\n", digits,
			scaled(view, totals->marked_difference), digits, scaled(view, totals->b - totals->a),
			unit_text(view));
	fputs("# code: = same, ~ changed; pair: how the two sides were found to be one function, perfmini-diff(1)\n",
	      out);
}

void diff_print_text(const struct diff_view *view, FILE *out)
{
	auto_free size_t *order = diff_view_order(view);

	diff_print_head(view, out);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (!view->baseline_only || sections[i].holds != is_new)
			print_section(view, &sections[i], order, out);
	print_hidden(view, out);
	diff_print_foot(view, out);
}
