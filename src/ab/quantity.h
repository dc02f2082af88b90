/* What is compared: one number of each run. */
#ifndef AB_QUANTITY_H
#define AB_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "runs/runs.h"

enum quantity_kind {
	QUANTITY_WALL, QUANTITY_USER, QUANTITY_SYS, QUANTITY_PEAK, /* ns, ns, ns, bytes */
	QUANTITY_EVENT,   /* index into runs->events; its count times its scale */
	QUANTITY_PRINTED, /* index into runs->printed */
	QUANTITY_DERIVED, /* computed from the run's counts */
};

/* A metric computed from one run. compute returns NaN where it cannot be had. */
struct derived_metric {
	const char *name, *unit;
	bool higher_is_better;
	double (*compute)(void *context, const struct runs *runs, const struct run *run);
	void *context;
};

/* Texts are borrowed from runs, the derived metrics or are static. */
struct quantity {
	const char *name, *unit; /* unit "" for plain counts */
	enum quantity_kind kind;
	size_t index;
	const struct derived_metric *derived;
	bool higher_is_better;
	bool is_count;    /* whole numbers without a unit: small ones are compared as differences */
	double threshold; /* practical: 0.01 is 1 % */
};

/* Every quantity these runs have, times first; *count of them. The caller frees. */
struct quantity *quantity_list(const struct runs *runs, const struct derived_metric *derived, size_t derived_count,
			       size_t *count);
/* The same quantity in another file, by name; false when it is not there. */
bool quantity_in(const struct quantity *wanted, const struct runs *runs, struct quantity *ret);

/* NaN when the run has none (void, not counted, its event set was not on). */
double quantity_value(const struct quantity *quantity, const struct runs *runs, const struct run *run);
/* Was the event on for only part of the run? */
bool quantity_is_scaled(const struct quantity *quantity, const struct run *run);

#endif
