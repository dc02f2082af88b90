/* What is measured: a command we start, tasks already running, or whole CPUs. */
#ifndef MEASURE_TARGET_H
#define MEASURE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct launcher;
struct target;

/* Where counters are opened: pid and cpu as perf_event_open(2) takes them, -1 for any. */
struct place {
	pid_t pid;
	int cpu;
};

/* How a command is started. Zero is: inherit everything. */
struct command_setup {
	char *const *argv;        /* NULL-terminated; argv[0] searched in PATH */
	char *const *environment; /* NULL: ours */
	const char *directory;    /* NULL: ours */
	int stdin_fd, stdout_fd, stderr_fd; /* 0: inherit */
	const int *cpus;          /* [cpu_count] affinity, or NULL */
	size_t cpu_count;
};

/* What the kernel says of a command that ended. */
struct command_result {
	int status;               /* exit status, 128+N for signal N */
	int signal;               /* 0: it exited */
	uint64_t start_ns;        /* CLOCK_REALTIME just before it was released */
	uint64_t wall_ns;         /* CLOCK_MONOTONIC from the release to the reaped exit */
	uint64_t user_ns, sys_ns; /* its own and its waited-for children's */
	uint64_t peak_bytes;      /* its own high-water mark, not the starter's */
	uint64_t minor_faults, major_faults, voluntary_switches, involuntary_switches;
	int cpu;                  /* where it last ran, -1 unknown */
};

/* A small process started before anything is allocated, from which commands are forked: their peak memory is
 * then their own (a child's ru_maxrss starts at its parent's). Create it first thing in a command. */
must_use struct error *launcher_create(struct launcher **ret);
void launcher_destroy(struct launcher *launcher);
DEFINE_GUARD(launcher)

/**
 * Fork a command and hold it just before exec.
 *
 * Errors: ERROR_OS. A command that cannot be executed shows in target_start().
 */
must_use struct error *target_from_command(struct launcher *launcher, const struct command_setup *setup,
					   struct target **ret);
must_use struct error *target_from_pids(const pid_t *pids, size_t count, struct target **ret); /* with their threads */
must_use struct error *target_from_tids(const pid_t *tids, size_t count, struct target **ret);
must_use struct error *target_from_cpus(const char *cpu_list, struct target **ret); /* NULL: all online */

bool target_is_command(const struct target *target);
bool target_is_cpus(const struct target *target);
pid_t target_pid(const struct target *target); /* of the command; 0 otherwise */
size_t target_places(const struct target *target, const struct place **ret); /* borrowed */

/* Let the held command exec. Errors: ERROR_NOT_FOUND with exit status 127, ERROR_PERMISSION with 126. */
must_use struct error *target_start(struct target *target);
/* Wait for the command, or for the end of all tasks; returns early with *done false after timeout_ns (0: none) or
 * when a signal arrived. */
must_use struct error *target_wait(struct target *target, uint64_t timeout_ns, bool *done);
/* Valid once target_wait() said done. */
const struct command_result *target_result(const struct target *target);
void target_kill(struct target *target, int signal);
void target_destroy(struct target *target); /* kills a command never started, reaps one still running */
DEFINE_GUARD(target)

#endif
