/* Built-in workloads: programs whose work is known exactly, to measure the measuring with. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* What a workload's command line may hold beside the count. */
enum workload_takes {
	TAKES_THREADS = 1 << 0,
	TAKES_ARRAY = 1 << 1,
	TAKES_MARKERS = 1 << 2,
	TAKES_PRESSURE = 1 << 3,
	TAKES_PIN = 1 << 4,
};

/* One run, checked: count and threads are not 0, the words are among those the workload knows. */
struct workload_plan {
	uint64_t count;    /* operations, exactly */
	unsigned kind;     /* index into workload.kinds */
	unsigned markers;  /* index into workload_markers */
	unsigned pressure; /* index into workload_pressures */
	uint64_t threads;
	uint64_t array_bytes;
	uint64_t cpu; /* that the ends are pinned to, or WORKLOAD_ANY_CPU */
};

#define WORKLOAD_ANY_CPU UINT64_MAX

/* What was asked for, unchecked; NULL, 0 and WORKLOAD_ANY_CPU where nothing was. */
struct workload_request {
	const char *kind, *count;
	const char *markers, *pressure;
	uint64_t threads, array_bytes;
	bool threads_given, array_given;
	uint64_t cpu;
};

/* A workload does plan->count operations, or fails. Adding one: its function, and its line in workloads.def. */
typedef struct error *workload_run(const struct workload_plan *plan);

struct workload {
	const char *name;
	const char *unit;          /* what is counted, in the plural: "round trips" */
	const char *const *kinds;  /* ends with NULL; NULL when there is one kind only */
	uint64_t count;            /* default */
	uint64_t array_bytes;      /* default */
	unsigned takes;            /* of workload_takes */
	const char *summary;
	workload_run *run;
};

/* Words of --markers and --pressure, in the order of the enums below, and of kinds; each ends with NULL. */
extern const char *const workload_markers[], *const workload_pressures[];
enum { MARKERS_NONE, MARKERS_GLOBAL, MARKERS_IMM };
enum { PRESSURE_NONE, PRESSURE_SWEEP, PRESSURE_RANDOM };

extern const char *const workload_branch_kinds[], *const workload_timestamp_kinds[];

size_t workload_count(void);
const struct workload *workload_at(size_t index);
/* Errors: ERROR_USAGE suggests a near name. */
must_use struct error *workload_find(const char *name, const struct workload **ret);

/* Fill in the defaults and check. Errors: ERROR_USAGE names the argument and what it may be; ERROR_OS when
 * the array does not fit into memory. */
must_use struct error *workload_plan(const struct workload *workload, const struct workload_request *request,
				     struct workload_plan *ret);

#define WORKLOAD(id, ...) workload_run workload_##id;
#include "workload/workloads.def"
#undef WORKLOAD

#endif
