/* Rules that explain a refused perf_event_open(): the first that applies gives the line and the mending command. */
#include "measure/refusal.h"

#include <errno.h>
#include <stdint.h>

/* What a rule looks at. */
struct scene {
	const struct refusal *refusal;
	struct facts facts;
	int software_errno; /* 0: a user-only software event opens; -1: not asked */
};

struct rule {
	bool (*applies)(const struct scene *scene);
	enum error_kind kind;
	const char *why;
	const char *hint;
};

static bool is_denied(const struct scene *scene)
{
	return scene->refusal->os_errno == EACCES || scene->refusal->os_errno == EPERM;
}

static bool is_hardware(const struct scene *scene)
{
	uint32_t type = scene->refusal->attr->type;

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

static bool nothing_opens(const struct scene *scene)
{
	return scene->software_errno > 0;
}

static bool no_perf_events(const struct scene *scene)
{
	return scene->refusal->os_errno == ENOSYS && !scene->facts.perf_events;
}

static bool paranoid_forbids_all(const struct scene *scene)
{
	return is_denied(scene) && !scene->facts.capable && scene->facts.paranoid >= 3 && scene->software_errno;
}

static bool filtered(const struct scene *scene)
{
	return (is_denied(scene) || scene->refusal->os_errno == ENOSYS) && scene->facts.seccomp &&
	       scene->software_errno;
}

static bool guarded(const struct scene *scene)
{
	return is_denied(scene) && nothing_opens(scene);
}

static bool namespace_forbids(const struct scene *scene)
{
	return is_denied(scene) && scene->facts.user_namespace && scene->facts.paranoid > 1;
}

static bool system_wide_forbidden(const struct scene *scene)
{
	return is_denied(scene) && !scene->facts.capable && scene->refusal->system_wide && scene->facts.paranoid > 0;
}

static bool tracepoint_forbidden(const struct scene *scene)
{
	return is_denied(scene) && !scene->facts.capable && scene->refusal->attr->type == PERF_TYPE_TRACEPOINT &&
	       scene->facts.paranoid > -1;
}

static bool kernel_forbidden(const struct scene *scene)
{
	return is_denied(scene) && !scene->facts.capable && !scene->refusal->attr->exclude_kernel &&
	       scene->facts.paranoid > 1;
}

static bool denied(const struct scene *scene)
{
	return is_denied(scene);
}

static bool no_pmu_in_vm(const struct scene *scene)
{
	return is_hardware(scene) && !scene->facts.pmu[0] && scene->facts.virtual_machine;
}

static bool no_pmu(const struct scene *scene)
{
	return is_hardware(scene) && !scene->facts.pmu[0];
}

static bool no_precise(const struct scene *scene)
{
	int os_errno = scene->refusal->os_errno;

	return scene->refusal->attr->precise_ip && (os_errno == EOPNOTSUPP || os_errno == EINVAL || os_errno == ENOENT);
}

static bool no_interrupt(const struct scene *scene)
{
	return scene->refusal->sampling && scene->refusal->os_errno == EOPNOTSUPP;
}

static bool rate_too_high(const struct scene *scene)
{
	return scene->refusal->sampling && scene->refusal->os_errno == EINVAL && scene->refusal->attr->freq &&
	       (long long)scene->refusal->attr->sample_freq > scene->facts.max_sample_rate;
}

static bool is_place_event(const struct scene *scene)
{
	return scene->refusal->os_errno == EINVAL && !scene->refusal->system_wide &&
	       scene->refusal->attr->type >= PERF_TYPE_MAX;
}

static bool excludes_level(const struct scene *scene)
{
	const struct perf_event_attr *attr = scene->refusal->attr;

	return (scene->refusal->os_errno == EINVAL || scene->refusal->os_errno == EOPNOTSUPP) &&
	       attr->type >= PERF_TYPE_MAX && (attr->exclude_user || attr->exclude_kernel);
}

static bool not_counted_here(const struct scene *scene)
{
	int os_errno = scene->refusal->os_errno;

	return os_errno == ENOENT || os_errno == ENODEV || os_errno == EOPNOTSUPP || os_errno == EINVAL ||
	       os_errno == ENXIO;
}

#define ERRNO_RULE(name, value)                          \
	static bool name(const struct scene *scene)      \
	{                                                \
		return scene->refusal->os_errno == value; \
	}

ERRNO_RULE(filtered_maybe, ENOSYS)
ERRNO_RULE(task_gone, ESRCH)
ERRNO_RULE(too_many_files, EMFILE)
ERRNO_RULE(no_room, ENOSPC)
ERRNO_RULE(busy, EBUSY)
ERRNO_RULE(attr_too_new, E2BIG)

static const struct rule rules[] = {
	{ task_gone, ERROR_NOT_FOUND, "the task to count is gone", "ps -e lists the running ones" },
	{ too_many_files, ERROR_OS, "too many open files: each event takes one a CPU or task", "ulimit -n 65536" },
	{ no_room, ERROR_OS, "all hardware breakpoints are taken",
	  "use fewer mem: events (most CPUs have 4), or end the debugger that holds them" },
	{ busy, ERROR_OS, "its counter is held exclusively by another user",
	  "end the other one: sudo lsof -n | grep perf_event" },
	{ attr_too_new, ERROR_UNSUPPORTED, "this kernel is too old for what the event asks",
	  "leave out the newest terms of the event" },
	{ no_perf_events, ERROR_UNSUPPORTED, "this kernel has no perf events (CONFIG_PERF_EVENTS)",
	  "boot a kernel that has: Debian's linux-image-amd64 does" },
	{ paranoid_forbids_all, ERROR_PERMISSION, "kernel.perf_event_paranoid forbids counting to ordinary users",
	  "sudo sysctl kernel.perf_event_paranoid=1" },
	{ filtered, ERROR_PERMISSION, "a system call filter (seccomp) refuses perf_event_open, as containers have it",
	  "start the container with: docker run --cap-add PERFMON --security-opt seccomp=unconfined …" },
	{ filtered_maybe, ERROR_UNSUPPORTED, "perf_event_open is not there for this process",
	  "start it outside of the sandbox that takes the system call away" },
	{ guarded, ERROR_PERMISSION, "a security module of the kernel refuses perf_event_open",
	  "cat /sys/kernel/security/lsm names the modules; allow perf_event in their policy" },
	{ namespace_forbids, ERROR_PERMISSION,
	  "capabilities of a user namespace do not reach perf events, and kernel.perf_event_paranoid is above 1",
	  "on the host: sudo sysctl kernel.perf_event_paranoid=1" },
	{ system_wide_forbidden, ERROR_PERMISSION,
	  "kernel.perf_event_paranoid forbids counting whole CPUs to ordinary users",
	  "sudo sysctl kernel.perf_event_paranoid=0" },
	{ tracepoint_forbidden, ERROR_PERMISSION, "kernel.perf_event_paranoid forbids tracepoints to ordinary users",
	  "sudo sysctl kernel.perf_event_paranoid=-1" },
	{ kernel_forbidden, ERROR_PERMISSION,
	  "kernel.perf_event_paranoid forbids counting the kernel's part to ordinary users",
	  "count the user's part with the modifier :u, or: sudo sysctl kernel.perf_event_paranoid=1" },
	{ denied, ERROR_PERMISSION, "the task belongs to another user, or the kernel forbids it to be watched",
	  "run perfmini as that user or with sudo" },
	{ no_pmu_in_vm, ERROR_UNSUPPORTED, "this virtual machine has no PMU: its host does not pass one on",
	  "on the host, libvirt: virt-xml NAME --edit --features pmu.state=on; here: software events such as task-clock" },
	{ no_pmu, ERROR_UNSUPPORTED, "this machine has no PMU the kernel has a driver for",
	  "sudo dmesg | grep -i pmu says what the kernel found; software events such as task-clock count" },
	{ no_precise, ERROR_UNSUPPORTED, "this CPU cannot place that event precisely", "leave out the modifier p" },
	{ rate_too_high, ERROR_PERMISSION, "the frequency is above kernel.perf_event_max_sample_rate",
	  "sudo sysctl kernel.perf_event_max_sample_rate=100000" },
	{ no_interrupt, ERROR_UNSUPPORTED, "the event counts, but cannot sample: no overflow interrupt",
	  "sample another event, such as cpu-clock" },
	{ excludes_level, ERROR_UNSUPPORTED, "its PMU cannot tell user from kernel", "leave out the modifiers u and k" },
	{ is_place_event, ERROR_UNSUPPORTED, "its PMU counts whole CPUs, or not with these terms", "try it with -a" },
	{ not_counted_here, ERROR_UNSUPPORTED, "this CPU or kernel does not count it",
	  "'perfmini list' shows the events that open here" },
};

static struct error *told(const struct rule *rule, const struct refusal *refusal)
{
	struct error *err = error_new(rule->kind, "%s: %s", refusal->event, rule->why);

	return error_hint(err, "%s", rule->hint);
}

struct error *refusal_explain(const struct refusal *refusal, const struct refusal_machine *machine)
{
	struct scene scene = { .refusal = refusal, .software_errno = -1 };
	const struct kernel *kernel = machine ? machine->kernel : &kernel_linux;

	facts_read(machine ? &machine->roots : NULL, &scene.facts);
	if (kernel && (is_denied(&scene) || refusal->os_errno == ENOSYS))
		scene.software_errno = facts_probe_software(kernel);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].applies(&scene))
			return told(&rules[i], refusal);
	return error_os(refusal->os_errno, "%s: perf_event_open", refusal->event);
}
