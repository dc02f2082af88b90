/* Which events can count at the same time here, without taking turns. */
#ifndef MEASURE_FIT_H
#define MEASURE_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"
#include "measure/kernel.h"

/* Events of this set need no hardware counter, or cannot be opened at all: they are in every set. */
enum { FIT_EVERYWHERE = -1 };

/**
 * Divide events into sets, each of which the hardware counts at once. Groups stay whole.
 *
 * set: [events] its set, from 0, or FIT_EVERYWHERE. An event that fits is put into the first set with room.
 * Returns the number of sets; 0 or 1: nothing takes turns. The NMI watchdog's counter is reckoned with.
 */
size_t fit_sets(const struct kernel *kernel, struct event_list *events, int *set);

#endif
