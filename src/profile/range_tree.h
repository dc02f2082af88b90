/* Address ranges of one process over its whole history: which was the newest to hold an address then. */
#ifndef PROFILE_RANGE_TREE_H
#define PROFILE_RANGE_TREE_H

#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t start, end, file_offset; /* end exclusive */
	uint32_t object;
	uint32_t position; /* in the process's history: mapped there */
	uint32_t epoch;    /* until the next exec */
};

/* Zero-initialised is empty. */
struct range_tree {
	struct range *items;   /* by start, then position, once sealed */
	uint64_t *highest;     /* [count] greatest end in the subtree whose root is the middle of its range */
	size_t count, capacity;
};

void range_tree_add(struct range_tree *tree, const struct range *range);
void range_tree_seal(struct range_tree *tree);
/* The newest range of that epoch, not after position, that holds the address; or NULL. */
const struct range *range_tree_find(const struct range_tree *tree, uint64_t address, uint32_t epoch,
				    uint32_t position);
void range_tree_release(struct range_tree *tree);

#endif
