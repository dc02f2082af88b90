/* Checks of what may be counted: the PMU, rights, counters and limits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "measure/audit_checks.h"
#include "measure/probe.h"

static bool check_perf(const struct audit_scene *scene, struct audit_finding *ret)
{
	const struct facts *facts = &scene->facts;

	if (scene->software_errno <= 0) {
		ret->value = memory_strdup(scene->software_errno ? "not asked" : "open");
		return true;
	}
	ret->value = memory_strdup(strerror(scene->software_errno));
	if (!facts->perf_events && scene->software_errno == ENOSYS)
		return audit_say(ret, AUDIT_WARN, "this kernel has no perf events (CONFIG_PERF_EVENTS)",
				 "sudo apt install linux-image-amd64");
	if (!facts->capable && facts->paranoid >= 3)
		return audit_say(ret, AUDIT_WARN,
				 "kernel.perf_event_paranoid 3 forbids every event to ordinary users",
				 "sudo sysctl kernel.perf_event_paranoid=1");
	if (facts->seccomp)
		return audit_say(ret, AUDIT_WARN, "a system call filter (seccomp) refuses perf_event_open",
				 "docker run --cap-add PERFMON --security-opt seccomp=unconfined …");
	return audit_say(ret, AUDIT_WARN, "even a software event of this process is refused: a security module",
			 "cat /sys/kernel/security/lsm");
}

static bool check_pmu(const struct audit_scene *scene, struct audit_finding *ret)
{
	const struct facts *facts = &scene->facts;

	ret->value = memory_strdup(facts->pmu[0] ? facts->pmu : "none");
	if (facts->core_pmus > 1)
		return audit_say(ret, AUDIT_INFO,
				 "a hybrid CPU: its core types count apart; pin the workload to one for comparisons",
				 "taskset -c $(cat /sys/bus/event_source/devices/cpu_core/cpus) COMMAND");
	if (facts->pmu[0])
		return true;
	if (facts->virtual_machine)
		return audit_say(ret, AUDIT_WARN,
				 "this virtual machine has no PMU: its host must pass one on (the command is "
				 "libvirt's, there); until then only software events count",
				 "virt-xml NAME --edit --features pmu.state=on");
	return audit_say(ret, AUDIT_WARN, "the kernel has no driver for a PMU here; only software events count",
			 "sudo dmesg | grep -i pmu");
}

static bool check_paranoid(const struct audit_scene *scene, struct audit_finding *ret)
{
	const struct facts *facts = &scene->facts;

	if (!facts->perf_events)
		return false;
	ret->value = memory_format("%lld", facts->paranoid);
	if (facts->capable || facts->paranoid <= 0)
		return true;
	if (facts->paranoid == 1)
		return audit_say(ret, AUDIT_INFO, "ordinary users may count their own tasks, not whole CPUs",
				 "sudo sysctl kernel.perf_event_paranoid=0");
	if (facts->paranoid == 2)
		return audit_say(ret, AUDIT_WARN, "ordinary users count user mode only: events are shown with :u",
				 "sudo sysctl kernel.perf_event_paranoid=1");
	return audit_say(ret, AUDIT_WARN, "ordinary users may count nothing", "sudo sysctl kernel.perf_event_paranoid=1");
}

static bool check_capability(const struct audit_scene *scene, struct audit_finding *ret)
{
	const struct facts *facts = &scene->facts;

	ret->value = memory_strdup(facts->capable ? "yes" : "no");
	if (facts->user_namespace)
		return audit_say(ret, AUDIT_INFO, "inside a user namespace: its capabilities do not reach perf events",
				 "nsenter --target 1 --user perfmini doctor");
	if (!facts->capable && facts->paranoid > 0)
		return audit_say(ret, AUDIT_INFO, "no CAP_PERFMON: kernel.perf_event_paranoid holds",
				 "sudo setcap cap_perfmon,cap_sys_ptrace,cap_syslog=ep $(command -v perfmini)");
	return true;
}

static bool check_seccomp(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!scene->facts.seccomp)
		return false;
	ret->value = memory_strdup("filter");
	return scene->software_errno ? true
				     : audit_say(ret, AUDIT_INFO, "a system call filter is on, but lets events open",
						 NULL);
}

static bool check_counters(const struct audit_scene *scene, struct audit_finding *ret)
{
	size_t count;

	if (!scene->machine->kernel || !scene->facts.pmu[0])
		return false;
	count = probe_counters(scene->machine->kernel);
	ret->value = memory_format("%zu", count);
	if (!count)
		return audit_say(ret, AUDIT_WARN, "there is a PMU, but no hardware event counts",
				 "sudo lsof -n | grep perf_event");
	if (scene->facts.watchdog)
		return audit_say(ret, AUDIT_WARN, "hardware events at once; the NMI watchdog holds one more",
				 "sudo sysctl kernel.nmi_watchdog=0");
	return audit_say(ret, AUDIT_OK, "hardware events count at once; more take turns", NULL);
}

static bool check_watchdog(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_proc_value(scene, "sys/kernel/nmi_watchdog", ret))
		return false;
	if (scene->facts.watchdog && scene->facts.pmu[0])
		return audit_say(ret, AUDIT_WARN, "the NMI watchdog holds one hardware counter",
				 "sudo sysctl kernel.nmi_watchdog=0");
	return true;
}

/* One ring is data pages, a power of two, and one page more: 516 kB is 128 pages of 4 kB and that one. */
static bool check_mlock(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_proc_value(scene, "sys/kernel/perf_event_mlock_kb", ret))
		return false;
	if (!scene->facts.capable && scene->facts.mlock_kb < 516)
		return audit_say(ret, AUDIT_WARN, "kB of rings a CPU: less than record's 512 and a page",
				 "sudo sysctl kernel.perf_event_mlock_kb=516");
	return audit_say(ret, AUDIT_OK, "kB of ring buffers an ordinary user may lock for each CPU", NULL);
}

static bool check_kptr(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_proc_value(scene, "sys/kernel/kptr_restrict", ret))
		return false;
	if (scene->facts.kptr_restrict > 1 || (scene->facts.kptr_restrict == 1 && !scene->facts.capable))
		return audit_say(ret, AUDIT_WARN, "addresses of kernel symbols are hidden: kernel samples have no names",
				 "sudo sysctl kernel.kptr_restrict=0");
	return true;
}

/* The kernel lowers the rate by itself when its interrupts took longer than the percentage allows. */
static bool check_sample_rate(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_proc_value(scene, "sys/kernel/perf_event_max_sample_rate", ret))
		return false;
	if (scene->facts.max_sample_rate < 4000)
		return audit_say(ret, AUDIT_WARN, "samples a second at most: the kernel lowered it, interrupts took long",
				 "sudo sysctl kernel.perf_event_max_sample_rate=100000");
	return audit_say(ret, AUDIT_OK, "samples a second and CPU at most", NULL);
}

static bool check_cpu_percent(const struct audit_scene *scene, struct audit_finding *ret)
{
	return audit_proc_value(scene, "sys/kernel/perf_cpu_time_max_percent", ret);
}

const struct audit_check audit_counting_checks[] = {
	{ "counting", "perf-events", check_perf },
	{ "counting", "pmu", check_pmu },
	{ "counting", "counters", check_counters },
	{ "counting", "nmi-watchdog", check_watchdog },
	{ "counting", "perf-event-paranoid", check_paranoid },
	{ "counting", "capability", check_capability },
	{ "counting", "seccomp", check_seccomp },
	{ "counting", "ring-limit", check_mlock },
	{ "counting", "max-sample-rate", check_sample_rate },
	{ "counting", "max-cpu-percent", check_cpu_percent },
	{ "counting", "kptr-restrict", check_kptr },
	{ NULL, NULL, NULL },
};
