/* A node is its parent and a name: chains are walked once each, children are put in order at the end. */
#include "profile/flame_tree.h"

#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"

struct growing {
	struct resolver *resolver;
	struct flame_growth growth;
	const char **objects; /* [objects] "[name]", made when first asked for */
	const char **names;   /* frames of the chain at hand, innermost first */
	size_t name_count, name_capacity;
};

static const char *place_text(struct growing *growing, uint32_t number)
{
	const struct profile *profile = resolver_profile(growing->resolver);
	const struct place *place = resolver_place_at(growing->resolver, number);
	auto_text struct text name = { 0 };

	if (place->function)
		return place_name(place);
	if (!growing->objects[place->object]) {
		const char *object = place_object(growing->resolver, place);

		text_format(&name, object[0] == '[' ? "%s" : "[%s]", object);
		growing->objects[place->object] = intern_text(profile->names, name.bytes);
	}
	return growing->objects[place->object];
}

struct flame_growth flame_growth_begin(void)
{
	struct flame_growth growth = { memory_zeroed(1, sizeof(*growth.tree)), { .words = 2 } };

	array_grow(&growth.tree->nodes, growth.tree->count, &growth.tree->capacity);
	growth.tree->nodes[growth.tree->count++] = (struct flame_node){ .name = "all" };
	return growth;
}

uint32_t flame_growth_child(struct flame_growth *growth, uint32_t parent, const char *name)
{
	struct flame_tree *tree = growth->tree;
	uint64_t key[2] = { parent, (uintptr_t)name };
	uint32_t number = tuples_intern(&growth->keys, key) + 1;

	if (number == tree->count) {
		uint32_t depth = tree->nodes[parent].depth + 1;

		array_grow(&tree->nodes, tree->count, &tree->capacity);
		tree->nodes[tree->count++] = (struct flame_node){ .name = name, .parent = parent, .depth = depth };
		if (depth > tree->depth)
			tree->depth = depth;
	}
	return number;
}

static void add_frames(struct growing *growing, uint32_t site)
{
	const uint32_t *frames;
	size_t count = resolver_frames(growing->resolver, site, &frames);

	for (size_t i = 0; i < count; i++) {
		array_grow(&growing->names, growing->name_count, &growing->name_capacity);
		growing->names[growing->name_count++] = place_text(growing, frames[i]);
	}
}

static void add_row(struct growing *growing, size_t row)
{
	const struct profile *profile = resolver_profile(growing->resolver);
	uint32_t stack = (uint32_t)row_word(profile, row, ROW_STACK), node;

	growing->name_count = 0;
	if (!stack)
		add_frames(growing, row_site(profile, row));
	for (; stack; stack = stack_at(profile, stack).caller)
		add_frames(growing, stack_at(profile, stack).site);
	node = flame_growth_child(&growing->growth, 0, (const char *)(uintptr_t)row_word(profile, row, ROW_COMM));
	for (size_t i = growing->name_count; i--;)
		node = flame_growth_child(&growing->growth, node, growing->names[i]);
	growing->growth.tree->nodes[node].self.samples += profile->totals[row].samples;
	growing->growth.tree->nodes[node].self.period += profile->totals[row].period;
}

static void sum_up(struct flame_tree *tree)
{
	for (size_t i = tree->count; i--;) {
		struct flame_node *node = &tree->nodes[i], *parent = &tree->nodes[node->parent];

		node->total.samples += node->self.samples;
		node->total.period += node->self.period;
		if (!i)
			continue;
		parent->total.samples += node->total.samples;
		parent->total.period += node->total.period;
	}
}

static int compare_siblings(const void *left, const void *right, void *data)
{
	const struct flame_tree *tree = data;
	const struct flame_node *a = &tree->nodes[*(const uint32_t *)left], *b = &tree->nodes[*(const uint32_t *)right];

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	return strcmp(b->name, a->name);
}

/* From the last name to the first, each becomes its parent's first child. */
static void link_children(struct flame_tree *tree)
{
	auto_free uint32_t *order = memory_zeroed(tree->count, sizeof(*order));

	for (uint32_t i = 0; i < tree->count; i++)
		order[i] = i;
	qsort_r(order + 1, tree->count - 1, sizeof(*order), compare_siblings, tree);
	for (size_t i = 1; i < tree->count; i++) {
		struct flame_node *node = &tree->nodes[order[i]];

		node->next = tree->nodes[node->parent].first_child;
		tree->nodes[node->parent].first_child = order[i];
	}
}

struct flame_tree *flame_growth_end(struct flame_growth *growth)
{
	link_children(growth->tree);
	tuples_release(&growth->keys);
	return take(growth->tree);
}

struct flame_tree *flame_tree_create(struct resolver *resolver, size_t event)
{
	const struct profile *profile = resolver_profile(resolver);
	struct growing growing = { .resolver = resolver, .growth = flame_growth_begin() };
	struct flame_tree *tree;

	growing.objects = memory_zeroed(profile->objects->count + 1, sizeof(*growing.objects));
	for (size_t row = 0; row < profile->rows.count; row++)
		if (row_event(profile, row) == event)
			add_row(&growing, row);
	tree = flame_growth_end(&growing.growth);
	sum_up(tree);
	free(growing.objects);
	free(growing.names);
	return tree;
}

void flame_tree_destroy(struct flame_tree *tree)
{
	if (!tree)
		return;
	free(tree->nodes);
	free(tree);
}
