/* What each task was called over time. */
#ifndef PROFILE_TASK_H
#define PROFILE_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "profile/index.h"
#include "profile/space.h"

struct tasks {
	struct intern *names;
	struct task {
		uint32_t tid;
		struct task_name {
			struct moment when;
			const char *comm;
		} *items;
		size_t count, capacity, last;
		const char *unnamed; /* ":TID" */
	} *items;
	size_t count, capacity;
	struct index by_tid;
	uint32_t last_tid, last_task;
};

void tasks_init(struct tasks *tasks, struct intern *names);
/* In order of time. */
void tasks_name(struct tasks *tasks, uint32_t tid, const char *comm, struct moment when);
void tasks_fork(struct tasks *tasks, uint32_t tid, uint32_t parent_tid, struct moment when);
/* foresee: before its first name, a task is called by that. */
const char *tasks_comm(struct tasks *tasks, uint32_t tid, struct moment when, bool foresee);
void tasks_release(struct tasks *tasks);

#endif
