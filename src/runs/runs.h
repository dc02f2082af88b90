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
	RUN_MIGRATED = 1 << 4, RUN_LEFT_CHILDREN = 1 << 5, RUN_CHANGED_BINARY = 1 << 6,
};

enum count_state { COUNT_OK, COUNT_NOT_COUNTED, COUNT_NOT_SUPPORTED, COUNT_NOT_IN_RUN /* its group was not on */ };

/* One event in one run, raw. */
struct run_count {
	uint64_t value, enabled_ns, running_ns;
	enum count_state state;
};

struct run_event {
	const char *name, *note, *unit; /* note and unit may be NULL */
	double scale;
	size_t group;      /* leader's index */
	const char *place; /* the part of the machine or the thread counted: "CPU0", "S0-D0-C1"; NULL: all of them */
	uint32_t place_cpus; /* how many CPUs are in it; 0 for tasks */
	const char *why;   /* why it was not counted, in one line; NULL */
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
	const char *void_why;          /* "exit status 3", or NULL */
	int status;                    /* exit status, 128+N for a signal */
	int cpu;                       /* last CPU, -1 unknown */
	uint32_t flags;                /* enum run_flag */
	uint32_t padding_bytes;        /* environment padding, 0 none */
	uint32_t layout;               /* which build or layout of its arm */
	uint64_t start_ns;             /* CLOCK_REALTIME */
	uint64_t wall_ns, user_ns, sys_ns, peak_bytes;
	uint64_t minor_faults, major_faults, voluntary_switches, involuntary_switches;
	uint64_t foreign_ns;           /* CPU time that others took meanwhile, all CPUs; 0: none or unknown */
	uint64_t output_hash;          /* of stdout; 0 not taken */
	const char *condition;         /* "quiet", "pressure"; NULL none */
	struct run_count *counts;      /* [event_count] */
	double *printed;               /* [printed_count] numbers found in its output, NaN none */
};

struct runs {
	struct arena *arena;           /* owns every string and array here but items; use runs_text() to add */
	const char *kind;              /* "stat", "ab" */
	const char *host, *kernel, *cpu_model, *machine; /* machine: uname -m; NULL unknown */
	const char *version;           /* of perfmini */
	uint64_t seed;
	const char *const *settings;   /* "name=value" of the environment audit */
	size_t setting_count;
	const char *const *plan;       /* "name=value": how the runs were taken and are to be judged */
	size_t plan_count;
	struct run_arm *arms;
	size_t arm_count;
	struct run_event *events;
	size_t event_count;
	const char *const *printed;    /* names of numbers found in output (--metric) */
	size_t printed_count;
	struct run *items;
	size_t count, capacity;
	const char *cut;               /* runs_load(): what was lost of a file cut short, or NULL */
	uint64_t whole_bytes;          /* runs_load(): where the last complete block ends in the file */
};

/* host, kernel, cpu_model, machine and version are filled in for this machine. */
struct runs *runs_create(const char *kind);
/* A copy in the arena; NULL stays NULL. */
const char *runs_text(struct runs *runs, const char *text);
/* Space in the arena, zeroed. */
void *runs_alloc(struct runs *runs, size_t count, size_t size);
/* A zeroed run with room for its counts; valid until the next call. Events and printed must be set before. */
struct run *runs_add(struct runs *runs);
/* The value of "name=value" in plan or settings, or NULL. */
const char *runs_plan(const struct runs *runs, const char *name);
const char *runs_setting(const struct runs *runs, const char *name);
void runs_destroy(struct runs *runs);
DEFINE_GUARD(runs)

/* Whole file, replaced atomically. Errors: ERROR_OS: the old file survives. */
must_use struct error *runs_save(const struct runs *runs, const char *path);

/**
 * Load a runs file.
 *
 * A file of kind "ab" that ends early (no end line) keeps its complete blocks and says so in runs->cut.
 * Errors: ERROR_FORMAT names file, line and column; a file of another kind that ends early is one of them.
 *         ERROR_UNSUPPORTED for a version newer than ours. ERROR_NOT_FOUND, ERROR_OS.
 */
must_use struct error *runs_load(const char *path, struct runs **ret);
/* As runs_load() from memory; name stands in messages. */
must_use struct error *runs_parse(const char *bytes, size_t size, const char *name, struct runs **ret);

/* A runs file that grows block by block: what was appended survives Ctrl-C and a crash of the program, and a reboot
 * all but its last tenth of a second. */
struct runs_writer;

/* Errors: ERROR_OS. A file of that name is replaced only once the header is written. */
must_use struct error *runs_writer_create(const struct runs *runs, const char *path, struct runs_writer **ret);
/* Go on with a file: what follows its last complete block (runs->whole_bytes) is cut off. */
must_use struct error *runs_writer_resume(const struct runs *runs, const char *path, struct runs_writer **ret);
/* Append items[first] to the last as one write. Errors: ERROR_OS (disk full…); the file is then as before. */
must_use struct error *runs_writer_append(struct runs_writer *writer, const struct runs *runs, size_t first);
/* Write the end line: the file is complete. It can still be resumed. */
must_use struct error *runs_writer_finish(struct runs_writer *writer, const struct runs *runs);
void runs_writer_destroy(struct runs_writer *writer); /* leaves what was appended */
DEFINE_GUARD(runs_writer)

#endif
