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
	struct event_list *events;    /* borrowed; attributes may be adapted, see counters_user_only() */
	const struct target *target;  /* borrowed; NULL: the commands of launcher, see below */
	const struct launcher *launcher;
	const bool *chosen;           /* [event] which to open; NULL: all. Kept by reference */
	bool inherit;                 /* count children too */
	bool enable_on_exec;          /* for a command: start exactly at its exec */
	bool sampling;                /* keep sample_period and sample_type of the attributes; one fd a place to map:
					 an inheriting event of a task has one place a CPU then */
};

/**
 * Open every event at every place.
 *
 * An event that cannot be opened is no error: counters_why() says why, and its counts stay zero.
 *
 * With a launcher in place of a target the events are opened once, on the launcher process, switched off, and each
 * command it forks inherits its own copy, which starts at the command's exec. What the launcher itself does is
 * never counted; counters_read() gives the sum of all commands so far. inherit and enable_on_exec are taken as
 * given. Only while no command's child outlives it (launcher_has_orphans()) do the differences belong to one run.
 *
 * Errors: ERROR_UNSUPPORTED: a group needs more counters than there are; the hint proposes a split.
 *         ERROR_OS: out of file descriptors. ERROR_NOT_FOUND: every task of the target is gone.
 */
must_use struct error *counters_open(const struct counters_setup *setup, struct counters **ret);
/* Why an event is not counted, with a hint that mends it on this machine; NULL when it is open. Borrowed. */
const struct error *counters_why(const struct counters *counters, size_t event);
/* The kernel let the event count user mode only (perf_event_paranoid 2). */
bool counters_user_only(const struct counters *counters, size_t event);
/* Start what enable_on_exec does not: everything, or only events that count CPUs for a command. */
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
