/* Why the kernel refused to open an event, in one line, and the command that mends it on this machine. */
#ifndef MEASURE_REFUSAL_H
#define MEASURE_REFUSAL_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/error.h"
#include "measure/kernel.h"

/* Where this machine tells of itself; NULL fields are the real ones. Tests point them at a fixture. */
struct refusal_machine {
	const struct kernel *kernel; /* asked what else opens; NULL: nothing is asked */
	const char *proc;            /* "/proc" */
	const char *sys;             /* "/sys" */
	bool unprivileged;           /* pretend to have no capability (for tests as root) */
};

/* What was refused. */
struct refusal {
	const char *event;                  /* its name, as shown */
	const struct perf_event_attr *attr; /* as it was given to perf_event_open() */
	int os_errno;
	bool system_wide;                   /* opened on a CPU, for every task */
	bool sampling;
};

/**
 * The refusal explained: ERROR_PERMISSION when rights would mend it, ERROR_UNSUPPORTED when nothing here counts
 * that, ERROR_NOT_FOUND when the task is gone, else ERROR_OS. The hint is one command, or what to use instead.
 *
 * machine: NULL is this machine with the real kernel.
 */
must_use struct error *refusal_explain(const struct refusal *refusal, const struct refusal_machine *machine);

#endif
