/* The PMUs that sysfs names: their types, CPUs, formats and events. */
#ifndef EVENT_PMU_H
#define EVENT_PMU_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

struct pmu {
	const char *name;
	const char *directory; /* …/bus/event_source/devices/NAME */
	uint32_t type;         /* perf_event_attr.type */
	const char *cpus;      /* contents of cpumask or cpus, or NULL */
	bool system_wide;      /* has a cpumask: counts places, not tasks */
	bool core;             /* counts instructions of a CPU: "cpu", or one kind of a hybrid's */
};

struct pmu_set {
	struct pmu *items; /* core PMUs first, then by name */
	size_t count, capacity;
	size_t core_count;
};

/* Read every PMU under sys ("/sys"); strings live in arena. No PMUs is no error. The caller frees. */
struct pmu_set *pmu_set_read(const char *sys, struct arena *arena);
void pmu_set_destroy(struct pmu_set *set);
DEFINE_GUARD(pmu_set)

/* Whether "uncore_imc" or "imc" or a glob names this PMU. */
bool pmu_matches(const struct pmu *pmu, const char *name);

/* One of a PMU's events, as sysfs has it. */
struct pmu_event {
	const char *terms; /* "event=0x3c,umask=0x1" */
	double scale;      /* 1 without a .scale file */
	const char *unit;  /* "" without a .unit file */
};

/* False when the PMU has no such event. */
bool pmu_event_find(const struct pmu *pmu, const char *name, struct arena *arena, struct pmu_event *ret);
/* Its event names, sorted, NULL-terminated; arena. */
const char **pmu_event_names(const struct pmu *pmu, struct arena *arena);
/* Names of its format terms, sorted, NULL-terminated; arena. */
const char **pmu_format_names(const struct pmu *pmu, struct arena *arena);

/**
 * Set a format's bits in attr to value.
 *
 * Errors: ERROR_NOT_FOUND when the PMU has no such term, ERROR_USAGE when the value does not fit,
 *         ERROR_FORMAT when sysfs is not understood.
 */
must_use struct error *pmu_format_set(const struct pmu *pmu, const char *term, uint64_t value,
				      struct perf_event_attr *attr);

/* Parse "config1:0-7,32-35" and spread value over those bits. Errors: ERROR_USAGE, ERROR_FORMAT. */
must_use struct error *pmu_format_apply(const char *format, uint64_t value, struct perf_event_attr *attr);

#endif
