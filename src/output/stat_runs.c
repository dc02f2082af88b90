/* Beside the table of counts: their spread, every run, raw counts, and what the reader should know. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/stat.h"

enum { BAR_PERCENT = 5, BAR_LIMIT = 40, NAMED_RUNS = 5 };

static void append_name(struct text *out, const struct stat_row *row)
{
	if (row->event->place) {
		text_append_escaped(out, row->event->place);
		text_append_char(out, ' ');
	}
	text_append_escaped(out, row->event->name);
	if (row->event->unit && row->event->unit[0])
		text_format(out, " (%s)", row->event->unit);
}

static void append_number(struct text *out, const struct stat_view *view, double number, int width)
{
	auto_text struct text text = { 0 };
	int decimals = fabs(number) < 1 ? 6 : fabs(number) < 100 ? 3 : fabs(number) < 10000 ? 2 : 0;

	if (number == floor(number))
		decimals = 0;
	if (view->plain_numbers)
		text_format(&text, "%.*f", decimals, number);
	else
		text_append_grouped_double(&text, number, decimals);
	text_format(out, "%*s", width, text.bytes);
}

static void append_spread(struct text *out, const struct stat_view *view, const char *name,
			  const struct summary *summary, double scale)
{
	const double numbers[] = { summary->median, summary->mad, summary->minimum, summary->maximum,
				   summary->mean_interval.low, summary->mean_interval.high };

	text_format(out, "  %s\n   ", name);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (isfinite(numbers[i]))
			append_number(out, view, numbers[i] * scale, 16);
		else
			text_format(out, "%16s", "-");
	text_format(out, " %8zu\n", summary->outlier_count);
}

void stat_print_spread(const struct stat_view *view, FILE *out)
{
	const struct stat_figures *figures = view->figures;
	auto_text struct text text = { 0 };

	text_format(&text, "\n Spread over %zu runs; the interval is of the mean (Student's t):\n", figures->run_count);
	text_format(&text, "   %16s%16s%16s%16s%16s%16s %8s\n", "median", "MAD", "min", "max", "95 % low", "95 % high",
		    "outliers");
	for (size_t i = 0; i < figures->row_count; i++) {
		auto_text struct text name = { 0 };

		if (figures->rows[i].state != COUNT_OK)
			continue;
		append_name(&name, &figures->rows[i]);
		append_spread(&text, view, name.bytes, &figures->rows[i].summary, 1);
	}
	append_spread(&text, view, "seconds time elapsed", &figures->extents[STAT_ELAPSED].summary, 1e-9);
	fputs(text.bytes, out);
}

/* One # for a value up to 5 % off the mean, one more for each further 5 %. */
static void append_bar(struct text *out, double value, double mean)
{
	double off = mean ? fabs(100 * (value - mean) / mean) : 0;
	int marks = 1 + (int)fmin(off / BAR_PERCENT, BAR_LIMIT - 1);

	while (marks--)
		text_append_char(out, '#');
}

static void append_runs(struct text *out, const struct stat_view *view, const double *values, size_t count,
			double scale)
{
	double mean = 0;

	for (size_t i = 0; i < count; i++)
		mean += values[i] / (double)count;
	for (size_t i = 0; i < count; i++) {
		double off = (values[i] - mean) * scale;

		append_number(out, view, values[i] * scale, 18);
		text_append(out, off < 0 ? " (-" : " (+");
		append_number(out, view, fabs(off), 1);
		text_append(out, ") ");
		append_bar(out, values[i], mean);
		text_append_char(out, '\n');
	}
}

void stat_print_runs(const struct stat_view *view, FILE *out)
{
	const struct stat_figures *figures = view->figures;
	const struct stat_extent *elapsed = &figures->extents[STAT_ELAPSED];
	auto_text struct text text = { 0 };

	for (size_t i = 0; i < figures->row_count; i++) {
		const struct stat_row *row = &figures->rows[i];

		if (row->state != COUNT_OK)
			continue;
		text_append(&text, "\n # Each run: ");
		append_name(&text, row);
		text_append_char(&text, '\n');
		append_runs(&text, view, row->values, row->summary.count, 1);
	}
	text_append(&text, "\n # Each run: seconds time elapsed\n");
	append_runs(&text, view, elapsed->values, elapsed->summary.count, 1e-9);
	fputs(text.bytes, out);
}

static const char *const state_words[] = {
	[COUNT_OK] = "", [COUNT_NOT_COUNTED] = " not counted", [COUNT_NOT_SUPPORTED] = " not supported",
	[COUNT_NOT_IN_RUN] = " not in this run",
};

void stat_print_raw(const struct stat_view *view, FILE *out)
{
	const struct runs *runs = view->figures->runs;
	auto_text struct text text = { 0 };

	text_append(&text, "\n # Raw counts: run, event, count, ns enabled, ns running\n");
	for (size_t run = 0; run < runs->count; run++)
		for (size_t i = 0; i < runs->event_count; i++) {
			const struct run_count *count = &runs->items[run].counts[i];

			text_format(&text, " %5zu  ", run + 1);
			append_name(&text, &view->figures->rows[i]);
			text_format(&text, "  %llu %llu %llu%s\n", (unsigned long long)count->value,
				    (unsigned long long)count->enabled_ns, (unsigned long long)count->running_ns,
				    state_words[count->state]);
		}
	fputs(text.bytes, out);
}

/* Each reason once, with the events it holds for; all but its first line is the way out. */
static void append_why(struct text *out, const struct stat_figures *figures, size_t first)
{
	const char *why = figures->rows[first].event->why;
	const char *last = NULL;

	text_append(out, "\n ");
	for (size_t i = 0; i < figures->row_count; i++) {
		const struct run_event *event = figures->rows[i].event;

		if (!event->why || strcmp(event->why, why) || (last && !strcmp(last, event->name)))
			continue;
		text_append(out, last ? ", " : "");
		text_append_escaped(out, event->name);
		last = event->name;
	}
	text_append(out, ": ");
	text_append_escaped(out, why);
	text_append_char(out, '\n');
}

static void append_reasons(struct text *out, const struct stat_figures *figures)
{
	for (size_t i = 0; i < figures->row_count; i++) {
		bool is_first = figures->rows[i].event->why != NULL;

		for (size_t j = 0; j < i && is_first; j++)
			is_first = !figures->rows[j].event->why ||
				   strcmp(figures->rows[j].event->why, figures->rows[i].event->why);
		if (is_first)
			append_why(out, figures, i);
	}
}

static void append_void_runs(struct text *out, const struct stat_figures *figures)
{
	const struct runs *runs = figures->runs;
	size_t named = 0;

	for (size_t i = 0; i < runs->count && named < NAMED_RUNS; i++)
		if (runs->items[i].is_void) {
			text_format(out, "\n run %zu is left out: ", i + 1);
			text_append_escaped(out, runs->items[i].void_why ? runs->items[i].void_why : "void");
			named++;
		}
	if (figures->void_count > named)
		text_format(out, "\n and %zu more runs", figures->void_count - named);
	if (named)
		text_append_char(out, '\n');
}

static bool any_apart(const struct stat_figures *figures)
{
	for (size_t i = 0; i < figures->row_count; i++)
		for (size_t j = 0; j < figures->rows[i].metric_count; j++)
			if (figures->rows[i].metrics[j].apart)
				return true;
	return false;
}

void stat_print_remarks(const struct stat_view *view, FILE *out)
{
	const struct stat_figures *figures = view->figures;
	auto_text struct text text = { 0 };
	size_t left_children = 0;

	if (figures->run_count > 1 && !view->metric_only)
		text_append(&text, "\n +-: standard error of the mean, relative\n");
	if (any_apart(figures))
		text_append(&text, "\n *: of counts that were not all on at the same time\n");
	append_void_runs(&text, figures);
	for (size_t i = 0; i < figures->runs->count; i++)
		left_children += (figures->runs->items[i].flags & RUN_LEFT_CHILDREN) != 0;
	if (left_children)
		text_format(&text, "\n %zu of %zu runs left processes behind, counted until the run's end\n",
			    left_children, figures->runs->count);
	append_reasons(&text, figures);
	fputs(text.bytes ? text.bytes : "", out);
}
