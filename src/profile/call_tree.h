/* The call tree of one entry: the chains of its rows laid over one another. */
#ifndef PROFILE_CALL_TREE_H
#define PROFILE_CALL_TREE_H

#include "profile/entry.h"

struct call_node {
	uint32_t place;           /* place number */
	uint32_t parent, first_child, next; /* node numbers; 0: none (node 0 is the root) */
	uint64_t self, total;     /* period of chains that end here; and of those that pass */
	uint64_t samples;         /* of chains that end here or pass */
	uint64_t ends;            /* samples of chains that end here */
};

struct call_tree {
	struct call_node *nodes;  /* nodes[0]: the root, whose total is that of all chains */
	size_t count, capacity;
};

/* Only one member of a group has its tree drawn: member 0. */
struct call_tree *call_tree_create(struct entries *entries, size_t entry);
/* Children of a node with at least that total, greatest first; an array the caller frees. */
size_t call_tree_children(const struct call_tree *tree, const struct resolver *resolver, uint32_t node,
			  uint64_t least, uint32_t **ret);
void call_tree_destroy(struct call_tree *tree);
DEFINE_GUARD(call_tree)

#endif
