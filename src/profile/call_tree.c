/* A tree of places, built for the entries that are shown. */
#include "profile/call_tree.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "profile/index.h"

static uint32_t add_node(struct call_tree *tree, uint32_t parent, uint32_t place)
{
	array_grow(&tree->nodes, tree->count, &tree->capacity);
	tree->nodes[tree->count] = (struct call_node){ .place = place, .parent = parent };
	if (tree->count) {
		tree->nodes[tree->count].next = tree->nodes[parent].first_child;
		tree->nodes[parent].first_child = (uint32_t)tree->count;
	}
	return (uint32_t)tree->count++;
}

/* The child of a node at a place, added when new. */
static uint32_t child_at(struct call_tree *tree, struct index *index, uint32_t parent, uint32_t place)
{
	uint64_t key = (uint64_t)parent << 32 | place;
	uint32_t found = index_find(index, key);

	if (found == INDEX_NONE) {
		found = add_node(tree, parent, place);
		index_add(index, key, found);
	}
	return found;
}

static void add_chain(struct call_tree *tree, struct index *index, const uint32_t *places, size_t count,
		      const struct row_total *total)
{
	uint32_t node = 0;

	for (size_t i = 0; i < count; i++) {
		node = child_at(tree, index, node, places[i]);
		tree->nodes[node].total += total->period;
		tree->nodes[node].samples += total->samples;
	}
	tree->nodes[node].self += total->period;
	tree->nodes[node].ends += total->samples;
}

struct call_tree *call_tree_create(struct entries *entries, size_t entry)
{
	const struct profile *profile = resolver_profile(entries->resolver);
	struct call_tree *tree = memory_zeroed(1, sizeof(*tree));
	struct index index = { 0 };

	add_node(tree, 0, 0);
	for (uint32_t at = entries->items[entry].occurrences; at; at = entries->occurrences[at - 1].next) {
		const struct occurrence *occurrence = &entries->occurrences[at - 1];
		const struct row_total *total = &profile->totals[occurrence->row];
		const uint32_t *places;

		if (row_event(profile, occurrence->row) != entries->setup->event)
			continue;

		size_t count = entries_chain(entries, occurrence->row, &places);

		tree->nodes[0].total += total->period;
		tree->nodes[0].samples += total->samples;
		add_chain(tree, &index, places + occurrence->skip, count - occurrence->skip, total);
	}
	index_release(&index);
	return tree;
}

struct child_order {
	const struct call_tree *tree;
	const struct resolver *resolver;
};

static bool is_nowhere(const struct child_order *order, const struct place *place)
{
	return resolver_profile(order->resolver)->objects->items[place->object].kind == OBJECT_UNKNOWN;
}

static int compare_children(const void *left, const void *right, void *data)
{
	const struct child_order *order = data;
	const struct call_node *a = &order->tree->nodes[*(const uint32_t *)left];
	const struct call_node *b = &order->tree->nodes[*(const uint32_t *)right];
	const struct place *p = resolver_place_at(order->resolver, a->place);
	const struct place *q = resolver_place_at(order->resolver, b->place);
	uint64_t from = p->function ? p->function->start : p->address;
	uint64_t to = q->function ? q->function->start : q->address;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	/* As perf, so that equal ones come in its order: what lies in no object last, then the higher address first. */
	if (is_nowhere(order, p) != is_nowhere(order, q))
		return is_nowhere(order, p) ? 1 : -1;
	if (from != to)
		return from > to ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

size_t call_tree_children(const struct call_tree *tree, const struct resolver *resolver, uint32_t node,
			  uint64_t least, uint32_t **ret)
{
	struct child_order order = { tree, resolver };
	uint32_t *found = NULL;
	size_t count = 0, capacity = 0;

	for (uint32_t at = tree->nodes[node].first_child; at; at = tree->nodes[at].next) {
		if (tree->nodes[at].total < least)
			continue;
		array_grow(&found, count, &capacity);
		found[count++] = at;
	}
	if (count)
		qsort_r(found, count, sizeof(*found), compare_children, &order);
	*ret = found;
	return count;
}

void call_tree_destroy(struct call_tree *tree)
{
	if (!tree)
		return;
	free(tree->nodes);
	free(tree);
}
