/* Where counters are opened: the tasks or CPUs of the target, and the CPUs of events that count only those. */
#include "base/memory.h"
#include "measure/counters_private.h"
#include "measure/cpu_list.h"

static void add_place(struct counters *counters, pid_t pid, int cpu)
{
	array_grow(&counters->places, counters->place_count, &counters->place_capacity);
	counters->places[counters->place_count++] = (struct place){ .pid = pid, .cpu = cpu };
}

/* The kernel maps no ring of an inheriting event that follows a task over all CPUs: one a CPU then. */
static void add_task(struct counters *counters, pid_t pid, const int *cpus, size_t cpu_count)
{
	if (!counters->setup.sampling || !counters->setup.inherit) {
		add_place(counters, pid, -1);
		return;
	}
	for (size_t i = 0; i < cpu_count; i++)
		add_place(counters, pid, cpus[i]);
}

static bool any_counts_cpus(const struct counters *counters)
{
	for (size_t i = 0; i < counters->event_count; i++)
		if (event_list_at(counters->setup.events, i)->system_wide)
			return true;
	return false;
}

struct error *counters_find_places(struct counters *counters)
{
	const struct target *target = counters->setup.target;
	const struct place *places = NULL;
	size_t count = target ? target_places(target, &places) : 0, cpu_count = 0;
	auto_free int *cpus = NULL;
	struct error *err = cpu_list_online(&cpus, &cpu_count);

	if (err)
		return err;
	if (!target)
		add_task(counters, launcher_pid(counters->setup.launcher), cpus, cpu_count);
	for (size_t i = 0; i < count; i++)
		if (places[i].pid >= 0)
			add_task(counters, places[i].pid, cpus, cpu_count);
		else
			add_place(counters, -1, places[i].cpu);
	counters->task_place_count = counters->place_count;
	if (counters->place_count && counters->places[0].pid == -1)
		counters->task_place_count = 0;
	else if (any_counts_cpus(counters))
		for (size_t i = 0; i < cpu_count; i++)
			add_place(counters, -1, cpus[i]);
	return NULL;
}

static bool allows_cpu(const struct event *event, int cpu)
{
	auto_free int *cpus = NULL;
	size_t count;
	struct error *err = event->cpus ? cpu_list_parse(event->cpus, &cpus, &count) : NULL;

	if (err)
		error_destroy(err);
	return !cpus || cpu_list_has(cpus, count, cpu);
}

bool counters_belongs(const struct counters *counters, size_t event, size_t place)
{
	const struct event *what = event_list_at(counters->setup.events, event);
	const struct place *where = &counters->places[place];
	bool is_task = where->pid >= 0;

	if (what->system_wide && is_task)
		return false;
	if (!what->system_wide && !is_task && counters->task_place_count)
		return false;
	return where->cpu < 0 || allows_cpu(what, where->cpu);
}
