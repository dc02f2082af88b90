/* What is measured: a command we start, tasks already running, or whole CPUs. */
#ifndef MEASURE_TARGET_H
#define MEASURE_TARGET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct launcher;
struct target;

/* The signals that target_wait() waits for. launcher_create() blocks them and launcher_destroy() gives them back:
 * between the two nothing but target_wait(), or a signalfd(2) of them, sees Ctrl-C. */
void target_signals(sigset_t *ret);

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
	bool find_cpu;            /* fill command_result.cpu: some microseconds more, after its end */
};

/* What the kernel says of a command that ended. */
struct command_result {
	int status;               /* exit status, 128+N for signal N */
	int signal;               /* 0: it exited */
	uint64_t start_ns;        /* CLOCK_REALTIME just before it was released */
	uint64_t wall_ns;         /* CLOCK_MONOTONIC from the release to the exit seen */
	uint64_t user_ns, sys_ns; /* its own and its waited-for children's */
	uint64_t peak_bytes;      /* its own high-water mark, not the starter's */
	uint64_t minor_faults, major_faults, voluntary_switches, involuntary_switches;
	int cpu;                  /* where it last ran; -1 unknown, or not asked for */
};

/**
 * Start a small process before anything is allocated, from which commands are forked: their peak memory is then
 * their own (a child's ru_maxrss starts at its parent's). Create it first thing in a command.
 *
 * A command is this process's child all the same, in our process group and on our terminal: Ctrl-C reaches it as
 * if the shell had started it. It inherits the descriptors and the signal mask of the time of this call.
 * This process becomes the one that orphans of its commands fall to (PR_SET_CHILD_SUBREAPER).
 */
must_use struct error *launcher_create(struct launcher **ret);
pid_t launcher_pid(const struct launcher *launcher);
/* Whether an ended command left processes behind that still run. Call it while no command runs. */
bool launcher_has_orphans(const struct launcher *launcher);
void launcher_destroy(struct launcher *launcher);
DEFINE_GUARD(launcher)

/**
 * Fork a command and hold it just before exec. One command of a launcher is held at a time.
 *
 * launcher: borrowed; outlives the target.
 * Errors:   ERROR_OS. A command that cannot be executed shows in target_wait().
 */
must_use struct error *target_from_command(struct launcher *launcher, const struct command_setup *setup,
					   struct target **ret);
/* With their threads. Errors: ERROR_NOT_FOUND when one is not there. */
must_use struct error *target_from_pids(const pid_t *pids, size_t count, struct target **ret);
must_use struct error *target_from_tids(const pid_t *tids, size_t count, struct target **ret);
/* cpu_list: "0-3,5"; NULL: all online. Errors: ERROR_USAGE for a bad list or a CPU that is not online. */
must_use struct error *target_from_cpus(const char *cpu_list, struct target **ret);

bool target_is_command(const struct target *target);
bool target_is_cpus(const struct target *target);
pid_t target_pid(const struct target *target); /* of the command; 0 otherwise */
size_t target_places(const struct target *target, const struct place **ret); /* borrowed */

/* Let the held command exec: its wall time starts here. Does not wait for the exec. Errors: ERROR_OS. */
must_use struct error *target_start(struct target *target);
/**
 * Wait for the command, or for the end of all tasks.
 *
 * timeout_ns: 0 waits as long as it takes.
 * done: false when the time was up or a signal arrived: target_signal() says which. A signal that a process sent
 *       to us alone (kill, timeout) was passed on to the command.
 * Errors: ERROR_NOT_FOUND with exit status 127, ERROR_PERMISSION with 126: the command could not be executed.
 */
must_use struct error *target_wait(struct target *target, uint64_t timeout_ns, bool *done);
int target_signal(const struct target *target); /* SIGINT, SIGTERM, SIGHUP, or 0 */
/* To poll(2) beside rings: readable once the command, or the task, has ended. -1 for CPUs, several tasks and
 * old kernels. Owned by the target. */
int target_pidfd(struct target *target);
/* Valid once target_wait() said done. */
const struct command_result *target_result(const struct target *target);
void target_kill(struct target *target, int signal);
void target_destroy(struct target *target); /* kills a command never started, reaps one still running */
DEFINE_GUARD(target)

#endif
