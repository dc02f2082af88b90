/* Two flame trees laid over one another, chain by chain, with the noise of each. */
#ifndef PROFILE_FLAME_DIFF_H
#define PROFILE_FLAME_DIFF_H

#include "profile/flame_tree.h"

/* One chain on both sides. */
struct flame_change {
	struct row_total total[2];    /* of chains that pass */
	double p, q;                  /* of "as many samples on both sides"; NaN: too few to say */
};

struct flame_diff {
	struct flame_tree *tree;      /* of all chains; its own totals are zero */
	struct flame_change *changes; /* [tree->count] */
	struct intern *names;         /* the tree's */
	size_t changed;               /* nodes with q <= FLAME_DIFF_ALPHA */
};

/* Chains pair by their names from the command down. */
struct flame_diff *flame_diff_create(const struct flame_tree *a, const struct flame_tree *b);
void flame_diff_destroy(struct flame_diff *diff);
DEFINE_GUARD(flame_diff)

#define FLAME_DIFF_ALPHA 0.05 /* false discovery rate of the chains that are called changed */

#endif
