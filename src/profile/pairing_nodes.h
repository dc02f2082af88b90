/* The inside of pairing: one side's functions, clones folded, and the objects they live in. */
#ifndef PROFILE_PAIRING_NODES_H
#define PROFILE_PAIRING_NODES_H

#include "base/memory.h"
#include "profile/pairing.h"

/* One future half of a row. Strings live in the arena. */
struct node {
	const struct pair_item *item; /* the base function */
	size_t *items;                /* [item_count], indexes of the side */
	size_t item_count;
	const char *canonical;        /* name without suffixes */
	const char *bare;             /* name without signature; NULL when it says no more */
	const char *file;             /* base name of the declaring file, or NULL */
	size_t object;                /* number of its object, the same in both sides once paired */
	size_t pair;                  /* the row it is in; SIZE_MAX: none yet */
	bool numbered;                /* a name that the compiler numbered */
};

struct side {
	const struct pair_item *items;
	size_t count;
	struct node *nodes;
	size_t node_count;
};

/* Fold the items into nodes; everything is allocated in the arena. object is not set yet. */
void side_fold(struct side *side, bool keep_clones, struct arena *arena);
/* Number the objects of both sides: paired ones alike. By path, build id, canonical name, then by shared functions. */
void sides_pair_objects(struct side *a, struct side *b, struct arena *arena);

#endif
