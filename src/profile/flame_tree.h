/* All call chains of one event laid over one another, from the command down: what flame graphs show. */
#ifndef PROFILE_FLAME_TREE_H
#define PROFILE_FLAME_TREE_H

#include "profile/index.h"
#include "profile/resolve.h"

struct flame_node {
	const char *name;             /* of the command, the function, or "[object]"; shown, not escaped */
	uint32_t parent, first_child, next; /* node numbers; 0: none (node 0 is the root) */
	uint32_t depth;               /* of the root: 0 */
	struct row_total self, total; /* of chains that end here; and of those that pass */
};

struct flame_tree {
	struct flame_node *nodes;     /* nodes[0]: the root. Parents stand before their children */
	size_t count, capacity;
	uint32_t depth;               /* greatest */
};

/* A tree in the making. */
struct flame_growth {
	struct flame_tree *tree;
	struct tuples keys;           /* parent, name: node - 1 */
};

/* With its root. */
struct flame_growth flame_growth_begin(void);
/* The child of that name, which is equal to another when its pointer is; borrowed. */
uint32_t flame_growth_child(struct flame_growth *growth, uint32_t parent, const char *name);
/* Children are put in order by name; the caller owns the tree. */
struct flame_tree *flame_growth_end(struct flame_growth *growth);

/* Children by name. The profile needs its stacks and commands; the names are the resolver's. */
struct flame_tree *flame_tree_create(struct resolver *resolver, size_t event);
void flame_tree_destroy(struct flame_tree *tree);
DEFINE_GUARD(flame_tree)

#endif
