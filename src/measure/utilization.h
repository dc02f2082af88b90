/* How CPUs spend their time, from /proc/stat. */
#ifndef MEASURE_UTILIZATION_H
#define MEASURE_UTILIZATION_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/facts.h"

/* In the order of /proc/stat. Time of guests is part of user and nice. */
enum utilization_kind {
	UTILIZATION_USER, UTILIZATION_NICE, UTILIZATION_SYSTEM, UTILIZATION_IDLE, UTILIZATION_IOWAIT, UTILIZATION_IRQ,
	UTILIZATION_SOFTIRQ, UTILIZATION_STEAL, UTILIZATION_KINDS,
};

extern const char *const utilization_names[UTILIZATION_KINDS]; /* "user", "nice" … */

struct utilization {
	int cpu;
	uint64_t ticks[UTILIZATION_KINDS]; /* since boot; of sysconf(_SC_CLK_TCK) a second */
};

/**
 * Read what these CPUs did since boot.
 *
 * roots: may be NULL.
 * items: [count] the CPUs on entry; a CPU that is offline now keeps the ticks it has.
 * Errors: ERROR_OS, ERROR_NOT_FOUND: /proc is not mounted.
 */
must_use struct error *utilization_read(const struct facts_roots *roots, struct utilization *items, size_t count);
/* Percent of the time between two readings, added up over count CPUs; NaN: none of them ticked. */
void utilization_shares(const struct utilization *before, const struct utilization *after, size_t count,
			double ret[UTILIZATION_KINDS]);

#endif
