/* --metric-only: a line of names, and a line of values for each place. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "output/stat.h"

enum { LEAST_WIDTH = 12 };

static int column_width(const struct stat_metric *metric)
{
	size_t width = text_width(metric->unit);

	return (int)(width < LEAST_WIDTH ? LEAST_WIDTH : width);
}

static bool same_place(const char *one, const char *other)
{
	return one && other ? !strcmp(one, other) : one == other;
}

static void append_heading(struct text *out, const struct stat_view *view, const char *place)
{
	if (view->is_interval)
		text_format(out, "#%15s ", "time");
	if (place)
		text_format(out, "%-12s ", "");
	for (size_t i = 0; i < view->figures->row_count; i++) {
		const struct stat_row *row = &view->figures->rows[i];

		for (size_t j = 0; same_place(row->event->place, place) && j < row->metric_count; j++)
			text_format(out, "%*s  ", column_width(&row->metrics[j]), row->metrics[j].unit);
	}
	text_append_char(out, '\n');
}

static void append_values(struct text *out, const struct stat_view *view, const char *place)
{
	if (view->is_interval)
		text_format(out, "%6llu.%09llu ", (unsigned long long)(view->time_ns / 1000000000),
			    (unsigned long long)(view->time_ns % 1000000000));
	if (place) {
		text_append_escaped(out, place);
		text_append(out, "       ");
	}
	for (size_t i = 0; i < view->figures->row_count; i++) {
		const struct stat_row *row = &view->figures->rows[i];

		for (size_t j = 0; same_place(row->event->place, place) && j < row->metric_count; j++)
			text_format(out, "%*.*f%s ", column_width(&row->metrics[j]), row->metrics[j].decimals,
				    row->metrics[j].value, row->metrics[j].apart ? "*" : " ");
	}
	text_append_char(out, '\n');
}

static void append_errors(struct text *out, const struct stat_view *view, const char *place)
{
	if (place)
		text_format(out, "%-12s ", "");
	for (size_t i = 0; i < view->figures->row_count; i++) {
		const struct stat_row *row = &view->figures->rows[i];

		for (size_t j = 0; same_place(row->event->place, place) && j < row->metric_count; j++) {
			char field[32];

			snprintf(field, sizeof(field), "+-%.2f%%", 100 * row->metrics[j].relative_standard_error);
			text_format(out, "%*s  ", column_width(&row->metrics[j]), field);
		}
	}
	text_append_char(out, '\n');
}

void stat_print_metrics(const struct stat_view *view, FILE *out)
{
	const struct stat_figures *figures = view->figures;
	auto_text struct text text = { 0 };

	for (size_t i = 0; i < figures->row_count; i++) {
		const char *place = figures->rows[i].event->place;
		bool is_first = true;

		for (size_t j = 0; j < i && is_first; j++)
			is_first = !same_place(figures->rows[j].event->place, place);
		if (!is_first)
			continue;
		if (view->heading && !i)
			append_heading(&text, view, place);
		append_values(&text, view, place);
		if (figures->run_count > 1 && !view->is_interval)
			append_errors(&text, view, place);
	}
	fputs(text.bytes ? text.bytes : "", out);
	if (!view->is_interval)
		stat_print_remarks(view, out);
}
