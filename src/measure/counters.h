/* Open counters: every event at every place of a target. */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "event/event.h"
#include "measure/kernel.h"
#include "measure/target.h"

struct counters;

struct count {
	uint64_t value;      /* raw, as the kernel counted while running */
	uint64_t enabled_ns; /* time the event was meant to count */
	uint64_t running_ns; /* time it had a counter; less when multiplexed */
};

struct counters_setup {
	const struct kernel *kernel;
	struct event_list *events;    /* borrowed; attributes may be adapted, see counters_why() */
	const struct target *target;  /* borrowed */
	bool inherit;                 /* count children too */
	bool enable_on_exec;          /* for a command: start exactly at its exec */
	bool sampling;                /* keep sample_period and sample_type of the attributes, one fd a place to map */
};

/* An event that cannot be opened is no error: counters_why() says why, and its counts stay zero. */
must_use struct error *counters_open(const struct counters_setup *setup, struct counters **ret);
/* Why an event is not counted, with a hint that mends it on this machine; NULL when it is open. Borrowed. */
const struct error *counters_why(const struct counters *counters, size_t event);
must_use struct error *counters_enable(struct counters *counters);
must_use struct error *counters_disable(struct counters *counters);
size_t counters_places(const struct counters *counters, const struct place **ret);
/* -1 when that event is not open at that place. */
int counters_fd(const struct counters *counters, size_t event, size_t place);
uint64_t counters_id(const struct counters *counters, size_t event, size_t place); /* PERF_EVENT_IOC_ID */
/* counts: [events][places], event outermost; written whole or not at all. Errors: ERROR_OS. */
must_use struct error *counters_read(struct counters *counters, struct count *counts);
void counters_destroy(struct counters *counters);
DEFINE_GUARD(counters)

/* The count had the event run all the time. NaN when it never ran. */
double count_scaled(struct count count);

#endif
