/* The kernel's own events: software, hardware, cache, by perf's names and their aliases. */
#ifndef EVENT_GENERIC_H
#define EVENT_GENERIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct generic_event {
	const char *name, *alias; /* alias may be NULL */
	uint32_t type;            /* PERF_TYPE_SOFTWARE, _HARDWARE or _HW_CACHE */
	uint64_t config;
	const char *description;
};

/* Software and hardware events, in the order they are listed. */
size_t generic_count(void);
const struct generic_event *generic_at(size_t index);

/* By name, alias, or cache name ("L1-dcache-load-misses", also "LLC-misses"). *ret untouched when not found. */
bool generic_find(const char *name, size_t length, struct generic_event *ret);

/* Every cache event perf names: "L1-dcache-loads"…; visit's name is borrowed during the call. */
void generic_each_cache(void (*visit)(const char *name, uint64_t config, void *closure), void *closure);

#endif
