/* Counts as the classic table. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/stat.h"

enum { VALUE_WIDTH = 18, NAME_WIDTH = 32, METRIC_WIDTH = 38, NARROW_COLUMNS = 80, NARROW_VALUE = 14 };

static const char *state_text(enum count_state state)
{
	return state == COUNT_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
}

static void append_padded(struct text *out, int width, const char *text)
{
	int pad = (width < 0 ? -width : width) - (int)text_width(text);

	for (int i = 0; width > 0 && i < pad; i++)
		text_append_char(out, ' ');
	text_append(out, text);
	for (int i = 0; width < 0 && i < pad; i++)
		text_append_char(out, ' ');
}

/* A count as the kernel gave it, a mean, or a scaled value with two decimals. */
static void append_number(struct text *out, const struct stat_view *view, const struct stat_row *row)
{
	bool is_small_mean = row->summary.count > 1 && row->summary.mean < 100;
	int decimals = row->event->scale != floor(row->event->scale) ? 2 : is_small_mean;

	if (row->is_whole && view->plain_numbers)
		text_format(out, "%llu", (unsigned long long)row->total);
	else if (row->is_whole)
		text_append_grouped(out, row->total);
	else if (view->plain_numbers)
		text_format(out, "%.*f", decimals, row->summary.mean);
	else
		text_append_grouped_double(out, row->summary.mean, decimals);
}

static int unit_width(const struct stat_view *view)
{
	size_t widest = 4;

	for (size_t i = 0; i < view->figures->row_count; i++) {
		const char *unit = view->figures->rows[i].event->unit;

		if (unit && text_width(unit) > widest)
			widest = text_width(unit);
	}
	return (int)widest;
}

static int place_width(const struct stat_view *view)
{
	size_t widest = 0;

	for (size_t i = 0; i < view->figures->row_count; i++) {
		const char *place = view->figures->rows[i].event->place;

		if (place && text_width(place) > widest)
			widest = text_width(place);
	}
	return (int)widest;
}

static void append_time(struct text *out, const struct stat_view *view)
{
	if (view->is_interval)
		text_format(out, "%6llu.%09llu ", (unsigned long long)(view->time_ns / 1000000000),
			    (unsigned long long)(view->time_ns % 1000000000));
}

static void append_place(struct text *out, const struct stat_view *view, const struct run_event *event)
{
	auto_text struct text place = { 0 };

	append_time(out, view);
	if (!event->place)
		return;
	text_append_escaped(&place, event->place);
	append_padded(out, -place_width(view), place.bytes);
	if (event->place_cpus && !text_starts_with(event->place, "CPU"))
		text_format(out, " %4u", event->place_cpus);
	text_append_char(out, ' ');
}

static void append_error(struct text *out, double relative)
{
	if (relative > 0)
		text_format(out, "  ( +-%6.2f%% )", 100 * relative);
}

static void append_metric(struct text *out, const struct stat_metric *metric, bool with_error)
{
	auto_text struct text body = { 0 };

	text_format(&body, " # %8.*f %s%s", metric->decimals, metric->value, metric->unit, metric->apart ? " *" : "");
	if (with_error && metric->relative_standard_error > 0)
		append_error(&body, metric->relative_standard_error);
	append_padded(out, -METRIC_WIDTH, body.bytes);
}

static bool is_narrow(const struct stat_view *view)
{
	return view->columns && view->columns < NARROW_COLUMNS;
}

static void append_value_and_name(struct text *out, const struct stat_view *view, const struct stat_row *row)
{
	auto_text struct text number = { 0 }, name = { 0 };

	if (row->state == COUNT_OK)
		append_number(&number, view, row);
	else
		text_append(&number, state_text(row->state));
	append_padded(out, is_narrow(view) ? NARROW_VALUE : VALUE_WIDTH, number.bytes);
	text_append_char(out, ' ');
	append_padded(out, is_narrow(view) ? 0 : -unit_width(view), row->event->unit ? row->event->unit : "");
	text_append_char(out, ' ');
	text_append_escaped(&name, row->event->name);
	if (row->event->note) {
		text_append(&name, " = ");
		text_append_escaped(&name, row->event->note);
	}
	append_padded(out, is_narrow(view) ? 0 : -NAME_WIDTH, name.bytes);
}

/* Lines after the first of a row begin under its metric. */
static void append_indent(struct text *out, const struct stat_view *view)
{
	int width = is_narrow(view) ? NARROW_VALUE : VALUE_WIDTH + 1 + unit_width(view) + 1 + NAME_WIDTH;
	int place = place_width(view);

	text_append_char(out, '\n');
	for (int i = 0; i < width + place + (place > 0); i++)
		text_append_char(out, ' ');
}

static void append_row(struct text *out, const struct stat_view *view, const struct stat_row *row)
{
	size_t start = out->length;

	append_place(out, view, row->event);
	append_value_and_name(out, view, row);
	if (is_narrow(view))
		append_error(out, row->summary.relative_standard_error);
	for (size_t i = 0; i < row->metric_count; i++) {
		if (i || is_narrow(view))
			append_indent(out, view);
		append_metric(out, &row->metrics[i], i > 0);
		if (!i && !is_narrow(view) && row->state == COUNT_OK)
			append_error(out, row->summary.relative_standard_error);
	}
	if (!row->metric_count && !is_narrow(view)) {
		append_padded(out, METRIC_WIDTH, "");
		append_error(out, row->summary.relative_standard_error);
	}
	if (row->state == COUNT_OK && row->running_ns < row->enabled_ns)
		text_format(out, "  (%.2f%%)", stat_row_share(row));
	while (out->length > start && out->bytes[out->length - 1] == ' ')
		out->bytes[--out->length] = '\0';
	text_append_char(out, '\n');
}

static void append_command(struct text *out, const char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		text_append(out, i ? " " : "");
		text_append_escaped(out, words[i]);
	}
}

static void append_title(struct text *out, const struct stat_view *view)
{
	const struct runs *runs = view->figures->runs;
	const char *target = runs_plan(runs, "target");

	text_append(out, "\n Performance counter stats for '");
	if (target)
		text_append_escaped(out, target);
	else if (view->figures->has_command)
		append_command(out, runs->arms[0].command);
	text_append_char(out, '\'');
	if (view->figures->run_count > 1)
		text_format(out, " (%zu runs)", view->figures->run_count);
	text_append(out, ":\n\n");
}

/* Three digits of the error. */
static int precision_of(double error)
{
	return error > 1 ? 2 : (int)fmin(9, ceil(-log10(error)) + 2);
}

static void append_extent(struct text *out, const struct stat_extent *extent, double scale)
{
	double mean = extent->summary.mean * scale, error = extent->summary.standard_error * scale;

	if (!(error > 0)) {
		text_format(out, "%17.*f %s\n", scale == 1e-9 ? 9 : 3, mean, extent->label);
		return;
	}
	text_format(out, "%17.*f +- %.*f %s", precision_of(error), mean, precision_of(error), error, extent->label);
	append_error(out, extent->summary.relative_standard_error);
	text_append_char(out, '\n');
}

static void append_footer(struct text *out, const struct stat_view *view)
{
	const struct stat_extent *extents = view->figures->extents;

	if (!view->figures->run_count)
		return;
	text_append_char(out, '\n');
	append_extent(out, &extents[STAT_ELAPSED], 1e-9);
	if (!view->figures->has_command)
		return;
	text_append_char(out, '\n');
	append_extent(out, &extents[STAT_USER], 1e-9);
	append_extent(out, &extents[STAT_SYS], 1e-9);
	append_extent(out, &extents[STAT_PEAK], 1.0 / (1 << 20));
}

static void append_interval_heading(struct text *out, const struct stat_view *view)
{
	text_format(out, "#%15s %*s%18s %-*s %s\n", "time", place_width(view) + (place_width(view) > 0), "", "counts",
		    unit_width(view), "unit", "events");
}

void stat_print_text(const struct stat_view *view, FILE *out)
{
	auto_text struct text text = { 0 };

	if (view->heading && !view->is_interval)
		append_title(&text, view);
	else if (view->heading)
		append_interval_heading(&text, view);
	for (size_t i = 0; i < view->figures->row_count; i++)
		append_row(&text, view, &view->figures->rows[i]);
	if (!view->is_interval)
		append_footer(&text, view);
	fputs(text.bytes ? text.bytes : "", out);
	if (view->is_interval)
		return;
	if (view->raw)
		stat_print_raw(view, out);
	if (view->table)
		stat_print_runs(view, out);
	if (view->stats)
		stat_print_spread(view, out);
	stat_print_remarks(view, out);
	fputc('\n', out);
}

void stat_print_utilization_text(const struct stat_view *view, const struct stat_utilization *row, FILE *out)
{
	auto_text struct text text = { 0 };

	append_time(&text, view);
	if (!view->is_interval)
		text_format(&text, "%16s ", "average");
	text_format(&text, "%-6s", row->place);
	for (int kind = 0; kind < UTILIZATION_KINDS; kind++)
		if (isfinite(row->percent[kind]))
			text_format(&text, " %5.1f%% %s", row->percent[kind], utilization_names[kind]);
		else
			text_format(&text, " %6s %s", "-", utilization_names[kind]);
	text_append_char(&text, '\n');
	fputs(text.bytes, out);
}
