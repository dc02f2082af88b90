/* Reading what the machine says of itself from /proc and /sys. */
#include "measure/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/pmu.h"

char *facts_proc_path(const struct facts_roots *roots, const char *path)
{
	return memory_format("%s/%s", roots && roots->proc ? roots->proc : "/proc", path);
}

char *facts_sys_path(const struct facts_roots *roots, const char *path)
{
	return memory_format("%s/%s", roots && roots->sys ? roots->sys : "/sys", path);
}

static char *proc_text(const struct facts_roots *roots, const char *path)
{
	auto_free char *full = facts_proc_path(roots, path);
	char *text = NULL;
	cleanup(error_guard) struct error *err = file_read(full, &text, NULL);

	return err ? memory_strdup("") : text;
}

static bool proc_number(const struct facts_roots *roots, const char *path, long long *ret)
{
	auto_free char *full = facts_proc_path(roots, path);

	return file_read_number(full, ret);
}

char *facts_field(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		if (strncmp(line, name, length) || !strchr(": \t", line[length]))
			continue;

		const char *value = line + length + strspn(line + length, ": \t");

		return memory_strndup(value, strcspn(value, "\n"));
	}
	return NULL;
}

enum { CAPABILITY_SYS_ADMIN = 21, CAPABILITY_PERFMON = 38 };

static void read_rights(const struct facts_roots *roots, struct facts *facts)
{
	auto_free char *status = proc_text(roots, "self/status");
	auto_free char *map = proc_text(roots, "self/uid_map");
	auto_free char *effective = facts_field(status, "CapEff");
	auto_free char *seccomp = facts_field(status, "Seccomp");
	unsigned long long bits = effective ? strtoull(effective, NULL, 16) : 0;
	unsigned long inside, outside, count;

	/* The first user namespace maps every id to itself; the kernel checks perf's capabilities there. */
	facts->user_namespace = sscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3 &&
				(inside || outside || count != UINT32_MAX);
	facts->capable = (bits & (1ull << CAPABILITY_SYS_ADMIN | 1ull << CAPABILITY_PERFMON)) &&
			 !facts->user_namespace;
	facts->seccomp = seccomp && strtol(seccomp, NULL, 10) == 2;
}

static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += length)
		if ((at == text || at[-1] == ' ') && strchr(" \n", at[length]))
			return true;
	return false;
}

static void read_machine(const struct facts_roots *roots, struct facts *facts)
{
	auto_free char *cpuinfo = proc_text(roots, "cpuinfo");
	auto_free char *flags = facts_field(cpuinfo, "flags");
	auto_free char *tree = facts_proc_path(roots, "device-tree/hypervisor");
	auto_free char *sys = facts_sys_path(roots, "");
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(pmu_set_guard) struct pmu_set *pmus = pmu_set_read(sys, arena);

	facts->virtual_machine = (flags && has_word(flags, "hypervisor")) || !access(tree, F_OK);
	facts->core_pmus = (unsigned)pmus->core_count;
	if (pmus->core_count)
		snprintf(facts->pmu, sizeof(facts->pmu), "%s", pmus->items[0].name);
}

void facts_read(const struct facts_roots *roots, struct facts *ret)
{
	struct facts facts = { 0 };
	long long watchdog = 0;

	facts.perf_events = proc_number(roots, "sys/kernel/perf_event_paranoid", &facts.paranoid);
	proc_number(roots, "sys/kernel/perf_event_mlock_kb", &facts.mlock_kb);
	proc_number(roots, "sys/kernel/perf_event_max_sample_rate", &facts.max_sample_rate);
	proc_number(roots, "sys/kernel/perf_cpu_time_max_percent", &facts.max_cpu_percent);
	proc_number(roots, "sys/kernel/kptr_restrict", &facts.kptr_restrict);
	proc_number(roots, "sys/kernel/nmi_watchdog", &watchdog);
	facts.watchdog = watchdog > 0;
	read_rights(roots, &facts);
	read_machine(roots, &facts);
	*ret = facts;
}

int facts_probe_software(const struct kernel *kernel)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER0,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = kernel->open(&attr, 0, -1, -1, 0);

	if (fd < 0)
		return errno;
	kernel->close(fd);
	return 0;
}
