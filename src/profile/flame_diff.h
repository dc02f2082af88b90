/* Two flame trees laid over one another, chain by chain, with the noise of each. */
#ifndef PROFILE_FLAME_DIFF_H
#define PROFILE_FLAME_DIFF_H

#include "profile/flame_tree.h"

struct flame_diff_node {
	const char *name;             /* borrowed from either tree */
	uint32_t parent, first_child, next; /* node numbers; 0: none (node 0 is the root) */
	uint32_t depth;
	struct row_total total[2];    /* of chains that pass, on each side */
	double p, q;                  /* of "as many samples on both sides"; NaN: too few to say */
};

struct flame_diff {
	struct flame_diff_node *nodes; /* parents stand before their children */
	size_t count, capacity;
	uint32_t depth;
	size_t changed;               /* nodes with q <= 0.05 */
};

/* Chains pair by their names from the command down. Children by name. */
struct flame_diff *flame_diff_create(const struct flame_tree *a, const struct flame_tree *b);
void flame_diff_destroy(struct flame_diff *diff);
DEFINE_GUARD(flame_diff)

#define FLAME_DIFF_ALPHA 0.05 /* false discovery rate of the chains that are called changed */

#endif
