/* Folding a side's clones into one node for each function. */
#include "profile/pairing_nodes.h"

#include <string.h>

#include "base/text.h"
#include "profile/canonical.h"

/* An item while it is sorted into nodes. */
struct named_item {
	const struct pair_item *item;
	const char *canonical;
	enum name_variant variant;
	size_t index;
};

static int compare_text(const char *a, const char *b)
{
	return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

/* Clones beside their function, the function itself first. */
static int compare_named(const void *left, const void *right)
{
	const struct named_item *a = left, *b = right;
	int order = compare_text(a->item->object, b->item->object);

	if (!order)
		order = compare_text(a->canonical, b->canonical);
	if (!order)
		order = (a->variant == NAME_PIECE) - (b->variant == NAME_PIECE);
	if (!order)
		order = a->index < b->index ? -1 : 1;
	return order;
}

static const char *arena_canonical(struct arena *arena, const char *name, enum name_variant *variant)
{
	auto_text struct text out = { 0 };

	*variant = canonical_name(name, &out);
	return arena_strdup(arena, out.bytes ? out.bytes : "");
}

static struct named_item *name_items(const struct side *side, struct arena *arena)
{
	struct named_item *named = memory_zeroed(side->count, sizeof(*named));

	for (size_t i = 0; i < side->count; i++) {
		const struct pair_item *item = &side->items[i];

		named[i] = (struct named_item){ .item = item, .index = i };
		if (item->name)
			named[i].canonical = arena_canonical(arena, item->name, &named[i].variant);
	}
	qsort(named, side->count, sizeof(*named), compare_named);
	return named;
}

static const char *base_name(const char *path)
{
	return path ? text_base_name(path) : NULL;
}

static const char *arena_bare(struct arena *arena, const struct pair_item *item)
{
	auto_text struct text out = { 0 };

	if (!item->shown || !item->name || !strcmp(item->shown, item->name))
		return NULL;
	name_without_signature(item->shown, &out);
	return arena_strdup(arena, out.bytes);
}

static void start_node(struct side *side, const struct named_item *named, size_t *place, struct arena *arena)
{
	const struct pair_item *item = named->item;

	side->nodes[side->node_count++] = (struct node){
		.item = item,
		.items = place,
		.canonical = named->canonical,
		.bare = arena_bare(arena, item),
		.file = base_name(item->file),
		.pair = SIZE_MAX,
		.numbered = item->shown && name_is_numbered(item->shown),
	};
}

/* May this item join the node that began last? Pieces join the one function of their name, or each other; with several
 * functions of that name nobody knows whose they are. */
static bool joins_last(const struct side *side, const struct named_item *named, size_t bases)
{
	const struct node *last = side->node_count ? &side->nodes[side->node_count - 1] : NULL;

	return last && bases <= 1 && named->variant == NAME_PIECE && named->canonical &&
	       !compare_text(last->canonical, named->canonical) &&
	       !compare_text(last->item->object, named->item->object);
}

/* How many functions proper of this name and object there are; named points at the first item of the name. */
static size_t count_bases(const struct named_item *named, size_t left)
{
	size_t bases = 0;

	while (bases < left && named[bases].variant != NAME_PIECE &&
	       !compare_text(named[bases].canonical, named->canonical) &&
	       !compare_text(named[bases].item->object, named->item->object))
		bases++;
	return bases;
}

void side_fold(struct side *side, bool keep_clones, struct arena *arena)
{
	auto_free struct named_item *named = name_items(side, arena);
	size_t *places = arena_alloc(arena, side->count * sizeof(*places)), bases = 0;

	side->nodes = arena_alloc(arena, side->count * sizeof(*side->nodes));
	for (size_t i = 0; i < side->count; i++) {
		bool fresh = !i || compare_text(named[i].canonical, named[i - 1].canonical) ||
			     compare_text(named[i].item->object, named[i - 1].item->object);

		if (fresh)
			bases = count_bases(&named[i], side->count - i);
		places[i] = named[i].index;
		if (keep_clones || !joins_last(side, &named[i], bases))
			start_node(side, &named[i], &places[i], arena);
		side->nodes[side->node_count - 1].item_count++;
	}
}
