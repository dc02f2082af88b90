/* Counts as JSON: one object a line, perf's keys where they mean the same, numbers as numbers. */
#include <jansson.h>
#include <math.h>

#include "base/text.h"
#include "output/stat.h"

static const char *const state_words[] = {
	[COUNT_OK] = "ok", [COUNT_NOT_COUNTED] = "not counted", [COUNT_NOT_SUPPORTED] = "not supported",
	[COUNT_NOT_IN_RUN] = "not counted",
};

static json_t *number(double value)
{
	if (!isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 1e15)
		return json_integer((json_int_t)value);
	return json_real(value);
}

/* A count above the largest JSON integer here is still a number, if not to the last digit. */
static json_t *count(uint64_t value)
{
	return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

/* Text of files and arguments may be no UTF-8. */
static json_t *text(const char *bytes)
{
	auto_text struct text escaped = { 0 };
	json_t *string = json_string(bytes);

	if (string)
		return string;
	text_append_escaped(&escaped, bytes);
	return json_string(escaped.bytes);
}

static void print_line(json_t *object, FILE *out)
{
	json_dumpf(object, out, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
	fputc('\n', out);
	json_decref(object);
}

static json_t *new_line(const struct stat_view *view)
{
	json_t *object = json_object();

	if (view->is_interval)
		json_object_set_new(object, "interval", json_real((double)view->time_ns / 1e9));
	return object;
}

static void add_spread(json_t *object, const struct stat_view *view, const struct summary *summary)
{
	json_object_set_new(object, "runs", json_integer((json_int_t)summary->count));
	json_object_set_new(object, "relative-standard-error-of-mean", number(summary->relative_standard_error));
	if (!view->stats)
		return;
	json_object_set_new(object, "median", number(summary->median));
	json_object_set_new(object, "mad", number(summary->mad));
	json_object_set_new(object, "min", number(summary->minimum));
	json_object_set_new(object, "max", number(summary->maximum));
	json_object_set_new(object, "mean-95-low", number(summary->mean_interval.low));
	json_object_set_new(object, "mean-95-high", number(summary->mean_interval.high));
	json_object_set_new(object, "outliers", json_integer((json_int_t)summary->outlier_count));
}

static void add_values(json_t *object, const double *values, size_t value_count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < value_count; i++)
		json_array_append_new(array, number(values[i]));
	json_object_set_new(object, "each-run", array);
}

static json_t *metric_json(const struct stat_metric *metric)
{
	json_t *object = json_object();

	json_object_set_new(object, "name", text(metric->name));
	json_object_set_new(object, "metric-value", number(metric->value));
	json_object_set_new(object, "metric-unit", text(metric->unit));
	json_object_set_new(object, "relative-standard-error-of-mean", number(metric->relative_standard_error));
	json_object_set_new(object, "at-the-same-time", json_boolean(!metric->apart));
	return object;
}

static void add_metrics(json_t *object, const struct stat_row *row)
{
	json_t *array = json_array();

	for (size_t i = 0; i < row->metric_count; i++)
		json_array_append_new(array, metric_json(&row->metrics[i]));
	json_object_set_new(object, "metrics", array);
}

static void add_count(json_t *object, const struct stat_view *view, const struct stat_row *row)
{
	bool is_ok = row->state == COUNT_OK;
	json_t *value = !is_ok ? json_null() : row->is_whole ? count(row->total) : number(row->summary.mean);

	json_object_set_new(object, "counter-value", value);
	json_object_set_new(object, "status", json_string(state_words[row->state]));
	if (row->event->why)
		json_object_set_new(object, "why", text(row->event->why));
	json_object_set_new(object, "unit", text(row->event->unit ? row->event->unit : ""));
	json_object_set_new(object, "event", text(row->event->name));
	add_spread(object, view, &row->summary);
	json_object_set_new(object, "event-runtime", count(row->running_ns));
	json_object_set_new(object, "pcnt-running", is_ok ? number(stat_row_share(row)) : json_null());
	if (view->table)
		add_values(object, row->values, row->summary.count);
}

static void print_row(const struct stat_view *view, const struct stat_row *row, FILE *out)
{
	json_t *object = new_line(view);

	if (row->event->place)
		json_object_set_new(object, "place", text(row->event->place));
	if (row->event->place_cpus)
		json_object_set_new(object, "cpus", json_integer(row->event->place_cpus));
	if (!view->metric_only)
		add_count(object, view, row);
	add_metrics(object, row);
	print_line(object, out);
}

static void print_extent(const struct stat_view *view, const struct stat_extent *extent, FILE *out)
{
	json_t *object = new_line(view);

	json_object_set_new(object, "counter-value", number(extent->summary.mean));
	json_object_set_new(object, "status", json_string("ok"));
	json_object_set_new(object, "unit", json_string(extent->unit));
	json_object_set_new(object, "event", json_string(extent->name));
	add_spread(object, view, &extent->summary);
	if (view->table)
		add_values(object, extent->values, extent->summary.count);
	print_line(object, out);
}

void stat_print_json(const struct stat_view *view, FILE *out)
{
	const struct stat_figures *figures = view->figures;

	for (size_t i = 0; i < figures->row_count; i++)
		if (!view->metric_only || figures->rows[i].metric_count)
			print_row(view, &figures->rows[i], out);
	for (size_t i = 0; !view->is_interval && figures->run_count && i < STAT_EXTENTS; i++)
		if (i == STAT_ELAPSED || figures->has_command)
			print_extent(view, &figures->extents[i], out);
}

void stat_print_utilization_json(const struct stat_view *view, const struct stat_utilization *row, FILE *out)
{
	json_t *object = new_line(view);

	json_object_set_new(object, "place", json_string(row->place));
	json_object_set_new(object, "cpus", json_integer(row->cpus));
	json_object_set_new(object, "event", json_string("cpu-utilization"));
	json_object_set_new(object, "unit", json_string("%"));
	for (int kind = 0; kind < UTILIZATION_KINDS; kind++)
		json_object_set_new(object, utilization_names[kind], number(row->percent[kind]));
	print_line(object, out);
}
