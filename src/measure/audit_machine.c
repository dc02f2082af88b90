/* Checks of the machine: clocks, frequency, threads, memory, load, virtualisation. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "measure/audit_checks.h"

/* The distinct first lines of all files of a glob under /sys, separated by commas; false when there is none. */
static bool distinct_values(const struct audit_scene *scene, const char *pattern, struct audit_finding *ret)
{
	auto_free char *full = facts_sys_path(&scene->machine->roots, pattern);
	auto_text struct text all = { 0 };
	glob_t found;

	if (glob(full, 0, NULL, &found))
		return false;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		auto_free char *line = NULL;
		cleanup(error_guard) struct error *err = file_read_line(found.gl_pathv[i], &line);

		if (!err && !(all.length && strstr(all.bytes, line)))
			text_format(&all, "%s%s", all.length ? "," : "", line);
	}
	globfree(&found);
	ret->value = text_steal(&all);
	return true;
}

static bool check_governor(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!distinct_values(scene, "devices/system/cpu/cpufreq/policy*/scaling_governor", ret))
		return false;
	if (strchr(ret->value, ','))
		return audit_say(ret, AUDIT_WARN, "the frequency governor differs between CPUs",
				 "sudo cpupower frequency-set -g performance");
	if (strcmp(ret->value, "performance"))
		return audit_say(ret, AUDIT_WARN, "the frequency governor changes the clock with the load",
				 "sudo cpupower frequency-set -g performance");
	return true;
}

static bool check_driver(const struct audit_scene *scene, struct audit_finding *ret)
{
	return distinct_values(scene, "devices/system/cpu/cpufreq/policy*/scaling_driver", ret);
}

static bool check_preference(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!distinct_values(scene, "devices/system/cpu/cpufreq/policy*/energy_performance_preference", ret))
		return false;
	if (strcmp(ret->value, "performance"))
		return audit_say(ret, AUDIT_INFO, "the CPU may trade speed for power",
				 "sudo cpupower set --epp performance");
	return true;
}

static bool check_turbo(const struct audit_scene *scene, struct audit_finding *ret)
{
	auto_free char *none = NULL;
	struct audit_finding intel = { 0 };

	if (audit_sys_value(scene, "devices/system/cpu/intel_pstate/no_turbo", &intel)) {
		none = intel.value;
		ret->value = memory_strdup(strcmp(none, "0") ? "off" : "on");
		return strcmp(none, "0") ? true
					 : audit_say(ret, AUDIT_INFO, "turbo: the clock depends on heat and neighbours",
						     "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo");
	}
	if (!audit_sys_value(scene, "devices/system/cpu/cpufreq/boost", &intel))
		return false;
	none = intel.value;
	ret->value = memory_strdup(strcmp(none, "0") ? "on" : "off");
	return strcmp(none, "0") ? audit_say(ret, AUDIT_INFO, "boost: the clock depends on heat and neighbours",
					     "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost")
				 : true;
}

static bool check_smt(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_sys_value(scene, "devices/system/cpu/smt/active", ret))
		return false;
	if (strcmp(ret->value, "0"))
		return audit_say(ret, AUDIT_INFO, "two threads share a core: a busy sibling slows the measured one",
				 "echo off | sudo tee /sys/devices/system/cpu/smt/control");
	return true;
}

static bool check_throttling(const struct audit_scene *scene, struct audit_finding *ret)
{
	cleanup(audit_watch_guard) struct audit_watch *watch = audit_watch_create(&scene->machine->roots, true);
	struct audit_counts counts;

	audit_snapshot(watch, &counts);
	ret->value = memory_format("%llu", (unsigned long long)counts.throttle_count);
	if (counts.throttle_count)
		return audit_say(ret, AUDIT_INFO, "times a CPU was slowed by heat since boot", "sensors");
	return true;
}

static bool check_steal(const struct audit_scene *scene, struct audit_finding *ret)
{
	cleanup(audit_watch_guard) struct audit_watch *watch = audit_watch_create(&scene->machine->roots, true);
	struct audit_counts counts;
	double share;

	audit_snapshot(watch, &counts);
	if (!counts.busy_ns)
		return false;
	share = 100.0 * (double)counts.steal_ns / (double)(counts.busy_ns + counts.steal_ns);
	ret->value = memory_format("%.1f%%", share);
	if (share > 0.5)
		return audit_say(ret, AUDIT_WARN,
				 "of CPU time since boot the hypervisor gave to others: times vary with neighbours; "
				 "compare blocks of short runs, or use a dedicated host", "perfmini ab --help");
	return true;
}

static bool check_hypervisor(const struct audit_scene *scene, struct audit_finding *ret)
{
	ret->value = memory_strdup(scene->facts.virtual_machine ? "yes" : "no");
	return scene->facts.virtual_machine
		       ? audit_say(ret, AUDIT_INFO, "a virtual machine: times include what its host does", NULL)
		       : true;
}

static bool check_load(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_proc_value(scene, "loadavg", ret))
		return false;
	ret->value[strcspn(ret->value, " ")] = '\0';
	if (strtod(ret->value, NULL) > 0.5)
		return audit_say(ret, AUDIT_WARN, "tasks ran on average in the last minute: others use the CPUs",
				 "ps -eo pcpu,pid,comm --sort=-pcpu | head");
	return true;
}

static bool check_pressure(const struct audit_scene *scene, struct audit_finding *ret)
{
	auto_free char *text = audit_proc_text(scene, "pressure/cpu");
	const char *average = strstr(text, "avg10=");

	if (!average)
		return false;
	ret->value = memory_strndup(average + 6, strcspn(average + 6, " \n"));
	if (strtod(ret->value, NULL) > 5)
		return audit_say(ret, AUDIT_WARN, "% of the last 10 s some task waited for a CPU",
				 "ps -eo pcpu,pid,comm --sort=-pcpu | head");
	return true;
}

static bool check_memory(const struct audit_scene *scene, struct audit_finding *ret)
{
	auto_free char *text = audit_proc_text(scene, "meminfo");
	auto_free char *available = facts_field(text, "MemAvailable"), *total = facts_field(text, "MemTotal");

	if (!available || !total)
		return false;
	ret->value = memory_strdup(available);
	if (strtod(available, NULL) < 0.1 * strtod(total, NULL))
		return audit_say(ret, AUDIT_WARN, "of memory is left, less than a tenth: runs may swap",
				 "ps -eo rss,pid,comm --sort=-rss | head");
	return true;
}

static bool check_huge_pages(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_sys_value(scene, "kernel/mm/transparent_hugepage/enabled", ret))
		return false;

	char *chosen = strchr(ret->value, '[');

	if (chosen) {
		memmove(ret->value, chosen + 1, strlen(chosen));
		ret->value[strcspn(ret->value, "]")] = '\0';
	}
	if (!strcmp(ret->value, "always"))
		return audit_say(ret, AUDIT_INFO, "huge pages come and go with free memory",
				 "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
	return true;
}

static bool check_nodes(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_sys_value(scene, "devices/system/node/online", ret))
		return false;
	if (strcmp(ret->value, "0"))
		return audit_say(ret, AUDIT_INFO, "memory is nearer to some CPUs than to others",
				 "numactl --cpunodebind=0 --membind=0 COMMAND");
	return true;
}

static bool check_balancing(const struct audit_scene *scene, struct audit_finding *ret)
{
	return audit_proc_value(scene, "sys/kernel/numa_balancing", ret);
}

static bool check_clock(const struct audit_scene *scene, struct audit_finding *ret)
{
	static const char *const good[] = { "tsc", "kvm-clock", "arch_sys_counter", "riscv_clocksource",
					    "timebase", "hyperv_clocksource_tsc_page" };

	if (!audit_sys_value(scene, "devices/system/clocksource/clocksource0/current_clocksource", ret))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		if (!strcmp(ret->value, good[i]))
			return true;
	return audit_say(ret, AUDIT_WARN, "a slow clock: reading the time is a system call",
			 "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource");
}

static bool check_battery(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!distinct_values(scene, "class/power_supply/A*/online", ret))
		return false;
	if (!strcmp(ret->value, "0"))
		return audit_say(ret, AUDIT_WARN, "on battery, the clock is lowered: plug the machine in", NULL);
	return true;
}

static bool check_isolated(const struct audit_scene *scene, struct audit_finding *ret)
{
	return audit_sys_value(scene, "devices/system/cpu/isolated", ret);
}

static bool check_aslr(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_proc_value(scene, "sys/kernel/randomize_va_space", ret))
		return false;
	if (strcmp(ret->value, "2"))
		return audit_say(ret, AUDIT_WARN, "addresses are not randomized: one layout is measured, again and again",
				 "sudo sysctl kernel.randomize_va_space=2");
	return true;
}

static bool check_kernel(const struct audit_scene *scene, struct audit_finding *ret)
{
	return audit_proc_value(scene, "sys/kernel/osrelease", ret);
}

static bool check_command_line(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_proc_value(scene, "cmdline", ret))
		return false;
	if (strstr(ret->value, "mitigations=off"))
		return audit_say(ret, AUDIT_INFO, "CPU mitigations are off: system calls are cheaper than elsewhere", NULL);
	return true;
}

static bool check_microcode(const struct audit_scene *scene, struct audit_finding *ret)
{
	auto_free char *text = audit_proc_text(scene, "cpuinfo");

	ret->value = facts_field(text, "microcode");
	return ret->value != NULL;
}

const struct audit_check audit_machine_checks[] = {
	{ "machine", "hypervisor", check_hypervisor },
	{ "machine", "governor", check_governor },
	{ "machine", "frequency-driver", check_driver },
	{ "machine", "energy-preference", check_preference },
	{ "machine", "turbo", check_turbo },
	{ "machine", "smt", check_smt },
	{ "machine", "throttling", check_throttling },
	{ "machine", "clocksource", check_clock },
	{ "machine", "mains-power", check_battery },
	{ "machine", "isolated-cpus", check_isolated },
	{ "machine", "numa-nodes", check_nodes },
	{ "machine", "numa-balancing", check_balancing },
	{ "machine", "huge-pages", check_huge_pages },
	{ "machine", "aslr", check_aslr },
	{ "machine", "kernel", check_kernel },
	{ "machine", "kernel-command-line", check_command_line },
	{ "machine", "microcode", check_microcode },
	{ "load", "load", check_load },
	{ "load", "cpu-pressure", check_pressure },
	{ "load", "steal", check_steal },
	{ "load", "memory-available", check_memory },
	{ NULL, NULL, NULL },
};
