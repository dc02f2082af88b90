/* Measured runs: every run of every arm with every count, in memory and as a runs file (perfmini-runs(5)). `stat`
 * has one arm; `ab` has several, run in blocks. */
#ifndef RUNS_RUNS_H
#define RUNS_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct arena;

enum run_flag { /* does not void a run; shown beside it */
	RUN_STEAL = 1 << 0, RUN_THROTTLED = 1 << 1, RUN_FOREIGN_LOAD = 1 << 2, RUN_MAJOR_FAULT = 1 << 3,
	RUN_MIGRATED = 1 << 4,
};

enum count_state { COUNT_OK, COUNT_NOT_COUNTED, COUNT_NOT_SUPPORTED, COUNT_NOT_IN_RUN /* its group was not on */ };

/* One event in one run, raw. */
struct run_count {
	uint64_t value, enabled_ns, running_ns;
	enum count_state state;
};

struct run_event {
	const char *name, *note, *unit;
	double scale;
	size_t group; /* leader's index */
};

struct run_arm {
	const char *name;
	const char *const *command; /* NULL-terminated */
	const char *build_id;       /* hex of the executable, or NULL */
	const char *content_hash;   /* of the executable, or NULL */
};

struct run {
	uint32_t arm, block, position; /* position in its block; 0 for stat */
	bool is_void;                  /* failed or its block was voided: kept, never analysed */
	int status;                    /* exit status, 128+N for a signal */
	int cpu;                       /* last CPU, -1 unknown */
	uint32_t flags;                /* enum run_flag */
	uint32_t padding_bytes;        /* environment padding, 0 none */
	uint64_t start_ns;             /* CLOCK_REALTIME */
	uint64_t wall_ns, user_ns, sys_ns, peak_bytes;
	uint64_t minor_faults, major_faults, voluntary_switches, involuntary_switches;
	uint64_t output_hash;          /* of stdout; 0 not taken */
	const char *condition;         /* "quiet", "pressure"; NULL none */
	struct run_count *counts;      /* [event_count] */
	double *printed;               /* [printed_count] numbers found in its output, NaN none */
};

struct runs {
	struct arena *arena;           /* owns every string and array below */
	const char *kind;              /* "stat", "ab" */
	const char *host, *kernel, *cpu_model, *machine; /* machine: uname -m */
	const char *version;           /* of perfmini */
	uint64_t seed;
	const char *const *settings;   /* "name=value" of the environment audit */
	size_t setting_count;
	struct run_arm *arms;
	size_t arm_count;
	struct run_event *events;
	size_t event_count;
	const char *const *printed;    /* names of numbers found in output (--metric) */
	size_t printed_count;
	struct run *items;
	size_t count, capacity;
};

struct runs *runs_create(const char *kind);
/* A zeroed run with room for its counts; valid until the next call. */
struct run *runs_add(struct runs *runs);
/* Whole file, replaced atomically. Errors: ERROR_OS: the old file survives. */
must_use struct error *runs_save(const struct runs *runs, const char *path);
/* Errors: ERROR_FORMAT names file and place; ERROR_UNSUPPORTED for a version newer than ours. */
must_use struct error *runs_load(const char *path, struct runs **ret);
void runs_destroy(struct runs *runs);
DEFINE_GUARD(runs)

#endif
