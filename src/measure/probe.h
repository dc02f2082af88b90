/* Whether an event opens here, and how many fit: asked of the kernel, nothing is measured. */
#ifndef MEASURE_PROBE_H
#define MEASURE_PROBE_H

#include <stddef.h>

#include "event/event.h"
#include "measure/kernel.h"

enum probe_answer { PROBE_OPENS, PROBE_USER_ONLY, PROBE_REFUSED };

/* Open and close the event on this task, or on its first CPU when it counts places. *os_errno: why it is refused. */
enum probe_answer probe_event(const struct kernel *kernel, const struct event *event, int *os_errno);

/**
 * How many hardware events count at once.
 *
 * Groups of growing size (cycles, then instructions) are opened and made to count a short loop, until one is refused
 * or gets no time. 0: hardware events do not open at all.
 */
size_t probe_counters(const struct kernel *kernel);

#endif
