/* Event names of libpfm4, which knows the events of most CPUs. */
#ifndef EVENT_PFM_H
#define EVENT_PFM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* "x86_64/skl": this CPU by libpfm4's name, several separated by commas, "x86_64/unknown" when it has none. */
const char *pfm_host_cpu(struct arena *arena);

/* One event of one of libpfm4's PMUs. Strings are libpfm4's. */
struct pfm_event {
	const char *pmu, *pmu_description; /* "skl", "Intel Skylake" */
	const char *name, *description;
	bool present;                      /* the PMU is of this machine */
	int index;                         /* for pfm_each_mask() */
};

/* Every event of the PMUs of this machine (or of all with any), PMU by PMU; not those of the kernel's own. */
void pfm_each_event(bool any, void (*visit)(const struct pfm_event *event, void *closure), void *closure);
/* Its unit masks. */
void pfm_each_mask(int index, void (*visit)(const char *name, const char *description, void *closure), void *closure);

#endif
