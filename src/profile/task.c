/* Names of tasks, by thread id and moment. */
#include "profile/task.h"

#include <stdio.h>

#include "base/intern.h"
#include "base/memory.h"

static uint32_t task_find_or_add(struct tasks *tasks, uint32_t tid)
{
	uint32_t found = index_find(&tasks->by_tid, tid);
	char unnamed[16];

	if (found != INDEX_NONE)
		return found;
	array_grow(&tasks->items, tasks->count, &tasks->capacity);
	found = (uint32_t)tasks->count++;
	snprintf(unnamed, sizeof(unnamed), ":%d", (int)tid);
	tasks->items[found] = (struct task){ .tid = tid, .unnamed = intern_text(tasks->names, unnamed) };
	index_add(&tasks->by_tid, tid, found);
	return found;
}

void tasks_init(struct tasks *tasks, struct intern *names)
{
	tasks->names = names;
	tasks->last_tid = UINT32_MAX;
	tasks->last_task = task_find_or_add(tasks, UINT32_MAX);
	/* The kernel's idle task is never announced. */
	uint32_t idle = task_find_or_add(tasks, 0);

	tasks->items[idle].unnamed = intern_text(names, "swapper");
}

void tasks_name(struct tasks *tasks, uint32_t tid, const char *comm, struct moment when)
{
	uint32_t number = task_find_or_add(tasks, tid);
	struct task *task = &tasks->items[number];

	array_grow(&task->items, task->count, &task->capacity);
	task->items[task->count++] = (struct task_name){ when, comm };
}

void tasks_fork(struct tasks *tasks, uint32_t tid, uint32_t parent_tid, struct moment when)
{
	uint32_t parent = task_find_or_add(tasks, parent_tid);
	uint32_t child = task_find_or_add(tasks, tid);
	const struct task *from = &tasks->items[parent];

	if (child == parent)
		return;
	tasks_name(tasks, tid, from->count ? from->items[from->count - 1].comm : tasks->items[child].unnamed, when);
}

static inline bool not_after(const struct task_name *name, const struct moment *when)
{
	return name->when.time_ns != when->time_ns ? name->when.time_ns < when->time_ns :
						     name->when.file_offset <= when->file_offset;
}

const char *tasks_comm(struct tasks *tasks, uint32_t tid, struct moment when, bool foresee)
{
	if (tid != tasks->last_tid) {
		tasks->last_tid = tid;
		tasks->last_task = task_find_or_add(tasks, tid);
	}

	struct task *task = &tasks->items[tasks->last_task];
	size_t low = 0, high = task->count;

	if (task->last < high && not_after(&task->items[task->last], &when)) {
		low = task->last + 1;
		if (low == high || !not_after(&task->items[low], &when))
			return task->items[task->last].comm;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (not_after(&task->items[middle], &when))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return foresee && task->count ? task->items[0].comm : task->unnamed;
	task->last = low - 1;
	return task->items[low - 1].comm;
}

void tasks_release(struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->count; i++)
		free(tasks->items[i].items);
	free(tasks->items);
	index_release(&tasks->by_tid);
}
