/* The counters as the files of measure/ that make them see them. */
#ifndef MEASURE_COUNTERS_PRIVATE_H
#define MEASURE_COUNTERS_PRIVATE_H

#include "measure/counters.h"

struct counters {
	struct counters_setup setup;
	size_t event_count;
	struct place *places;     /* tasks first, then CPUs of events that count CPUs only */
	size_t place_count, place_capacity, task_place_count;
	int *fds;                 /* [event][place] */
	size_t *leader;           /* [event]: of its group as opened; its own index when alone */
	struct error **why;       /* [event]; NULL: open */
	int *refused;             /* [event] errno of why */
	bool *user_only;          /* [event] */
	bool on_exec;             /* task events are opened with enable_on_exec */
	bool no_group_read;       /* an old kernel refuses PERF_FORMAT_GROUP with inherit */
	int *keep_apart_fds;      /* [event] see keep_apart(); -1: none */
};

/* Which places there are for a target, and for its events that count CPUs. */
must_use struct error *counters_find_places(struct counters *counters);
/* Whether the event is opened at the place. */
bool counters_belongs(const struct counters *counters, size_t event, size_t place);

int *counters_slot(const struct counters *counters, size_t event, size_t place);
bool counters_is_leader(const struct counters *counters, size_t event);
size_t counters_group_size(const struct counters *counters, size_t leader);
void counters_close_event(struct counters *counters, size_t event);

#endif
