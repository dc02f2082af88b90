/* The runs of an experiment as pairs: the first arm's and another's run of each block. */
#ifndef AB_PAIRS_H
#define AB_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "ab/quantity.h"
#include "runs/runs.h"

/* a2, b2: with --order=abba the runs of the block that has the reverse order, else NULL: both blocks are one unit. */
struct pair {
	const struct run *a, *b, *a2, *b2;
};

/* In the order of blocks. A block with a void run of either arm has no pair. items is the caller's to free. */
struct pair_list {
	struct pair *items;
	size_t count;
};

/* condition NULL: blocks without one. */
struct pair_list pairs_collect(const struct runs *runs, size_t arm, const char *condition);
bool pairs_same_condition(const char *one, const char *other);

/* The pairs in which both sides have the quantity. All arrays are the caller's: pair_values_release(). */
struct pair_values {
	double *a, *b;
	struct pair *pairs; /* of the values */
	size_t count, flagged, scaled; /* flagged: pairs with a flag on either run */
};

struct pair_values pair_values_collect(const struct pair_list *pairs, const struct runs *runs,
				       const struct quantity *quantity, bool unflagged_only);
void pair_values_release(struct pair_values *values);
#define auto_pair_values cleanup(pair_values_release)

#endif
