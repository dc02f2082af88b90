/* What this machine says about counting: rights, PMU, virtual or not, and the kernel's limits. */
#ifndef MEASURE_FACTS_H
#define MEASURE_FACTS_H

#include <stdbool.h>

#include "measure/kernel.h"

/* Where the machine tells of itself. NULL fields are the real ones; tests point them at a fixture. */
struct facts_roots {
	const char *proc; /* "/proc" */
	const char *sys;  /* "/sys" */
};

enum { FACTS_NAME_SIZE = 64 };

struct facts {
	bool perf_events;           /* the kernel has perf_event_open: its sysctls are there */
	long long paranoid;         /* kernel.perf_event_paranoid */
	bool capable;               /* CAP_PERFMON or CAP_SYS_ADMIN, in the first user namespace */
	bool user_namespace;        /* inside another: capabilities do not reach the kernel's perf */
	bool seccomp;               /* a system call filter is on this process */
	bool virtual_machine;       /* the CPU says it runs under a hypervisor */
	char pmu[FACTS_NAME_SIZE];  /* the (first) core PMU in sysfs; "" none */
	unsigned core_pmus;         /* 2 and more: a hybrid CPU */
	bool watchdog;              /* the NMI watchdog holds a counter */
	long long mlock_kb;         /* kernel.perf_event_mlock_kb: ring memory a user may lock per CPU */
	long long max_sample_rate;  /* kernel.perf_event_max_sample_rate */
	long long max_cpu_percent;  /* kernel.perf_cpu_time_max_percent */
	long long kptr_restrict;    /* kernel.kptr_restrict */
};

/* roots may be NULL. A file that is not there leaves zero. */
void facts_read(const struct facts_roots *roots, struct facts *ret);

/* Open the plainest event there is, a user-only software event of this task: 0, or the errno it was refused with. */
int facts_probe_software(const struct kernel *kernel);

/* PATH under roots->proc or roots->sys, for others that read there: "sys/kernel/nmi_watchdog". The caller frees. */
char *facts_proc_path(const struct facts_roots *roots, const char *path);
char *facts_sys_path(const struct facts_roots *roots, const char *path);

/* The value of "NAME:<blank>value" in a text such as /proc/self/status; NULL when there is none. The caller frees. */
char *facts_field(const char *text, const char *name);

#endif
