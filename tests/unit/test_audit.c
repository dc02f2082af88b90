/* Each finding of the audit, from a machine made of files; and what disturbed a run, from totals worked out by hand. */
#include "unit/test.h"

#include <math.h>

#include "measure/audit.h"
#include "unit/fixture.h"

struct case_ {
	const char *file, *text; /* what differs from the clean machine; NULL: nothing */
	const char *name;        /* the finding looked at */
	enum audit_level level;
	const char *value, *finding, *command;
};

static void clean_machine(const struct fixture *fixture)
{
	static const char *const files[][2] = {
		{ "proc/self/status", "CapEff:\t0000000000000000\nCpus_allowed_list:\t0-3\nSeccomp:\t0\n" },
		{ "proc/self/uid_map", "0 0 4294967295\n" },
		{ "proc/self/cgroup", "0::/a/b\n" },
		{ "proc/self/personality", "00000000\n" },
		{ "proc/cpuinfo", "flags\t: fpu\nmicrocode\t: 0x1\n" },
		{ "proc/loadavg", "0.10 0.1 0.1 1/10 5\n" },
		{ "proc/stat", "cpu  100 0 100 1000 0 0 0 0 0 0\nctxt 5\n" },
		{ "proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n" },
		{ "proc/sys/kernel/perf_event_paranoid", "0\n" },
		{ "proc/sys/kernel/perf_event_mlock_kb", "516\n" },
		{ "proc/sys/kernel/perf_event_max_sample_rate", "100000\n" },
		{ "proc/sys/kernel/kptr_restrict", "0\n" },
		{ "proc/sys/kernel/nmi_watchdog", "0\n" },
		{ "proc/sys/kernel/randomize_va_space", "2\n" },
		{ "sys/bus/event_source/devices/cpu/type", "4\n" },
		{ "sys/devices/system/cpu/online", "0-3\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		fixture_write(fixture, files[i][0], files[i][1]);
}

static void expect_finding(struct case_ wanted)
{
	auto_fixture struct fixture fixture = fixture_create();
	auto_free char *proc = fixture_path(&fixture, "proc"), *sys = fixture_path(&fixture, "sys");
	struct audit_machine machine = { .roots = { proc, sys } };

	clean_machine(&fixture);
	if (wanted.file)
		fixture_write(&fixture, wanted.file, wanted.text);

	cleanup(audit_guard) struct audit *audit = audit_run(&machine);
	const struct audit_finding *found = audit_find(audit, wanted.name);

	if (!found)
		fail_msg("no finding %s", wanted.name);
	if (found->level != wanted.level || strcmp(found->value, wanted.value))
		fail_msg("%s: level %d value '%s', wanted %d '%s'", wanted.name, (int)found->level, found->value,
			 (int)wanted.level, wanted.value);
	if (wanted.finding && (!found->finding || !strstr(found->finding, wanted.finding)))
		fail_msg("%s: finding '%s', wanted '%s'", wanted.name, found->finding, wanted.finding);
	if (wanted.command && (!found->command || !strstr(found->command, wanted.command)))
		fail_msg("%s: command '%s', wanted '%s'", wanted.name, found->command, wanted.command);
}

static void expect_all(const struct case_ *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_finding(cases[i]);
}

void test_audit__findings_of_counting(void **state)
{
	static const struct case_ cases[] = {
		{ NULL, NULL, "pmu", AUDIT_OK, "cpu", NULL, NULL },
		{ "sys/bus/event_source/devices/cpu/type", "none\n", "pmu", AUDIT_WARN, "none", "no driver", "dmesg" },
		{ "sys/bus/event_source/devices/cpu_atom/cpus", "4\n", "pmu", AUDIT_OK, "cpu", NULL, NULL },
		{ "proc/sys/kernel/perf_event_paranoid", "1\n", "perf-event-paranoid", AUDIT_INFO, "1", "own tasks",
		  "paranoid=0" },
		{ "proc/sys/kernel/perf_event_paranoid", "2\n", "perf-event-paranoid", AUDIT_WARN, "2", "user mode only",
		  "paranoid=1" },
		{ "proc/sys/kernel/perf_event_paranoid", "3\n", "perf-event-paranoid", AUDIT_WARN, "3", "nothing",
		  "paranoid=1" },
		{ "proc/self/status", "CapEff:\t0000004000000000\nSeccomp:\t0\n", "capability", AUDIT_OK, "yes", NULL,
		  NULL },
		{ "proc/self/uid_map", "0 1000 1\n", "capability", AUDIT_INFO, "no", "user namespace", NULL },
		{ "proc/self/status", "CapEff:\t0\nSeccomp:\t2\n", "seccomp", AUDIT_OK, "filter", NULL, NULL },
		{ "proc/sys/kernel/nmi_watchdog", "1\n", "nmi-watchdog", AUDIT_WARN, "1", "holds one",
		  "nmi_watchdog=0" },
		{ "proc/sys/kernel/perf_event_mlock_kb", "64\n", "ring-limit", AUDIT_WARN, "64", "rings",
		  "mlock_kb=516" },
		{ "proc/sys/kernel/perf_event_max_sample_rate", "500\n", "max-sample-rate", AUDIT_WARN, "500",
		  "lowered", "max_sample_rate=" },
		{ "proc/sys/kernel/kptr_restrict", "1\n", "kptr-restrict", AUDIT_WARN, "1", "hidden",
		  "kptr_restrict=0" },
	};

	(void)state;
	expect_all(cases, ARRAY_SIZE(cases));
}

void test_audit__missing_pmu_in_a_virtual_machine(void **state)
{
	auto_fixture struct fixture fixture = fixture_create();
	auto_free char *proc = fixture_path(&fixture, "proc");
	struct audit_machine machine = { .roots = { proc, "/nonexistent" } };

	(void)state;
	clean_machine(&fixture);
	fixture_write(&fixture, "proc/cpuinfo", "flags\t: fpu hypervisor\n");

	cleanup(audit_guard) struct audit *audit = audit_run(&machine);

	assert_int_equal(audit_find(audit, "pmu")->level, AUDIT_WARN);
	assert_non_null(strstr(audit_find(audit, "pmu")->finding, "virtual machine"));
	assert_non_null(strstr(audit_find(audit, "pmu")->command, "virt-xml"));
	assert_string_equal(audit_find(audit, "hypervisor")->value, "yes");
}

void test_audit__findings_of_the_machine(void **state)
{
	static const struct case_ cases[] = {
		{ "sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n", "governor", AUDIT_WARN,
		  "powersave", "clock", "cpupower" },
		{ "sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n", "governor", AUDIT_OK,
		  "performance", NULL, NULL },
		{ "sys/devices/system/cpu/cpufreq/policy1/energy_performance_preference", "balance_power\n",
		  "energy-preference", AUDIT_INFO, "balance_power", "trade", "epp" },
		{ "sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", "turbo", AUDIT_INFO, "on", "turbo", "no_turbo" },
		{ "sys/devices/system/cpu/intel_pstate/no_turbo", "1\n", "turbo", AUDIT_OK, "off", NULL, NULL },
		{ "sys/devices/system/cpu/cpufreq/boost", "1\n", "turbo", AUDIT_INFO, "on", "boost", "boost" },
		{ "sys/devices/system/cpu/smt/active", "1\n", "smt", AUDIT_INFO, "1", "share", "smt/control" },
		{ "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "7\n", "throttling", AUDIT_INFO,
		  "7", "heat", NULL },
		{ "sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n", "clocksource", AUDIT_WARN,
		  "hpet", "slow", "tsc" },
		{ "sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n", "clocksource", AUDIT_OK,
		  "tsc", NULL, NULL },
		{ "sys/class/power_supply/AC/online", "0\n", "mains-power", AUDIT_WARN, "0", "battery", NULL },
		{ "sys/devices/system/node/online", "0-1\n", "numa-nodes", AUDIT_INFO, "0-1", "nearer", "numactl" },
		{ "sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n", "huge-pages", AUDIT_INFO,
		  "always", "huge", "madvise" },
		{ "proc/sys/kernel/randomize_va_space", "0\n", "aslr", AUDIT_WARN, "0", "not randomized",
		  "randomize_va_space=2" },
		{ "proc/cmdline", "mitigations=off\n", "kernel-command-line", AUDIT_INFO, "mitigations=off", "off", NULL },
		{ NULL, NULL, "microcode", AUDIT_OK, "0x1", NULL, NULL },
	};

	(void)state;
	expect_all(cases, ARRAY_SIZE(cases));
}

void test_audit__findings_of_load_and_process(void **state)
{
	static const struct case_ cases[] = {
		{ "proc/loadavg", "1.50 1 1 1/1 1\n", "load", AUDIT_WARN, "1.50", "others", "ps" },
		{ NULL, NULL, "load", AUDIT_OK, "0.10", NULL, NULL },
		{ "proc/pressure/cpu", "some avg10=7.50 avg60=0 avg300=0 total=1\n", "cpu-pressure", AUDIT_WARN, "7.50",
		  "waited", "ps" },
		{ "proc/stat", "cpu  90 0 0 1000 0 0 0 10 0 0\n", "steal", AUDIT_WARN, "10.0%", "hypervisor", NULL },
		{ "proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 50 kB\n", "memory-available", AUDIT_WARN, "50 kB",
		  "tenth", "ps" },
		{ "sys/fs/cgroup/a/cpu.max", "50000 100000\n", "cpu-quota", AUDIT_WARN, "50000 100000", "stopped", "CPUQuota" },
		{ "sys/fs/cgroup/a/b/cpu.max", "max 100000\n", "cpu-quota", AUDIT_OK, "none", NULL, NULL },
		{ "sys/devices/system/cpu/online", "0-7\n", "affinity", AUDIT_INFO, "0-3", "only these", NULL },
		{ "proc/self/personality", "00040000\n", "personality", AUDIT_WARN, "00040000", "off", NULL },
		{ "proc/self/stat", "1 (a) b) S 1 1 1 0 -1 4194560 1 1 1 1 1 1 1 1 20 5 1 0\n", "nice", AUDIT_INFO, "5",
		  "priority", "nice" },
	};

	(void)state;
	expect_all(cases, ARRAY_SIZE(cases));
}

void test_audit__differing_governors_are_told(void **state)
{
	auto_fixture struct fixture fixture = fixture_create();
	auto_free char *sys = fixture_path(&fixture, "sys");
	struct audit_machine machine = { .roots = { "/nonexistent", sys } };

	(void)state;
	fixture_write(&fixture, "sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
	fixture_write(&fixture, "sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n");

	cleanup(audit_guard) struct audit *audit = audit_run(&machine);

	assert_string_equal(audit_find(audit, "governor")->value, "performance,powersave");
	assert_non_null(strstr(audit_find(audit, "governor")->finding, "differs"));
}

void test_audit__totals_become_what_disturbed_a_run(void **state)
{
	auto_fixture struct fixture fixture = fixture_create();
	auto_free char *proc = fixture_path(&fixture, "proc"), *sys = fixture_path(&fixture, "sys");
	struct audit_counts before, after, delta;
	struct audit_disturbance found;

	(void)state;
	clean_machine(&fixture);
	fixture_write(&fixture, "proc/vmstat", "pswpin 1\npswpout 2\n");
	fixture_write(&fixture, "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "3\n");
	fixture_write(&fixture, "sys/fs/cgroup/a/b/cpu.stat", "usage_usec 1\nthrottled_usec 10\n");

	cleanup(audit_watch_guard) struct audit_watch *watch =
		audit_watch_create(&(struct facts_roots){ proc, sys }, false);

	audit_snapshot(watch, &before);
	fixture_write(&fixture, "proc/stat", "cpu  150 10 130 1200 0 5 5 20 0 0\nctxt 105\n");
	fixture_write(&fixture, "proc/vmstat", "pswpin 4\npswpout 2\n");
	fixture_write(&fixture, "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "5\n");
	fixture_write(&fixture, "sys/fs/cgroup/a/b/cpu.stat", "usage_usec 1\nthrottled_usec 35\n");
	audit_snapshot(watch, &after);
	delta = audit_delta(&before, &after);
	assert_int_equal(delta.busy_ns, 1000000000); /* 100 ticks of 10 ms */
	assert_int_equal(delta.steal_ns, 200000000);
	assert_int_equal(delta.swapped_pages, 3);
	assert_int_equal(delta.throttle_count, 2);
	assert_int_equal(delta.quota_throttled_ns, 25000);
	assert_int_equal(delta.switches, 100);

	found = audit_judge(&delta, 600000000, 2000000000);
	assert_true(fabs(found.foreign_cpus - 0.2) < 1e-9 && found.foreign_load);
	assert_true(fabs(found.steal_share - 0.1) < 1e-9 && found.steal && found.throttled && found.swapped);
	delta = (struct audit_counts){ .busy_ns = 20000000 };
	found = audit_judge(&delta, 5000000, 10000000);
	assert_false(found.foreign_load || found.steal || found.throttled || found.swapped);
}
