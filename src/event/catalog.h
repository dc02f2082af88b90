/* Every event of every source, for `list`, and the check of the tables. */
#ifndef EVENT_CATALOG_H
#define EVENT_CATALOG_H

#include "event/event.h"

struct catalog_entry {
	const char *group;       /* "Software events" */
	const char *name;        /* what -e takes */
	const char *alias;       /* another name of it, or NULL */
	const char *description;
	bool is_event;           /* -e takes it; a metric or a unit mask is none */
	bool is_detail;          /* a unit mask, or a term, of the entry before */
	unsigned counters;       /* hardware counters it takes while it counts */
};

struct catalog_wish {
	const char *glob;   /* names wanted, any case; a part of a name will do. NULL: all, tracepoints left out */
	bool details;       /* unit masks and terms too */
	bool tracepoints;   /* even without a glob */
};

/* Entries group by group; strings are borrowed during the call. Errors: those of reading the tables. */
must_use struct error *catalog_each(const struct event_roots *roots, const struct catalog_wish *wish,
				    void (*visit)(const struct catalog_entry *entry, void *closure), void *closure);

/* What the check of events/ found. */
struct tables_report {
	size_t checked, skipped; /* encodings; skipped: of CPUs this build of libpfm4 does not have */
	char **problems;         /* [problem_count] one line each */
	size_t problem_count, capacity;
};

/* Encode the event of every row for its CPU, and compare with the code its source names. Errors: ERROR_FORMAT when a
 * table cannot be read at all. */
must_use struct error *tables_check(const struct event_roots *roots, struct tables_report *ret);
void tables_report_release(struct tables_report *report);

#endif
