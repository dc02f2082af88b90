/* Counts as CSV: perf's order of columns, all of them always there, named in a first line. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "output/stat.h"

static const char *const columns[] = { "interval",	"place",	   "cpus",	  "value",	 "unit",
				       "event",		"standard-error-%", "running-ns", "running-%",	 "metric",
				       "metric-unit",	"status" };

struct line {
	const char *separator;
	struct text *out;
	bool begun;
};

static void add_field(struct line *line, const char *field)
{
	if (line->begun)
		text_append(line->out, line->separator);
	line->begun = true;
	text_append_csv(line->out, field, line->separator);
}

static void add_name(struct line *line, const char *name)
{
	auto_text struct text escaped = { 0 };

	text_append_escaped(&escaped, name ? name : "");
	add_field(line, escaped.bytes ? escaped.bytes : "");
}

static void add_number(struct line *line, double number, int decimals)
{
	char field[64] = "";

	if (isfinite(number))
		snprintf(field, sizeof(field), "%.*f", decimals, number);
	add_field(line, field);
}

static void add_count(struct line *line, uint64_t count)
{
	char field[32];

	snprintf(field, sizeof(field), "%llu", (unsigned long long)count);
	add_field(line, field);
}

static void end_line(struct line *line)
{
	text_append_char(line->out, '\n');
	line->begun = false;
}

static void add_interval(struct line *line, const struct stat_view *view)
{
	char field[48] = "";

	if (view->is_interval)
		snprintf(field, sizeof(field), "%llu.%09llu", (unsigned long long)(view->time_ns / 1000000000),
			 (unsigned long long)(view->time_ns % 1000000000));
	add_field(line, field);
}

static void add_value(struct line *line, const struct stat_row *row)
{
	if (row->state == COUNT_NOT_SUPPORTED)
		add_field(line, "<not supported>");
	else if (row->state != COUNT_OK)
		add_field(line, "<not counted>");
	else if (row->is_whole)
		add_count(line, row->total);
	else
		add_number(line, row->summary.mean, row->event->scale == 1 && row->summary.count == 1 ? 0 : 6);
}

static const char *status_word(const struct stat_row *row)
{
	if (row->state == COUNT_OK)
		return row->running_ns < row->enabled_ns ? "scaled" : "ok";
	return row->state == COUNT_NOT_SUPPORTED ? "not supported" : "not counted";
}

static void add_place(struct line *line, const struct stat_row *row)
{
	add_name(line, row->event->place);
	if (row->event->place_cpus)
		add_count(line, row->event->place_cpus);
	else
		add_field(line, "");
}

static void add_metric(struct line *line, const struct stat_metric *metric)
{
	if (metric)
		add_number(line, metric->value, metric->decimals > 3 ? metric->decimals : 6);
	else
		add_field(line, "");
	add_name(line, metric ? metric->unit : "");
}

static void add_row(struct line *line, const struct stat_view *view, const struct stat_row *row)
{
	add_interval(line, view);
	add_place(line, row);
	add_value(line, row);
	add_name(line, row->event->unit);
	add_name(line, row->event->name);
	add_number(line, 100 * row->summary.relative_standard_error, 2);
	add_count(line, row->running_ns);
	add_number(line, row->state == COUNT_OK ? stat_row_share(row) : 0, 2);
	add_metric(line, row->metric_count ? &row->metrics[0] : NULL);
	add_field(line, status_word(row));
	end_line(line);
}

/* Further metrics of a row: a line each, without a value of its own. */
static void add_further(struct line *line, const struct stat_view *view, const struct stat_row *row, size_t index)
{
	add_interval(line, view);
	add_place(line, row);
	add_field(line, "");
	add_field(line, "");
	add_name(line, row->event->name);
	add_number(line, 100 * row->metrics[index].relative_standard_error, 2);
	add_field(line, "");
	add_field(line, "");
	add_metric(line, &row->metrics[index]);
	add_field(line, "metric");
	end_line(line);
}

static void add_extent(struct line *line, const struct stat_view *view, const struct stat_extent *extent)
{
	add_interval(line, view);
	add_field(line, "");
	add_field(line, "");
	add_number(line, extent->summary.mean, 0);
	add_field(line, extent->unit);
	add_field(line, extent->name);
	add_number(line, 100 * extent->summary.relative_standard_error, 2);
	for (int i = 0; i < 4; i++)
		add_field(line, "");
	add_field(line, "ok");
	end_line(line);
}

static void add_header(struct line *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		add_field(line, columns[i]);
	end_line(line);
}

void stat_print_csv(const struct stat_view *view, FILE *out)
{
	const struct stat_figures *figures = view->figures;
	auto_text struct text text = { 0 };
	struct line line = { .separator = view->separator, .out = &text };

	if (view->heading)
		add_header(&line);
	for (size_t i = 0; i < figures->row_count; i++) {
		const struct stat_row *row = &figures->rows[i];

		if (!view->metric_only)
			add_row(&line, view, row);
		for (size_t j = view->metric_only ? 0 : 1; j < row->metric_count; j++)
			add_further(&line, view, row, j);
	}
	for (size_t i = 0; !view->is_interval && figures->run_count && i < STAT_EXTENTS; i++)
		if (i == STAT_ELAPSED || figures->has_command)
			add_extent(&line, view, &figures->extents[i]);
	fputs(text.bytes ? text.bytes : "", out);
}

static void add_utilization(struct line *line, const struct stat_view *view, const struct stat_utilization *row,
			    enum utilization_kind kind)
{
	char name[32];

	snprintf(name, sizeof(name), "cpu-%s", utilization_names[kind]);
	add_interval(line, view);
	add_field(line, row->place);
	add_count(line, row->cpus);
	add_number(line, row->percent[kind], 2);
	add_field(line, "%");
	add_field(line, name);
	for (int i = 0; i < 5; i++)
		add_field(line, "");
	add_field(line, isfinite(row->percent[kind]) ? "ok" : "not counted");
	end_line(line);
}

void stat_print_utilization_csv(const struct stat_view *view, const struct stat_utilization *row, FILE *out)
{
	auto_text struct text text = { 0 };
	struct line line = { .separator = view->separator, .out = &text };

	for (int kind = 0; kind < UTILIZATION_KINDS; kind++)
		add_utilization(&line, view, row, kind);
	fputs(text.bytes, out);
}
