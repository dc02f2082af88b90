/* Events that count nanoseconds. */
#ifndef EVENT_CLOCK_H
#define EVENT_CLOCK_H

#include <linux/perf_event.h>
#include <stdbool.h>

static inline bool event_is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

#endif
