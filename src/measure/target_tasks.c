/* What is measured: running processes, threads and CPUs. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "measure/cpu_list.h"
#include "measure/target_private.h"

enum { POLL_NS = 10 * 1000 * 1000 }; /* how late the end of a task of others may be seen */


struct target *target_create(void)
{
	struct target *target = memory_zeroed(1, sizeof(*target));

	target->pidfd = -1;
	target->result.cpu = -1;
	return target;
}

void target_add_place(struct target *target, struct place place)
{
	array_grow(&target->places, target->place_count, &target->place_capacity);
	target->places[target->place_count++] = place;
}

static void add_task(struct target *target, pid_t task)
{
	array_grow(&target->tasks, target->task_count, &target->task_capacity);
	target->tasks[target->task_count++] = task;
}

static void closedir_guard(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* Threads that end meanwhile are no error: opening their counters tells. */
static struct error *add_threads(struct target *target, pid_t pid)
{
	char path[64];
	struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);

	cleanup(closedir_guard) DIR *dir = opendir(path);

	if (!dir)
		return error_hint(error_new(ERROR_NOT_FOUND, "no process %d", (int)pid), "'ps -e' lists processes");
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			target_add_place(target, (struct place){ .pid = atoi(entry->d_name), .cpu = -1 });
	return NULL;
}

struct error *target_from_pids(const pid_t *pids, size_t count, struct target **ret)
{
	cleanup(target_guard) struct target *target = target_create();

	for (size_t i = 0; i < count; i++) {
		struct error *err = add_threads(target, pids[i]);

		if (err)
			return err;
		add_task(target, pids[i]);
	}
	*ret = take(target);
	return NULL;
}

static bool task_lives(pid_t task)
{
	char path[64];
	auto_free char *line = NULL;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)task);

	struct error *err = file_read_line(path, &line);

	if (err) {
		error_destroy(err);
		return false;
	}
	/* The state follows the name, which may hold anything. One that waits to be reaped counts no more. */
	const char *state = strrchr(line, ')');

	return state && state[1] == ' ' && state[2] != 'Z' && state[2] != 'X';
}

struct error *target_from_tids(const pid_t *tids, size_t count, struct target **ret)
{
	cleanup(target_guard) struct target *target = target_create();

	target->tasks_are_threads = true;
	for (size_t i = 0; i < count; i++) {
		if (!task_lives(tids[i]))
			return error_hint(error_new(ERROR_NOT_FOUND, "no thread %d", (int)tids[i]),
					  "'ps -eL' lists threads");
		target_add_place(target, (struct place){ .pid = tids[i], .cpu = -1 });
		add_task(target, tids[i]);
	}
	*ret = take(target);
	return NULL;
}

struct error *target_from_cpus(const char *cpu_list, struct target **ret)
{
	cleanup(target_guard) struct target *target = target_create();
	auto_free int *online = NULL, *chosen = NULL;
	size_t online_count, count;
	struct error *err = cpu_list_online(&online, &online_count);

	if (err)
		return err;
	if (cpu_list)
		err = cpu_list_parse(cpu_list, &chosen, &count);
	if (err)
		return err;
	for (size_t i = 0; i < (cpu_list ? count : online_count); i++) {
		int cpu = cpu_list ? chosen[i] : online[i];

		if (!cpu_list_has(online, online_count, cpu))
			return error_hint(error_new(ERROR_USAGE, "CPU %d is not online", cpu),
					  "/sys/devices/system/cpu/online lists those that are");
		target_add_place(target, (struct place){ .pid = -1, .cpu = cpu });
	}
	*ret = take(target);
	return NULL;
}

static bool any_lives(const struct target *target)
{
	for (size_t i = 0; i < target->task_count; i++)
		if (task_lives(target->tasks[i]))
			return true;
	return false;
}

/* Others' tasks send no signal when they end: look from time to time. CPUs do not end. */
struct error *target_wait_tasks(struct target *target, uint64_t deadline_ns, bool *done)
{
	for (;;) {
		uint64_t next_ns = target->task_count ? target_clock_ns(CLOCK_MONOTONIC) + POLL_NS : 0;

		*done = target->ended = target->task_count && !any_lives(target);
		if (*done || target->signal)
			return NULL;
		if (deadline_ns && (!next_ns || next_ns > deadline_ns))
			next_ns = deadline_ns;
		if (!target_wait_signal(target, next_ns) && next_ns == deadline_ns)
			return NULL;
	}
}

bool target_is_command(const struct target *target)
{
	return target->pid != 0;
}

bool target_is_cpus(const struct target *target)
{
	return target->place_count && target->places[0].pid == -1;
}

pid_t target_pid(const struct target *target)
{
	return target->pid;
}

size_t target_places(const struct target *target, const struct place **ret)
{
	*ret = target->places;
	return target->place_count;
}

int target_signal(const struct target *target)
{
	return target->signal;
}

const struct command_result *target_result(const struct target *target)
{
	return &target->result;
}
