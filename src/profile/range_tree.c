/* An interval tree laid out in a sorted array: each subtree's root is the middle of its part. */
#include "profile/range_tree.h"

#include <stdlib.h>

#include "base/memory.h"

void range_tree_add(struct range_tree *tree, const struct range *range)
{
	array_grow(&tree->items, tree->count, &tree->capacity);
	tree->items[tree->count++] = *range;
}

static int range_compare(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->position < b->position ? -1 : a->position > b->position;
}

static uint64_t fill_highest(struct range_tree *tree, size_t low, size_t high)
{
	if (low >= high)
		return 0;

	size_t middle = low + (high - low) / 2;
	uint64_t left = fill_highest(tree, low, middle), right = fill_highest(tree, middle + 1, high);
	uint64_t highest = tree->items[middle].end;

	if (left > highest)
		highest = left;
	if (right > highest)
		highest = right;
	tree->highest[middle] = highest;
	return highest;
}

void range_tree_seal(struct range_tree *tree)
{
	if (!tree->count)
		return;
	qsort(tree->items, tree->count, sizeof(*tree->items), range_compare);
	tree->highest = memory_resize(tree->highest, tree->count, sizeof(*tree->highest));
	fill_highest(tree, 0, tree->count);
}

struct range_query {
	uint64_t address;
	uint32_t epoch, position;
	const struct range *best;
};

static void find_in(const struct range_tree *tree, size_t low, size_t high, struct range_query *query)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct range *range = &tree->items[middle];

		if (tree->highest[middle] <= query->address)
			return;
		if (range->start > query->address) {
			high = middle;
			continue;
		}
		if (range->end > query->address && range->epoch == query->epoch &&
		    range->position <= query->position &&
		    (!query->best || range->position > query->best->position))
			query->best = range;
		find_in(tree, low, middle, query);
		low = middle + 1;
	}
}

const struct range *range_tree_find(const struct range_tree *tree, uint64_t address, uint32_t epoch,
				    uint32_t position)
{
	struct range_query query = { address, epoch, position, NULL };

	find_in(tree, 0, tree->count, &query);
	return query.best;
}

void range_tree_release(struct range_tree *tree)
{
	free(tree->items);
	free(tree->highest);
	*tree = (struct range_tree){ 0 };
}
