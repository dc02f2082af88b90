/* Why the kernel refused to open an event, in one line, and the command that mends it on this machine. */
#ifndef MEASURE_REFUSAL_H
#define MEASURE_REFUSAL_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/error.h"
#include "measure/facts.h"
#include "measure/kernel.h"

/* Whom to ask; zero asks this machine's files, and opens nothing. */
struct refusal_machine {
	const struct kernel *kernel; /* asked what else opens; NULL: nothing is asked */
	struct facts_roots roots;
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
 * Source: perf_event_open(2), "ERRORS"; Documentation/admin-guide/perf-security.rst.
 */
must_use struct error *refusal_explain(const struct refusal *refusal, const struct refusal_machine *machine);

#endif
