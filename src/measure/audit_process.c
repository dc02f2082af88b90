/* Checks of this process: its cgroup, CPUs, environment, limits. Commands it measures inherit all of them. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/text.h"
#include "measure/audit_checks.h"

/* cpu.max of our cgroup (v2) or of the nearest above that has one. "max 100000" is none. */
static bool check_quota(const struct audit_scene *scene, struct audit_finding *ret)
{
	auto_free char *text = audit_proc_text(scene, "self/cgroup");
	const char *line = text_starts_with(text, "0::/") ? text : strstr(text, "\n0::/");

	if (!line)
		return false;
	line = strstr(line, "0::/") + 3;

	auto_free char *group = memory_strndup(line, strcspn(line, "\n"));

	for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
		*end = '\0';

		auto_free char *path = memory_format("fs/cgroup%s/cpu.max", group);

		if (!audit_sys_value(scene, path, ret))
			continue;
		if (!text_starts_with(ret->value, "max"))
			return audit_say(ret, AUDIT_WARN, "microseconds of CPU a period: the cgroup is stopped beyond them",
					 "systemd-run --scope -p CPUQuota= COMMAND");
		free(take(ret->value));
	}
	ret->value = memory_strdup("none");
	return true;
}

static bool check_affinity(const struct audit_scene *scene, struct audit_finding *ret)
{
	auto_free char *status = audit_proc_text(scene, "self/status");
	struct audit_finding online = { 0 };

	ret->value = facts_field(status, "Cpus_allowed_list");
	if (!ret->value || !audit_sys_value(scene, "devices/system/cpu/online", &online))
		return ret->value != NULL;

	auto_free char *all = online.value;

	if (strcmp(all, ret->value))
		return audit_say(ret, AUDIT_INFO, "only these CPUs may be used", NULL);
	return true;
}

enum { NO_RANDOM_ADDRESSES = 0x0040000 };

static bool check_personality(const struct audit_scene *scene, struct audit_finding *ret)
{
	if (!audit_proc_value(scene, "self/personality", ret))
		return false;
	if (strtoul(ret->value, NULL, 16) & NO_RANDOM_ADDRESSES)
		return audit_say(ret, AUDIT_WARN, "address randomization is off for this process, as under gdb or setarch -R: start perfmini outside of them",
				 NULL);
	return true;
}

/* Names of variables that change how programs run, in a NUL-separated environment. */
static bool changes_programs(const char *variable)
{
	static const char *const prefixes[] = { "LD_PRELOAD=", "LD_LIBRARY_PATH=", "LD_BIND_NOW=", "LD_AUDIT=",
						"MALLOC_", "GLIBC_TUNABLES=" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_starts_with(variable, prefixes[i]))
			return true;
	return false;
}

static bool check_environment(const struct audit_scene *scene unused, struct audit_finding *ret)
{
	extern char **environ;
	auto_text struct text names = { 0 };

	for (char **variable = environ; *variable; variable++)
		if (changes_programs(*variable))
			text_format(&names, "%s%.*s", names.length ? "," : "", (int)strcspn(*variable, "="), *variable);
	if (!names.length) {
		ret->value = memory_strdup("clean");
		return true;
	}
	ret->value = text_steal(&names);
	return audit_say(ret, AUDIT_WARN, "set: programs load or allocate otherwise than usual",
			 "env -u LD_PRELOAD -u LD_LIBRARY_PATH -u GLIBC_TUNABLES perfmini …");
}

/* Without a limit the kernel lays out memory the old way, bottom up. */
static bool check_stack(const struct audit_scene *scene unused, struct audit_finding *ret)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit))
		return false;
	if (limit.rlim_cur != RLIM_INFINITY) {
		ret->value = memory_format("%llu kB", (unsigned long long)limit.rlim_cur / 1024);
		return true;
	}
	ret->value = memory_strdup("unlimited");
	return audit_say(ret, AUDIT_INFO, "an unlimited stack changes the layout of memory", "ulimit -s 8192");
}

static bool check_nice(const struct audit_scene *scene, struct audit_finding *ret)
{
	auto_free char *stat = audit_proc_text(scene, "self/stat");
	const char *after = strrchr(stat, ')');
	long nice = 0;

	/* Fields 3 to 18, then nice. Source: proc_pid_stat(5). */
	if (!after || sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %ld", &nice) != 1)
		return false;
	ret->value = memory_format("%ld", nice);
	if (nice > 0)
		return audit_say(ret, AUDIT_INFO, "a lower priority: others go first", "nice -n 0 perfmini …");
	return true;
}

const struct audit_check audit_process_checks[] = {
	{ "process", "cpu-quota", check_quota },
	{ "process", "affinity", check_affinity },
	{ "process", "personality", check_personality },
	{ "process", "environment", check_environment },
	{ "process", "stack-limit", check_stack },
	{ "process", "nice", check_nice },
	{ NULL, NULL, NULL },
};
