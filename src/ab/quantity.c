/* What is compared: one number of each run. */
#include "ab/quantity.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define DEFAULT_THRESHOLD 0.01

static const struct {
	const char *name, *unit;
	enum quantity_kind kind;
} built_in[] = {
	{ "wall", "ns", QUANTITY_WALL },
	{ "user", "ns", QUANTITY_USER },
	{ "sys", "ns", QUANTITY_SYS },
	{ "peak-memory", "bytes", QUANTITY_PEAK },
};

/* Counts that hardly vary deserve a finer threshold, misses a coarser one. */
static double default_threshold(const char *name)
{
	if (strncmp(name, "instructions", 12) == 0)
		return 0.001;
	return strstr(name, "misses") ? 0.05 : DEFAULT_THRESHOLD;
}

struct quantity *quantity_list(const struct runs *runs, const struct derived_metric *derived, size_t derived_count,
			       size_t *count)
{
	size_t room = ARRAY_SIZE(built_in) + runs->event_count + runs->printed_count + derived_count, used = 0;
	struct quantity *list = memory_zeroed(room, sizeof(*list));

	for (size_t i = 0; i < ARRAY_SIZE(built_in); i++)
		list[used++] = (struct quantity){ .name = built_in[i].name, .unit = built_in[i].unit,
						  .kind = built_in[i].kind };
	for (size_t i = 0; i < runs->event_count; i++)
		list[used++] = (struct quantity){ .name = runs->events[i].name, .unit = runs->events[i].unit,
						  .kind = QUANTITY_EVENT, .index = i,
						  .is_count = !(runs->events[i].scale > 0) || runs->events[i].scale == 1 };
	for (size_t i = 0; i < runs->printed_count; i++)
		list[used++] = (struct quantity){ .name = runs->printed[i], .kind = QUANTITY_PRINTED, .index = i };
	for (size_t i = 0; i < derived_count; i++)
		list[used++] = (struct quantity){ .name = derived[i].name, .unit = derived[i].unit,
						  .kind = QUANTITY_DERIVED, .derived = &derived[i],
						  .higher_is_better = derived[i].higher_is_better };
	for (size_t i = 0; i < used; i++) {
		list[i].threshold = default_threshold(list[i].name);
		if (!list[i].unit)
			list[i].unit = "";
	}
	*count = used;
	return list;
}

bool quantity_in(const struct quantity *wanted, const struct runs *runs, struct quantity *ret)
{
	*ret = *wanted;
	if (wanted->kind == QUANTITY_EVENT) {
		for (ret->index = 0; ret->index < runs->event_count; ret->index++)
			if (strcmp(runs->events[ret->index].name, wanted->name) == 0)
				return true;
		return false;
	}
	if (wanted->kind == QUANTITY_PRINTED) {
		for (ret->index = 0; ret->index < runs->printed_count; ret->index++)
			if (strcmp(runs->printed[ret->index], wanted->name) == 0)
				return true;
		return false;
	}
	return true;
}

static double count_value(const struct run_event *event, const struct run_count *count)
{
	double value = (double)count->value;

	if (count->state != COUNT_OK || (count->enabled_ns && !count->running_ns))
		return NAN;
	if (count->running_ns && count->running_ns < count->enabled_ns)
		value *= (double)count->enabled_ns / count->running_ns;
	return event->scale > 0 ? value * event->scale : value;
}

double quantity_value(const struct quantity *q, const struct runs *runs, const struct run *run)
{
	if (run->is_void)
		return NAN;
	switch (q->kind) {
	case QUANTITY_WALL:
		return (double)run->wall_ns;
	case QUANTITY_USER:
		return (double)run->user_ns;
	case QUANTITY_SYS:
		return (double)run->sys_ns;
	case QUANTITY_PEAK:
		return (double)run->peak_bytes;
	case QUANTITY_EVENT:
		return count_value(&runs->events[q->index], &run->counts[q->index]);
	case QUANTITY_PRINTED:
		return run->printed[q->index];
	case QUANTITY_DERIVED:
		return q->derived->compute(q->derived->context, runs, run);
	}
	return NAN;
}

bool quantity_is_scaled(const struct quantity *q, const struct run *run)
{
	const struct run_count *count;

	if (q->kind != QUANTITY_EVENT)
		return false;
	count = &run->counts[q->index];
	return count->state == COUNT_OK && count->running_ns && count->running_ns < count->enabled_ns;
}
