/* The target as the files of measure/ that make it see it. */
#ifndef MEASURE_TARGET_PRIVATE_H
#define MEASURE_TARGET_PRIVATE_H

#include <time.h>

#include "measure/launcher.h"
#include "measure/target.h"

struct target {
	struct launcher *launcher; /* of a command; borrowed */
	char *name;                /* of a command, for messages */
	pid_t pid;                 /* of a command; 0 otherwise */
	pid_t *tasks;              /* whose end is waited for; none for CPUs */
	size_t task_count, task_capacity;
	bool tasks_are_threads;
	struct place *places;
	size_t place_count, place_capacity;
	bool started, ended, find_cpu;
	int signal, pidfd;
	uint64_t start_ns;         /* CLOCK_MONOTONIC */
	struct command_result result;
};

struct target *target_create(void);
void target_add_place(struct target *target, struct place place);
uint64_t target_clock_ns(clockid_t clock);
/* Wait for one of target_signals(). false: the time, of CLOCK_MONOTONIC, is up; 0: never. */
bool target_wait_signal(struct target *target, uint64_t deadline_ns);
must_use struct error *target_wait_tasks(struct target *target, uint64_t deadline_ns, bool *done);

#endif
