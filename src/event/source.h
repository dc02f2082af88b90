/* Inside event/: what a source of names works with, and what it hands back. */
#ifndef EVENT_SOURCE_H
#define EVENT_SOURCE_H

#include "base/memory.h"
#include "event/event.h"
#include "event/modifier.h"
#include "event/pmu.h"

/* What names are resolved against on this machine; owned by the event list. */
struct event_machine {
	struct event_roots roots; /* defaults filled in */
	struct arena *arena;      /* every string of every event */
	struct pmu_set *pmus;     /* sysfs PMUs, read at the first need */
	struct alias_table *aliases; /* read at the first need */
	const char *cpu;          /* "x86_64/skl", found at the first need */
};

/* The PMUs of this machine; borrowed. */
const struct pmu_set *event_machine_pmus(struct event_machine *machine);

/* Events one text stands for: several on a hybrid CPU or for a PMU with instances. */
struct event_found {
	struct event *items;
	size_t count, capacity;
	struct modifiers modifiers; /* of the text itself */
	const char *name;           /* of a name= term, arena; or NULL */
};

/* Append an event with defaults: scale 1, unit "". Valid until the next is appended. */
struct event *event_found_add(struct event_found *found);
void event_found_release(struct event_found *found);

/**
 * A source: resolve text, modifiers included, appending to found.
 *
 * Errors: ERROR_NOT_FOUND when the name is not this source's; anything else ends the search.
 */
typedef struct error *event_source(struct event_machine *machine, const char *text, struct event_found *found);

event_source generic_resolve;    /* cycles, task-clock, LLC-loads */
event_source raw_resolve;        /* r1a8 */
event_source breakpoint_resolve; /* mem:ADDRESS[/length][:rwx] */
event_source pmu_resolve;        /* pmu/term=value/ */
event_source pmu_name_resolve;   /* an event of a PMU without its PMU: topdown-retiring */
event_source alias_resolve;      /* events/aliases.tsv */
event_source pfm_resolve;        /* libpfm4 */
event_source tracepoint_resolve; /* subsystem:name */

/* Why nothing was found, with near names or with the CPU that has it. */
must_use struct error *event_unknown(struct event_machine *machine, const char *text);

#endif
