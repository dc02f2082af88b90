/* Totals of the machine before and after a run. Source: proc(5), Documentation/admin-guide/cgroup-v2.rst, psi.rst. */
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "measure/audit.h"

struct audit_watch {
	char *stat, *vmstat, *quota, *cpu_pressure, *memory_pressure, *io_pressure; /* paths, or NULL */
	char **throttles;
	size_t throttle_count;
	long tick_ns;
};

static char *quota_path(const struct facts_roots *roots)
{
	auto_free char *cgroup = facts_proc_path(roots, "self/cgroup");
	auto_free char *line = NULL;
	cleanup(error_guard) struct error *err = file_read(cgroup, &line, NULL);
	const char *own = err ? NULL : strstr(line, "0::/");

	if (!own || (own != line && own[-1] != '\n'))
		return NULL;
	own += strlen("0::/");

	auto_free char *file = memory_format("fs/cgroup/%.*s/cpu.stat", (int)strcspn(own, "\n"), own);

	return facts_sys_path(roots, file);
}

static void find_throttles(const struct facts_roots *roots, struct audit_watch *watch)
{
	auto_free char *pattern = facts_sys_path(roots, "devices/system/cpu/cpu[0-9]*/thermal_throttle/"
							"*_throttle_count");
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return;
	watch->throttles = memory_zeroed(found.gl_pathc, sizeof(*watch->throttles));
	for (size_t i = 0; i < found.gl_pathc; i++)
		watch->throttles[watch->throttle_count++] = memory_strdup(found.gl_pathv[i]);
	globfree(&found);
}

struct audit_watch *audit_watch_create(const struct facts_roots *roots, bool brief)
{
	struct audit_watch *watch = memory_zeroed(1, sizeof(*watch));

	watch->stat = facts_proc_path(roots, "stat");
	watch->quota = quota_path(roots);
	if (watch->quota && access(watch->quota, R_OK)) {
		free(watch->quota);
		watch->quota = NULL;
	}
	if (!brief) {
		watch->vmstat = facts_proc_path(roots, "vmstat");
		watch->cpu_pressure = facts_proc_path(roots, "pressure/cpu");
		watch->memory_pressure = facts_proc_path(roots, "pressure/memory");
		watch->io_pressure = facts_proc_path(roots, "pressure/io");
	}
	watch->tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
	find_throttles(roots, watch);
	return watch;
}

void audit_watch_destroy(struct audit_watch *watch)
{
	if (!watch)
		return;
	for (size_t i = 0; i < watch->throttle_count; i++)
		free(watch->throttles[i]);
	free(watch->throttles);
	free(watch->stat);
	free(watch->vmstat);
	free(watch->cpu_pressure);
	free(watch->memory_pressure);
	free(watch->io_pressure);
	free(watch->quota);
	free(watch);
}

static char *read_or_empty(const char *path)
{
	char *text = NULL;

	error_destroy(path ? file_read(path, &text, NULL) : NULL);
	return text ? text : memory_strdup("");
}

static uint64_t field_number(const char *text, const char *name)
{
	auto_free char *value = facts_field(text, name);

	return value ? strtoull(value, NULL, 10) : 0;
}

/* "cpu user nice system idle iowait irq softirq steal guest guest_nice"; guest is part of user. */
static void read_stat(const struct audit_watch *watch, struct audit_counts *counts)
{
	auto_free char *text = read_or_empty(watch->stat);
	uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;

	sscanf(text,
	       "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
	       &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal);
	counts->busy_ns = (user + nice + system + irq + softirq) * (uint64_t)watch->tick_ns;
	counts->steal_ns = steal * (uint64_t)watch->tick_ns;
	counts->switches = field_number(text, "ctxt");
}

static uint64_t pressure_ns(const char *path)
{
	auto_free char *text = read_or_empty(path);
	const char *total = strstr(text, "total=");

	return total ? strtoull(total + strlen("total="), NULL, 10) * 1000 : 0;
}

void audit_snapshot(const struct audit_watch *watch, struct audit_counts *ret)
{
	auto_free char *vmstat = read_or_empty(watch->vmstat);
	auto_free char *quota = read_or_empty(watch->quota);
	struct audit_counts counts = { 0 };

	read_stat(watch, &counts);
	counts.swapped_pages = field_number(vmstat, "pswpin") + field_number(vmstat, "pswpout");
	counts.quota_throttled_ns = field_number(quota, "throttled_usec") * 1000;
	counts.cpu_pressure_ns = pressure_ns(watch->cpu_pressure);
	counts.memory_pressure_ns = pressure_ns(watch->memory_pressure);
	counts.io_pressure_ns = pressure_ns(watch->io_pressure);
	for (size_t i = 0; i < watch->throttle_count; i++) {
		long long number = 0;

		if (file_read_number(watch->throttles[i], &number))
			counts.throttle_count += (uint64_t)number;
	}
	*ret = counts;
}

/* A CPU that went away takes its totals with it: no difference is below zero. */
static uint64_t rise(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

struct audit_counts audit_delta(const struct audit_counts *before, const struct audit_counts *after)
{
	return (struct audit_counts){
		.busy_ns = rise(before->busy_ns, after->busy_ns),
		.steal_ns = rise(before->steal_ns, after->steal_ns),
		.throttle_count = rise(before->throttle_count, after->throttle_count),
		.quota_throttled_ns = rise(before->quota_throttled_ns, after->quota_throttled_ns),
		.swapped_pages = rise(before->swapped_pages, after->swapped_pages),
		.cpu_pressure_ns = rise(before->cpu_pressure_ns, after->cpu_pressure_ns),
		.memory_pressure_ns = rise(before->memory_pressure_ns, after->memory_pressure_ns),
		.io_pressure_ns = rise(before->io_pressure_ns, after->io_pressure_ns),
		.switches = rise(before->switches, after->switches),
	};
}

/* /proc/stat moves in ticks, on every CPU and in each of its fields: a short run may seem to have some it had not. */
static const uint64_t tick_doubt_ns = 20000000;

struct audit_disturbance audit_judge(const struct audit_counts *delta, uint64_t own_ns, uint64_t wall_ns)
{
	uint64_t foreign = rise(own_ns, delta->busy_ns);
	double wall = (double)wall_ns;
	struct audit_disturbance found = {
		.foreign_ns = foreign,
		.foreign_cpus = (double)foreign / wall,
		.steal_share = (double)delta->steal_ns / wall,
		.throttled = delta->throttle_count || delta->quota_throttled_ns,
		.swapped = delta->swapped_pages != 0,
	};

	found.foreign_load = found.foreign_cpus > 0.05 && foreign > tick_doubt_ns;
	found.steal = found.steal_share > 0.005;
	return found;
}
