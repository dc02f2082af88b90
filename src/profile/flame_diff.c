/* Chains of two recordings paired by name, and tested as counts. */
#include "profile/flame_diff.h"

#include <math.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "profile/index.h"
#include "stats/adjust.h"
#include "stats/poisson_pair.h"

enum { LEAST_SAMPLES = 10 }; /* of both sides: fewer are not tested */

struct laying {
	struct flame_diff *diff;
	struct intern *names;  /* equal names of both trees are equal pointers */
	struct tuples keys;    /* parent, name: node - 1 */
};

static uint32_t node_of(struct laying *laying, uint32_t parent, const char *name)
{
	struct flame_diff *diff = laying->diff;
	uint64_t key[2] = { parent, (uintptr_t)intern_text(laying->names, name) };
	uint32_t number = tuples_intern(&laying->keys, key) + 1;

	if (number == diff->count) {
		uint32_t depth = diff->nodes[parent].depth + 1;

		array_grow(&diff->nodes, diff->count, &diff->capacity);
		diff->nodes[diff->count++] = (struct flame_diff_node){ .name = name, .parent = parent, .depth = depth,
								      .p = NAN, .q = NAN };
		if (depth > diff->depth)
			diff->depth = depth;
	}
	return number;
}

static void lay(struct laying *laying, const struct flame_tree *tree, size_t side)
{
	auto_free uint32_t *node = memory_zeroed(tree->count, sizeof(*node));

	laying->diff->nodes[0].total[side] = tree->nodes[0].total;
	for (size_t i = 1; i < tree->count; i++) {
		node[i] = node_of(laying, node[tree->nodes[i].parent], tree->nodes[i].name);
		laying->diff->nodes[node[i]].total[side] = tree->nodes[i].total;
	}
}

/* One recording a side: that sampling scatters is all that is known. */
static void test_nodes(struct flame_diff *diff)
{
	auto_free double *p = memory_zeroed(diff->count, sizeof(*p)), *q = memory_zeroed(diff->count, sizeof(*q));

	for (size_t i = 0; i < diff->count; i++) {
		const struct flame_diff_node *node = &diff->nodes[i];
		struct poisson_pair pair = { (double)node->total[0].samples, (double)node->total[1].samples, 1, 1 };

		p[i] = pair.a + pair.b < LEAST_SAMPLES ? NAN : poisson_pair_p(&pair);
	}
	adjust_benjamini_hochberg(p, diff->count, q);
	for (size_t i = 0; i < diff->count; i++) {
		diff->nodes[i].p = p[i];
		diff->nodes[i].q = q[i];
		diff->changed += q[i] <= FLAME_DIFF_ALPHA;
	}
}

static int compare_siblings(const void *left, const void *right, void *data)
{
	const struct flame_diff *diff = data;
	const struct flame_diff_node *a = &diff->nodes[*(const uint32_t *)left],
				     *b = &diff->nodes[*(const uint32_t *)right];

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	return strcmp(b->name, a->name);
}

static void link_children(struct flame_diff *diff)
{
	auto_free uint32_t *order = memory_zeroed(diff->count, sizeof(*order));

	for (uint32_t i = 0; i < diff->count; i++)
		order[i] = i;
	qsort_r(order + 1, diff->count - 1, sizeof(*order), compare_siblings, diff);
	for (size_t i = 1; i < diff->count; i++) {
		struct flame_diff_node *node = &diff->nodes[order[i]];

		node->next = diff->nodes[node->parent].first_child;
		diff->nodes[node->parent].first_child = order[i];
	}
}

struct flame_diff *flame_diff_create(const struct flame_tree *a, const struct flame_tree *b)
{
	struct laying laying = { memory_zeroed(1, sizeof(*laying.diff)), intern_create(), { .words = 2 } };
	struct flame_diff *diff = laying.diff;

	array_grow(&diff->nodes, diff->count, &diff->capacity);
	diff->nodes[diff->count++] = (struct flame_diff_node){ .name = "all", .p = NAN, .q = NAN };
	lay(&laying, a, 0);
	lay(&laying, b, 1);
	test_nodes(diff);
	link_children(diff);
	tuples_release(&laying.keys);
	intern_destroy(laying.names);
	return diff;
}

void flame_diff_destroy(struct flame_diff *diff)
{
	if (!diff)
		return;
	free(diff->nodes);
	free(diff);
}
