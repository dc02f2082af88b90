/* Metrics of events/metrics.tsv as metrics of an experiment: instructions per cycle, miss rates. */
#include "cmd/derived.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "event/metric.h"

/* A metric and the events of the runs that it takes its counts from. */
struct binding {
	const struct metric *metric;
	size_t events[8]; /* [metric->event_count] */
};

struct derived_list {
	struct metric_table *table;
	struct derived_metric *items;
	struct binding *bindings;
	size_t count;
};

static const char duration[] = "duration_time";

void derived_list_destroy(struct derived_list *list)
{
	if (!list)
		return;
	free(list->items);
	free(list->bindings);
	metric_table_destroy(list->table);
	free(list);
}

/* Where the modifiers of an event's name begin: "cycles:u" at ":u". */
static const char *modifiers(const char *name)
{
	return name + strcspn(name, ":");
}

/* A file has the names alone: other names of one event are these. */
static bool is_called(const char *event, const char *wanted)
{
	static const char *const same[][2] = { { "cpu-cycles", "cycles" }, { "branch-instructions", "branches" } };
	size_t length = strlen(wanted);

	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		if (!strcmp(wanted, same[i][1]) && !strncmp(event, same[i][0], strlen(same[i][0])) &&
		    strchr(":", event[strlen(same[i][0])]))
			return true;
	return !strncmp(event, wanted, length) && (!event[length] || event[length] == ':');
}

/* Counts of one metric are of the same modes; clocks have none. */
static bool find_event(const struct runs *runs, const char *wanted, const char **modes, size_t *ret)
{
	bool is_clock = !strcmp(wanted, "task-clock") || !strcmp(wanted, "cpu-clock");

	for (size_t i = 0; i < runs->event_count; i++) {
		const char *name = runs->events[i].name;

		if (!is_called(name, wanted) || (!is_clock && *modes && strcmp(modifiers(name), *modes)))
			continue;
		if (!is_clock)
			*modes = modifiers(name);
		*ret = i;
		return true;
	}
	return false;
}

static bool bind(const struct metric *metric, const struct runs *runs, struct binding *ret)
{
	const char *modes = NULL;

	if (metric->event_count > ARRAY_SIZE(ret->events))
		return false;
	for (size_t i = 0; i < metric->event_count; i++) {
		ret->events[i] = SIZE_MAX;
		if (strcmp(metric->events[i], duration) &&
		    !find_event(runs, metric->events[i], &modes, &ret->events[i]))
			return false;
	}
	ret->metric = metric;
	return true;
}

/* What a metric asks its counts of. */
struct asked {
	const struct binding *binding;
	const struct runs *runs;
	const struct run *run;
};

static double value_of(const char *name, void *closure)
{
	const struct asked *asked = closure;
	const struct metric *metric = asked->binding->metric;

	for (size_t i = 0; i < metric->event_count; i++) {
		const struct run_count *count;

		if (strcmp(metric->events[i], name))
			continue;
		if (asked->binding->events[i] == SIZE_MAX)
			return (double)asked->run->wall_ns;
		count = &asked->run->counts[asked->binding->events[i]];
		/* A count that was on for only a part belongs to no exact ratio. */
		return count->state == COUNT_OK && count->running_ns == count->enabled_ns ? (double)count->value : NAN;
	}
	return NAN;
}

static double compute(void *context, const struct runs *runs, const struct run *run)
{
	struct asked asked = { context, runs, run };

	return metric_value(asked.binding->metric, value_of, &asked);
}

static bool is_named(const struct runs *runs, const char *name)
{
	for (size_t i = 0; i < runs->plan_count; i++)
		if (!strncmp(runs->plan[i], "metric=", 7) && !strcmp(runs->plan[i] + 7, name))
			return true;
	return false;
}

static bool is_there(const struct derived_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->bindings[i].metric->name, name))
			return true;
	return false;
}

/* One that says what is better, and stands beside certain events, is shown unasked. */
static bool is_wanted(const struct metric *metric, const struct runs *runs)
{
	return (metric->good != METRIC_NONE && strcmp(metric->beside, "-") && strcmp(metric->beside, "*")) ||
	       is_named(runs, metric->name);
}

/* The name of the row says the rest. */
static const char *short_unit(const struct metric *metric)
{
	return metric->percent ? "%" : strlen(metric->unit) <= 4 ? metric->unit : "";
}

/* Rows of one name are alternatives: the first whose events are there holds. */
static void fill(const struct runs *runs, struct derived_list *list)
{
	size_t rows = metric_count(list->table);

	list->items = memory_zeroed(rows + 1, sizeof(*list->items));
	list->bindings = memory_zeroed(rows + 1, sizeof(*list->bindings));
	for (size_t i = 0; i < rows; i++) {
		const struct metric *metric = metric_at(list->table, i);
		struct binding *binding = &list->bindings[list->count];

		if (!is_wanted(metric, runs) || is_there(list, metric->name) || !bind(metric, runs, binding))
			continue;
		list->items[list->count++] = (struct derived_metric){ metric->name, short_unit(metric),
								      metric->good == METRIC_HIGHER, compute, binding };
	}
}

static struct error *check_named(const struct runs *runs, const struct derived_list *list)
{
	for (size_t i = 0; i < runs->plan_count; i++)
		if (!strncmp(runs->plan[i], "metric=", 7) && !is_there(list, runs->plan[i] + 7))
			return error_hint(error_new(ERROR_USAGE, "--metric %s: its events are not counted in these runs",
						    runs->plan[i] + 7), "'perfmini list' shows what it is made of");
	return NULL;
}

static bool names_any(const struct runs *runs)
{
	for (size_t i = 0; i < runs->plan_count; i++)
		if (!strncmp(runs->plan[i], "metric=", 7))
			return true;
	return false;
}

struct error *derived_list_create(const struct runs *runs, struct derived_list **ret)
{
	cleanup(derived_list_guard) struct derived_list *list = memory_zeroed(1, sizeof(*list));
	struct error *err = names_any(runs) ? metric_table_load(NULL, &list->table) :
					      metric_table_load_beside(&list->table);

	if (err)
		return err;
	fill(runs, list);
	err = check_named(runs, list);
	if (!err)
		*ret = take(list);
	return err;
}

const struct derived_metric *derived_list_items(const struct derived_list *list, size_t *count)
{
	*count = list->count;
	return list->items;
}

static struct error *unknown_metric(const struct metric_table *table, const char *name)
{
	auto_free const char **names = memory_zeroed(metric_count(table) + 1, sizeof(*names));
	const char *near;
	struct error *err = error_new(ERROR_USAGE, "--metric '%s' is neither NAME=/EXPRESSION/ nor a metric for this CPU",
				      name);

	for (size_t i = 0; i < metric_count(table); i++)
		names[i] = metric_at(table, i)->name;
	near = text_nearest(name, names, metric_count(table));
	return near ? error_hint(err, "did you mean %s?", near) :
		      error_hint(err, "'perfmini list' names metrics, such as insn-per-cycle");
}

struct error *derived_add_events(const char *name, struct event_list *events)
{
	cleanup(metric_table_guard) struct metric_table *table = NULL;
	const struct metric *metric;
	size_t cursor = 0;
	struct error *err = metric_table_load(NULL, &table);

	if (err)
		return err;
	metric = metric_find(table, name, &cursor);
	if (!metric)
		return unknown_metric(table, name);
	for (size_t i = 0; !err && i < metric->event_count; i++) {
		bool there = !strcmp(metric->events[i], duration);

		for (size_t j = 0; j < event_list_count(events) && !there; j++)
			there = event_is(event_list_at(events, j), metric->events[i]);
		if (!there)
			err = event_list_add(events, metric->events[i]);
	}
	return err;
}
