/* Chains of two recordings paired by name, and tested as counts. */
#include "profile/flame_diff.h"

#include <math.h>

#include "base/intern.h"
#include "base/memory.h"
#include "stats/adjust.h"
#include "stats/poisson_pair.h"

enum { LEAST_SAMPLES = 10 }; /* of both sides: fewer are not tested */

/* The nodes of a tree in the common one; the caller frees. */
static uint32_t *lay(struct flame_growth *growth, struct intern *names, const struct flame_tree *tree)
{
	uint32_t *node = memory_zeroed(tree->count, sizeof(*node));

	for (size_t i = 1; i < tree->count; i++)
		node[i] = flame_growth_child(growth, node[tree->nodes[i].parent], intern_text(names, tree->nodes[i].name));
	return node;
}

static void take_totals(struct flame_diff *diff, const struct flame_tree *tree, const uint32_t *node, size_t side)
{
	for (size_t i = 0; i < tree->count; i++)
		diff->changes[node[i]].total[side] = tree->nodes[i].total;
}

/* One recording a side: that sampling scatters is all that is known. */
static void test_changes(struct flame_diff *diff)
{
	size_t count = diff->tree->count;
	auto_free double *p = memory_zeroed(count, sizeof(*p)), *q = memory_zeroed(count, sizeof(*q));

	for (size_t i = 0; i < count; i++) {
		const struct row_total *total = diff->changes[i].total;
		struct poisson_pair pair = { (double)total[0].samples, (double)total[1].samples, 1, 1 };

		p[i] = pair.a + pair.b < LEAST_SAMPLES ? NAN : poisson_pair_p(&pair);
	}
	adjust_benjamini_hochberg(p, count, q);
	for (size_t i = 0; i < count; i++) {
		diff->changes[i].p = p[i];
		diff->changes[i].q = q[i];
		diff->changed += q[i] <= FLAME_DIFF_ALPHA;
	}
}

struct flame_diff *flame_diff_create(const struct flame_tree *a, const struct flame_tree *b)
{
	struct flame_diff *diff = memory_zeroed(1, sizeof(*diff));
	struct flame_growth growth = flame_growth_begin();

	diff->names = intern_create();

	auto_free uint32_t *node_a = lay(&growth, diff->names, a), *node_b = lay(&growth, diff->names, b);

	diff->tree = flame_growth_end(&growth);
	diff->changes = memory_zeroed(diff->tree->count, sizeof(*diff->changes));
	take_totals(diff, a, node_a, 0);
	take_totals(diff, b, node_b, 1);
	test_changes(diff);
	return diff;
}

void flame_diff_destroy(struct flame_diff *diff)
{
	if (!diff)
		return;
	flame_tree_destroy(diff->tree);
	intern_destroy(diff->names);
	free(diff->changes);
	free(diff);
}
