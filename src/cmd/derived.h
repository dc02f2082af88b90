/* Metrics of events/metrics.tsv as metrics of an experiment: instructions per cycle, miss rates. */
#ifndef CMD_DERIVED_H
#define CMD_DERIVED_H

#include "ab/quantity.h"
#include "base/error.h"
#include "base/options.h"
#include "event/event.h"

struct derived_list;

/* Those that can be had from the events of runs: the ones that say what is better beside a count, and those that
 * runs->plan names (metric=NAME). runs is borrowed. Errors: those of metric_table_load(); ERROR_USAGE for a name in
 * the plan without its events. */
must_use struct error *derived_list_create(const struct runs *runs, struct derived_list **ret);
/* [*count], borrowed. */
const struct derived_metric *derived_list_items(const struct derived_list *list, size_t *count);
void derived_list_destroy(struct derived_list *list);
DEFINE_GUARD(derived_list)

/* Add the events that the metric needs and the list has not. Errors: ERROR_USAGE for an unknown name. */
must_use struct error *derived_add_events(const char *name, struct event_list *events);

#endif
