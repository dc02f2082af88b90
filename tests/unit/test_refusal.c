/* Each refusal is explained by its own cause: a machine made of files, and a kernel that answers as told. */
#include "unit/test.h"

#include <errno.h>

#include "measure/refusal.h"
#include "unit/fixture.h"

static int refuse_all(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	(void)attr, (void)pid, (void)cpu, (void)group, (void)flags;
	errno = EPERM;
	return -1;
}

static int accept_all(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	(void)attr, (void)pid, (void)cpu, (void)group, (void)flags;
	return 1000;
}

static void close_none(int fd)
{
	(void)fd;
}

static const struct kernel refusing = { .open = refuse_all, .close = close_none };
static const struct kernel accepting = { .open = accept_all, .close = close_none };

struct case_ {
	const char *paranoid, *effective, *seccomp, *flags, *uid_map;
	bool pmu, kernel_accepts;
	struct refusal refusal;
	struct perf_event_attr attr;
	enum error_kind kind;
	const char *why, *hint;
};

static void machine_write(const struct fixture *fixture, const struct case_ *wanted)
{
	char status[128], flags[128];

	snprintf(status, sizeof(status), "Name:\tx\nCapEff:\t%s\nSeccomp:\t%s\n",
		 wanted->effective ? wanted->effective : "0000000000000000", wanted->seccomp ? wanted->seccomp : "0");
	snprintf(flags, sizeof(flags), "processor\t: 0\nflags\t\t: fpu %s sse\n", wanted->flags ? wanted->flags : "vme");
	fixture_write(fixture, "proc/self/status", status);
	fixture_write(fixture, "proc/self/uid_map", wanted->uid_map ? wanted->uid_map : "0 0 4294967295\n");
	fixture_write(fixture, "proc/cpuinfo", flags);
	fixture_write(fixture, "proc/sys/kernel/perf_event_paranoid", wanted->paranoid ? wanted->paranoid : "2\n");
	fixture_write(fixture, "proc/sys/kernel/perf_event_max_sample_rate", "25000\n");
	if (wanted->pmu)
		fixture_write(fixture, "sys/bus/event_source/devices/cpu/type", "4\n");
}

static void expect_case(struct case_ wanted)
{
	auto_fixture struct fixture fixture = fixture_create();
	auto_free char *proc = fixture_path(&fixture, "proc"), *sys = fixture_path(&fixture, "sys");
	struct refusal_machine machine = { wanted.kernel_accepts ? &accepting : &refusing, { proc, sys } };

	machine_write(&fixture, &wanted);
	wanted.refusal.event = "cycles";
	wanted.refusal.attr = &wanted.attr;

	struct error *err = refusal_explain(&wanted.refusal, &machine);

	if (!error_hint_text(err) || !strstr(error_hint_text(err), wanted.hint))
		fail_msg("hint '%s' of '%s', wanted '%s'", error_hint_text(err), error_message(err), wanted.hint);
	assert_failure(err, wanted.kind, wanted.why);
}

void test_refusal__paranoid_names_the_level_that_mends_it(void **state)
{
	(void)state;
	expect_case((struct case_){ .paranoid = "3", .refusal.os_errno = EACCES, .kind = ERROR_PERMISSION,
				    .why = "paranoid", .hint = "paranoid=1" });
	expect_case((struct case_){ .paranoid = "2", .kernel_accepts = true, .refusal.os_errno = EACCES,
				    .kind = ERROR_PERMISSION, .why = "kernel's part", .hint = ":u" });
	expect_case((struct case_){ .paranoid = "1", .kernel_accepts = true, .refusal.os_errno = EACCES,
				    .refusal.system_wide = true, .kind = ERROR_PERMISSION, .why = "whole CPUs",
				    .hint = "paranoid=0" });
	expect_case((struct case_){ .paranoid = "1", .kernel_accepts = true, .attr.type = PERF_TYPE_TRACEPOINT,
				    .refusal.os_errno = EPERM, .kind = ERROR_PERMISSION, .why = "tracepoints",
				    .hint = "paranoid=-1" });
}

void test_refusal__seccomp_is_told_from_paranoid(void **state)
{
	(void)state;
	expect_case((struct case_){ .paranoid = "2", .seccomp = "2", .refusal.os_errno = EPERM,
				    .kind = ERROR_PERMISSION, .why = "seccomp", .hint = "docker run" });
	expect_case((struct case_){ .paranoid = "2", .seccomp = "2", .refusal.os_errno = ENOSYS,
				    .kind = ERROR_PERMISSION, .why = "seccomp", .hint = "docker run" });
	expect_case((struct case_){ .paranoid = "2", .seccomp = "2", .kernel_accepts = true,
				    .refusal.os_errno = EACCES, .kind = ERROR_PERMISSION, .why = "kernel's part",
				    .hint = ":u" });
	expect_case((struct case_){ .paranoid = "1", .effective = "000001ffffffffff", .refusal.os_errno = EPERM,
				    .kind = ERROR_PERMISSION, .why = "security module", .hint = "lsm" });
}

void test_refusal__capabilities_of_a_user_namespace_do_not_count(void **state)
{
	(void)state;
	expect_case((struct case_){ .paranoid = "2", .kernel_accepts = true, .effective = "000001ffffffffff",
				    .uid_map = "0 1000 1\n", .refusal.os_errno = EACCES, .kind = ERROR_PERMISSION,
				    .why = "user namespace", .hint = "on the host" });
	expect_case((struct case_){ .paranoid = "2", .kernel_accepts = true, .effective = "000001ffffffffff",
				    .refusal.os_errno = EACCES, .kind = ERROR_PERMISSION, .why = "another user",
				    .hint = "sudo" });
}

void test_refusal__missing_pmu_of_a_vm_is_told_from_bare_metal(void **state)
{
	(void)state;
	expect_case((struct case_){ .flags = "hypervisor", .refusal.os_errno = ENOENT, .kind = ERROR_UNSUPPORTED,
				    .why = "virtual machine has no PMU", .hint = "on the host" });
	expect_case((struct case_){ .refusal.os_errno = ENOENT, .kind = ERROR_UNSUPPORTED, .why = "no PMU the kernel",
				    .hint = "dmesg" });
	expect_case((struct case_){ .flags = "hypervisor", .pmu = true, .refusal.os_errno = ENOENT,
				    .kind = ERROR_UNSUPPORTED, .why = "does not count it", .hint = "perfmini list" });
}

void test_refusal__limits_of_the_event_itself(void **state)
{
	(void)state;
	expect_case((struct case_){ .pmu = true, .attr.precise_ip = 2, .refusal.os_errno = EOPNOTSUPP,
				    .kind = ERROR_UNSUPPORTED, .why = "precisely", .hint = "modifier p" });
	expect_case((struct case_){ .pmu = true, .refusal.sampling = true, .refusal.os_errno = EOPNOTSUPP,
				    .kind = ERROR_UNSUPPORTED, .why = "cannot sample", .hint = "cpu-clock" });
	expect_case((struct case_){ .pmu = true, .refusal.sampling = true, .attr.freq = 1,
				    .attr.sample_freq = 90000, .refusal.os_errno = EINVAL, .kind = ERROR_PERMISSION,
				    .why = "max_sample_rate", .hint = "sysctl" });
	expect_case((struct case_){ .refusal.os_errno = ESRCH, .kind = ERROR_NOT_FOUND, .why = "gone", .hint = "ps" });
	expect_case((struct case_){ .refusal.os_errno = EMFILE, .kind = ERROR_OS, .why = "open files",
				    .hint = "ulimit" });
}
