/* Metrics beside the counts: those of events/metrics.tsv, and counts an operation. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "event/metric.h"
#include "output/stat_figures.h"

enum { OF_MEANS = -1 };

/* Where a metric takes its counts from. */
struct source {
	const struct stat_figures *figures;
	const struct stat_row *beside;
	long run;       /* OF_MEANS: the means of all runs */
	bool apart;     /* set when a count was extrapolated, or is of other runs than its partner */
};

static bool same_place(const char *one, const char *other)
{
	return one && other ? !strcmp(one, other) : one == other;
}

static bool same_modes(const struct event *one, const struct event *other)
{
	return one->attr.exclude_user == other->attr.exclude_user &&
	       one->attr.exclude_kernel == other->attr.exclude_kernel;
}

/* The partner counts the same modes; a clock that does not is better than none. */
static const struct stat_row *find_partner(const struct source *source, const char *name)
{
	const struct stat_row *clock = NULL;

	for (size_t i = 0; i < source->figures->row_count; i++) {
		const struct stat_row *row = &source->figures->rows[i];

		if (row->state != COUNT_OK || !event_is(row->what, name) ||
		    !same_place(row->event->place, source->beside->event->place))
			continue;
		if (same_modes(row->what, source->beside->what))
			return row;
		if (row->what->attr.type == PERF_TYPE_SOFTWARE && !clock)
			clock = row;
	}
	return clock;
}

static double elapsed_ns(const struct source *source)
{
	if (source->run != OF_MEANS)
		return (double)source->figures->runs->items[source->run].wall_ns;
	return source->figures->extents[STAT_ELAPSED].summary.mean;
}

static double row_value(const struct stat_row *row, long run)
{
	if (run == OF_MEANS)
		return row->summary.mean / row->event->scale;
	for (size_t i = 0; i < row->summary.count; i++)
		if (row->runs[i] == (size_t)run)
			return row->values[i] / row->event->scale;
	return NAN;
}

static bool same_runs(const struct stat_row *one, const struct stat_row *other)
{
	return one->summary.count == other->summary.count &&
	       !memcmp(one->runs, other->runs, one->summary.count * sizeof(*one->runs));
}

static double value_of(const char *name, void *closure)
{
	struct source *source = closure;
	const struct stat_row *row;

	if (!strcmp(name, "duration_time"))
		return elapsed_ns(source);
	row = !strcmp(name, "EVENT") ? source->beside : find_partner(source, name);
	if (!row || row->state != COUNT_OK)
		return NAN;
	if (stat_row_share(row) < 100 || !same_runs(row, source->beside))
		source->apart = true;
	return row_value(row, source->run);
}

/* Its error is that of the metric of each run, so that what the parts share does not count. */
static double relative_error(const struct metric *metric, struct source *source, double value)
{
	size_t count = source->figures->runs->count, found = 0;
	auto_free double *values = memory_zeroed(count, sizeof(*values));

	for (source->run = 0; source->run < (long)count; source->run++) {
		double one = source->figures->runs->items[source->run].is_void ? NAN :
			     metric_value(metric, value_of, source);

		if (!isnan(one))
			values[found++] = one;
	}
	return descriptive_sd(values, found) / sqrt((double)found) / fabs(value);
}

static const char *scaled_unit(struct stat_figures *figures, const struct metric *metric, double *value)
{
	static const char *const prefixes[] = { "", "K", "M", "G" };
	size_t power = 0;

	while (metric->scaled && fabs(*value) > 1000 && power + 1 < ARRAY_SIZE(prefixes)) {
		*value /= 1000;
		power++;
	}

	auto_free char *unit = memory_format("%s%s%s", metric->percent ? "% " : "", prefixes[power], metric->unit);

	return arena_strdup(figures->arena, unit);
}

static bool has_metric(const struct stat_row *row, const char *name)
{
	for (size_t i = 0; i < row->metric_count; i++)
		if (!strcmp(row->metrics[i].name, name))
			return true;
	return false;
}

/* Rows of one name are alternatives: the first that has a value holds. */
static void add_metric(struct stat_figures *figures, struct stat_row *row, const struct metric *metric)
{
	struct source source = { .figures = figures, .beside = row, .run = OF_MEANS };
	struct stat_metric added = { .name = metric->name, .decimals = (int)metric->decimals };

	if (row->metric_count == STAT_METRICS_A_ROW || row->state != COUNT_OK || has_metric(row, metric->name))
		return;
	added.value = metric_value(metric, value_of, &source);
	if (!isfinite(added.value))
		return;
	added.apart = source.apart;
	added.relative_standard_error = relative_error(metric, &source, added.value);
	added.unit = scaled_unit(figures, metric, &added.value);
	row->metrics[row->metric_count++] = added;
}

/* Three digits at least, as far as a column has room. */
static int significant_decimals(double value)
{
	double size = fabs(value) > 0 ? floor(log10(fabs(value))) : 0;

	return (int)fmin(9, fmax(3, 2 - size));
}

static void add_operations(struct stat_figures *figures, struct stat_row *row)
{
	size_t count = row->summary.count;
	auto_free double *values = memory_zeroed(count, sizeof(*values));
	double operations = 0;

	if (row->state != COUNT_OK || row->metric_count == STAT_METRICS_A_ROW)
		return;
	for (size_t i = 0; i < count; i++) {
		double printed = figures->runs->items[row->runs[i]].printed[0];

		operations += printed;
		values[i] = row->values[i] / printed;
	}
	if (!(operations > 0))
		return;

	struct stat_metric added = {
		.name = "per-operation", .unit = "per operation",
		.value = row->summary.mean * (double)count / operations,
		.relative_standard_error = descriptive_summary(values, count, 0.95).relative_standard_error,
	};

	/* An operation seldom takes milliseconds. */
	if (row->event->unit && !strcmp(row->event->unit, "msec")) {
		added.value *= 1e6;
		added.unit = "ns per operation";
	}
	added.decimals = significant_decimals(added.value);
	row->metrics[row->metric_count++] = added;
}

static bool is_named(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
		if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length]))
			return true;
	return false;
}

/* --metrics: those, each at the row of the first event it needs. */
static void add_chosen(struct stat_figures *figures, struct stat_row *row, const struct metric_table *table)
{
	const char *chosen = runs_plan(figures->runs, "metrics");

	for (size_t i = 0; i < metric_count(table); i++) {
		const struct metric *metric = metric_at(table, i);

		if (is_named(chosen, metric->name) && metric->event_count && event_is(row->what, metric->events[0]))
			add_metric(figures, row, metric);
	}
}

void stat_add_metrics(struct stat_figures *figures, const struct metric_table *table)
{
	for (size_t i = 0; i < figures->row_count; i++) {
		struct stat_row *row = &figures->rows[i];
		const struct metric *metric;
		size_t cursor = 0;

		if (table && runs_plan(figures->runs, "metrics"))
			add_chosen(figures, row, table);
		else
			while (table && (metric = metric_beside(table, row->what, &cursor)))
				add_metric(figures, row, metric);
		if (figures->runs->printed_count)
			add_operations(figures, row);
	}
}
