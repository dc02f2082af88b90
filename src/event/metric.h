/* Values derived from counts (instructions per cycle, miss rates): events/metrics.tsv. */
#ifndef EVENT_METRIC_H
#define EVENT_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "event/event.h"

enum metric_good { METRIC_NONE, METRIC_HIGHER, METRIC_LOWER };

struct metric {
	const char *name;       /* "insn-per-cycle"; rows of one name are alternatives, the first not NaN holds */
	const char *cpu;        /* globs, as of an alias */
	const char *beside;     /* events it is printed beside, comma list; "*": those with no other; "-": none */
	const char *expression; /* "instructions / cycles" */
	const char *unit;       /* "insn per cycle"; with percent "of all branches"; with scaled "/sec" */
	const char *description;
	enum metric_good good;
	unsigned decimals;
	bool percent;           /* a '%' follows the number */
	bool scaled;            /* divided by 1000 while above, "K", "M", "G" before the unit */
	const char *const *events; /* [event_count] names needed, borrowed; "EVENT" is the one it stands beside */
	size_t event_count;
};

struct metric_table;

/* The metrics for this CPU (all with roots->any_cpu); roots may be NULL. Errors: ERROR_FORMAT, ERROR_OS. */
must_use struct error *metric_table_load(const struct event_roots *roots, struct metric_table **ret);
/* Only those that stand beside an event: quicker, when none of them is for certain CPUs only. */
must_use struct error *metric_table_load_beside(struct metric_table **ret);
size_t metric_count(const struct metric_table *table);
const struct metric *metric_at(const struct metric_table *table, size_t index);
/* The next row of that name; *cursor starts at 0; NULL when there is none. */
const struct metric *metric_find(const struct metric_table *table, const char *name, size_t *cursor);
/* The next row printed beside an event: those that name it, else those of "*"; *cursor starts at 0. */
const struct metric *metric_beside(const struct metric_table *table, const struct event *event, size_t *cursor);

/**
 * The metric's value, NaN when a part is missing or divides by zero.
 *
 * value_of: the raw count of a name (clocks in ns), or NaN; "duration_time" is the elapsed time in ns. event_is()
 *           tells which event a name means. "EVENT" is the event the metric stands beside.
 */
double metric_value(const struct metric *metric, double (*value_of)(const char *name, void *closure), void *closure);
void metric_table_destroy(struct metric_table *table);
DEFINE_GUARD(metric_table)

#endif
