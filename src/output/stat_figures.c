/* What the runs of `stat` come to: one row an event and place. */
#include "output/stat_figures.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static bool is_valid(const struct run *run)
{
	return !run->is_void;
}

/* In the event's unit. Extrapolated to the whole time, unless raw. */
static double value_of(const struct run_event *event, const struct run_count *count, bool raw)
{
	double value = (double)count->value;

	if (!raw && count->running_ns && count->running_ns < count->enabled_ns)
		value *= (double)count->enabled_ns / (double)count->running_ns;
	return value * event->scale;
}

static void add_value(struct stat_row *row, double value, size_t run, const struct run_count *count)
{
	row->values[row->summary.count] = value;
	row->runs[row->summary.count++] = run;
	row->enabled_ns += count->enabled_ns;
	row->running_ns += count->running_ns;
	row->total = count->value;
}

/* What the name means tells which metrics stand beside it. One that is unknown here stands for itself. */
static const struct event *understand(struct stat_figures *figures, size_t index)
{
	const char *name = figures->runs->events[index].name;
	size_t at = event_list_count(figures->names);
	struct event *what;

	for (size_t i = 0; i < index; i++)
		if (!strcmp(figures->runs->events[i].name, name))
			return figures->rows[i].what;
	what = arena_alloc(figures->arena, sizeof(*what));
	*what = (struct event){ .name = name, .attr.type = UINT32_MAX };

	struct error *err = event_list_add(figures->names, name);

	if (!err && event_list_count(figures->names) > at)
		*what = *event_list_at(figures->names, at);
	error_destroy(err);
	return what;
}

static void fill_row(struct stat_figures *figures, const struct stat_setup *setup, size_t index)
{
	const struct runs *runs = figures->runs;
	struct stat_row *row = &figures->rows[index];

	row->event = &runs->events[index];
	row->what = understand(figures, index);
	row->values = memory_zeroed(runs->count, sizeof(*row->values));
	row->runs = memory_zeroed(runs->count, sizeof(*row->runs));
	row->state = COUNT_NOT_COUNTED;
	for (size_t i = 0; i < runs->count; i++) {
		const struct run_count *count = &runs->items[i].counts[index];

		if (!is_valid(&runs->items[i]))
			continue;
		if (count->state == COUNT_OK)
			add_value(row, value_of(row->event, count, setup->raw), i, count);
		else if (count->state == COUNT_NOT_SUPPORTED)
			row->state = COUNT_NOT_SUPPORTED;
	}
	if (row->summary.count)
		row->state = COUNT_OK;
	row->is_whole = row->summary.count == 1 && row->event->scale == 1 &&
			(setup->raw || row->running_ns >= row->enabled_ns);
	row->summary = descriptive_summary(row->values, row->summary.count, setup->level);
}

static const struct {
	const char *name, *label, *unit;
	size_t offset;
} extent_kinds[STAT_EXTENTS] = {
	[STAT_ELAPSED] = { "duration_time", "seconds time elapsed", "ns", offsetof(struct run, wall_ns) },
	[STAT_USER] = { "user_time", "seconds user", "ns", offsetof(struct run, user_ns) },
	[STAT_SYS] = { "system_time", "seconds sys", "ns", offsetof(struct run, sys_ns) },
	[STAT_PEAK] = { "peak_memory", "MiB peak memory", "bytes", offsetof(struct run, peak_bytes) },
};

static void fill_extent(struct stat_figures *figures, const struct stat_setup *setup, size_t index)
{
	struct stat_extent *extent = &figures->extents[index];
	size_t count = 0;

	extent->name = extent_kinds[index].name;
	extent->label = extent_kinds[index].label;
	extent->unit = extent_kinds[index].unit;
	extent->values = memory_zeroed(figures->runs->count, sizeof(*extent->values));
	for (size_t i = 0; i < figures->runs->count; i++) {
		const struct run *run = &figures->runs->items[i];

		if (is_valid(run))
			extent->values[count++] =
				(double)*(const uint64_t *)((const char *)run + extent_kinds[index].offset);
	}
	extent->summary = descriptive_summary(extent->values, count, setup->level);
}

struct stat_figures *stat_figures_create(const struct runs *runs, const struct stat_setup *setup)
{
	struct stat_figures *figures = memory_zeroed(1, sizeof(*figures));

	figures->runs = runs;
	figures->arena = arena_create();
	figures->names = event_list_create();
	for (size_t i = 0; i < runs->count; i++)
		figures->void_count += !is_valid(&runs->items[i]);
	figures->run_count = runs->count - figures->void_count;
	figures->row_count = runs->event_count;
	figures->rows = memory_zeroed(runs->event_count, sizeof(*figures->rows));
	figures->has_command = runs->arm_count && runs->arms[0].command && runs->arms[0].command[0];
	for (size_t i = 0; i < figures->row_count; i++)
		fill_row(figures, setup, i);
	for (size_t i = 0; i < STAT_EXTENTS; i++)
		fill_extent(figures, setup, i);
	stat_add_metrics(figures, setup->metrics);
	return figures;
}

void stat_figures_destroy(struct stat_figures *figures)
{
	if (!figures)
		return;
	for (size_t i = 0; i < figures->row_count; i++) {
		free(figures->rows[i].values);
		free(figures->rows[i].runs);
	}
	for (size_t i = 0; i < STAT_EXTENTS; i++)
		free(figures->extents[i].values);
	event_list_destroy(figures->names);
	arena_destroy(figures->arena);
	free(figures->rows);
	free(figures);
}

double stat_row_share(const struct stat_row *row)
{
	if (row->running_ns >= row->enabled_ns)
		return 100;
	return 100 * (double)row->running_ns / (double)row->enabled_ns;
}
