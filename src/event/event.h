/* Events to measure: the -e syntax, every source of names, as attributes ready to open. */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* One event the user asked for. Strings are owned by the list. */
struct event {
	const char *name;            /* as shown: the user's own text, or its name= term, modifiers included */
	const char *note;            /* what an alias stands for ("skl::IDQ_…"), or NULL */
	const char *pmu;             /* sysfs PMU name ("cpu", "cpu_atom", "uncore_imc_0"), or NULL: generic */
	struct perf_event_attr attr; /* type, config*, exclude_*, precise_ip, pinned, exclusive, and sample_period or
					sample_freq of a period= or freq= term; rest zero.
					attr.size is PERF_ATTR_SIZE_VER0 or the smallest that holds it */
	size_t leader;               /* index of its group's leader; its own index when alone */
	bool weak;                   /* the group may be split when it does not fit (modifier W) */
	bool sample_read;            /* modifier S: the leader samples, the others are read */
	bool precise_max;            /* modifier P: precise_ip is 3, to be lowered until it opens */
	bool system_wide;            /* counts a place, not a task (uncore, power): opened on cpus only */
	const char *cpus;            /* CPU list it may be opened on (sysfs cpumask or cpus), or NULL: any */
	double scale;                /* counted value x scale is in unit */
	const char *unit;            /* "msec", "Joules", "" */
	size_t merge;                /* index of the event it is shown with: a hybrid CPU's second core PMU
					adds its raw count to the first; else its own index */
};

struct event_list;

/* Where names come from; a NULL field is the real one. Tests point them at fixtures. Borrowed by the list. */
struct event_roots {
	const char *sys;     /* instead of "/sys" */
	const char *tracing; /* instead of "/sys/kernel/tracing" */
	const char *tables;  /* directory of aliases.tsv and metrics.tsv; default: PERFMINI_EVENTS, else built in */
	const char *cpu;     /* "x86_64/skl": whose aliases and metrics hold, instead of this CPU's */
	bool any_cpu;        /* also take libpfm4 events of other CPUs, to check tables */
};

/**
 * Parse event text, appending to a list: "cycles:u,{instructions,branches},pmu/event=3,name=x/".
 *
 * Errors: ERROR_USAGE for bad syntax (with the place), ERROR_NOT_FOUND for an unknown name (its hint names near
 *         ones), ERROR_UNSUPPORTED for an event of another CPU. The list is as before then.
 */
must_use struct error *event_list_add(struct event_list *list, const char *text);
struct event_list *event_list_create(void);
struct event_list *event_list_create_in(const struct event_roots *roots);
size_t event_list_count(const struct event_list *list);
/* Borrowed until the list changes. */
const struct event *event_list_at(const struct event_list *list, size_t index);
/* For the opener, which adapts attributes (exclude_kernel under perf_event_paranoid 2, say). */
struct event *event_list_edit(struct event_list *list, size_t index);
void event_list_destroy(struct event_list *list);
DEFINE_GUARD(event_list)

/* Whether the event is the one a table calls name: the same without modifiers, or another name of the same
 * software, hardware or cache event ("cpu-cycles" is "cycles", on either PMU of a hybrid CPU). */
bool event_is(const struct event *event, const char *name);

#endif
