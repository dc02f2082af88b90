/* Pairing by rules: each pass pairs what its key names once on each side; the next looks at what is left. */
#include "profile/pairing.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/pairing_nodes.h"

struct pairing {
	struct arena *arena;
	struct side a, b;
	struct pair *pairs;
	size_t count, capacity;
};

static const char *const rule_texts[] = {
	[PAIR_SAME_BYTES] = "same build",
	[PAIR_NAME] = "name",
	[PAIR_NAME_FILE] = "name and file",
	[PAIR_NAME_CODE] = "name and code",
	[PAIR_CANONICAL] = "name without suffixes",
	[PAIR_SIGNATURE] = "name without signature",
	[PAIR_MOVED] = "moved",
	[PAIR_CODE] = "same code, renamed",
	[PAIR_AMBIGUOUS] = "ambiguous",
	[PAIR_UNRESOLVED] = "unresolved",
	[PAIR_NEW] = "new",
	[PAIR_GONE] = "gone",
};

const char *pair_rule_text(enum pair_rule rule)
{
	return rule_texts[rule];
}

/* Code shorter than this is alike by chance: a return, a jump. Bytes. */
enum { TELLING_CODE = 16 };

static bool telling_code(const struct node *node)
{
	return node->item->code_hash && node->item->size >= TELLING_CODE;
}

/* What a pass compares. A node that lacks a part of the key is left out of the pass. */
enum key_part {
	KEY_OBJECT = 1 << 0,
	KEY_NAME = 1 << 1,
	KEY_CANONICAL = 1 << 2,
	KEY_BARE = 1 << 3,
	KEY_FILE = 1 << 4,
	KEY_CODE = 1 << 5,
	KEY_PLACE = 1 << 6, /* build id and address */
};

enum pass_limit {
	PASS_PLAIN_NAMES = 1 << 0, /* not the names that the compiler numbered */
	PASS_SAME_FILE = 1 << 1,   /* not when both files are known and differ, unless the code is the same */
	PASS_SEVERAL = 1 << 2,     /* also when the key names several on a side: one row for all */
};

static const struct pass {
	enum pair_rule rule;
	unsigned key, limits;
} passes[] = {
	{ PAIR_SAME_BYTES, KEY_PLACE, 0 },
	{ PAIR_NAME, KEY_OBJECT | KEY_NAME, PASS_PLAIN_NAMES | PASS_SAME_FILE },
	{ PAIR_NAME_FILE, KEY_OBJECT | KEY_NAME | KEY_FILE, PASS_PLAIN_NAMES },
	{ PAIR_NAME_CODE, KEY_OBJECT | KEY_NAME | KEY_CODE, 0 },
	{ PAIR_NAME_FILE, KEY_NAME | KEY_FILE, PASS_PLAIN_NAMES },
	{ PAIR_CANONICAL, KEY_OBJECT | KEY_CANONICAL, PASS_PLAIN_NAMES | PASS_SAME_FILE },
	{ PAIR_CANONICAL, KEY_OBJECT | KEY_CANONICAL | KEY_FILE, PASS_PLAIN_NAMES },
	{ PAIR_NAME_CODE, KEY_OBJECT | KEY_CANONICAL | KEY_CODE, 0 },
	{ PAIR_NAME_CODE, KEY_OBJECT | KEY_BARE | KEY_CODE, 0 },
	{ PAIR_NAME, KEY_OBJECT | KEY_NAME, 0 },
	{ PAIR_SIGNATURE, KEY_OBJECT | KEY_BARE, PASS_SAME_FILE },
	{ PAIR_MOVED, KEY_NAME, PASS_PLAIN_NAMES },
	{ PAIR_MOVED, KEY_CANONICAL, PASS_PLAIN_NAMES },
	{ PAIR_CODE, KEY_OBJECT | KEY_CODE, 0 },
	{ PAIR_CODE, KEY_CODE, 0 },
	{ PAIR_AMBIGUOUS, KEY_OBJECT | KEY_CANONICAL, PASS_SEVERAL },
};

/* Append the key, or return false when the node has not all of its parts. */
static bool append_key(struct text *key, const struct node *node, unsigned parts)
{
	const struct pair_item *item = node->item;

	if ((parts & KEY_BARE && !node->bare) || (parts & KEY_FILE && !node->file) ||
	    (parts & KEY_CODE && !telling_code(node)) || (parts & KEY_PLACE && !item->build_id))
		return false;
	if (parts & KEY_OBJECT)
		text_format(key, "%zu\x1f", node->object);
	if (parts & KEY_NAME)
		text_format(key, "%s\x1f", item->name);
	if (parts & KEY_CANONICAL)
		text_format(key, "%s\x1f", node->canonical);
	if (parts & KEY_BARE)
		text_format(key, "%s\x1f", node->bare);
	if (parts & KEY_FILE)
		text_format(key, "%s\x1f", node->file);
	if (parts & KEY_CODE)
		text_format(key, "%016llx\x1f", (unsigned long long)item->code_hash);
	if (parts & KEY_PLACE)
		text_format(key, "%s:%llx", item->build_id, (unsigned long long)item->start);
	return true;
}

struct keyed {
	char *key;
	struct node *node;
	bool is_b;
};

struct keyed_list {
	struct keyed *items;
	size_t count;
};

static void add_keyed(struct keyed_list *list, struct side *side, bool is_b, const struct pass *pass)
{
	for (size_t i = 0; i < side->node_count; i++) {
		struct node *node = &side->nodes[i];
		auto_text struct text key = { 0 };

		if (node->pair != SIZE_MAX || !node->canonical || (pass->limits & PASS_PLAIN_NAMES && node->numbered))
			continue;
		if (append_key(&key, node, pass->key))
			list->items[list->count++] = (struct keyed){ text_steal(&key), node, is_b };
	}
}

static int compare_keyed(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = strcmp(a->key, b->key);

	if (!order)
		order = a->is_b - b->is_b;
	return order ? order : a->node < b->node ? -1 : 1;
}

static void keyed_list_release(struct keyed_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].key);
	free(list->items);
}

static struct keyed_list key_sides(struct pairing *pairing, const struct pass *pass)
{
	struct keyed_list list = {
		memory_zeroed(pairing->a.node_count + pairing->b.node_count, sizeof(struct keyed)), 0
	};

	add_keyed(&list, &pairing->a, false, pass);
	add_keyed(&list, &pairing->b, true, pass);
	qsort(list.items, list.count, sizeof(*list.items), compare_keyed);
	return list;
}

static bool same_code(const struct node *a, const struct node *b)
{
	return a->item->code_hash && a->item->code_hash == b->item->code_hash;
}

static bool files_differ(const struct node *a, const struct node *b)
{
	return a->file && b->file && strcmp(a->file, b->file) && !same_code(a, b);
}

/* The indexes of several nodes' items in one array. */
static size_t *join_items(struct pairing *pairing, const struct keyed *nodes, size_t count, size_t *ret)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += nodes[i].node->item_count;

	size_t *items = arena_alloc(pairing->arena, total * sizeof(*items)), *at = items;

	for (size_t i = 0; i < count; i++) {
		memcpy(at, nodes[i].node->items, nodes[i].node->item_count * sizeof(*at));
		at += nodes[i].node->item_count;
		nodes[i].node->pair = pairing->count;
	}
	*ret = total;
	return items;
}

/* Make one row of neighbours in a keyed list: a_count of side A, then b_count of side B. */
static void add_pair(struct pairing *pairing, const struct keyed *nodes, size_t a_count, size_t b_count,
		     enum pair_rule rule)
{
	struct pair pair = { .rule = rule };

	pair.a = join_items(pairing, nodes, a_count, &pair.a_count);
	pair.b = join_items(pairing, nodes + a_count, b_count, &pair.b_count);
	array_grow(&pairing->pairs, pairing->count, &pairing->capacity);
	pairing->pairs[pairing->count++] = pair;
}

static void pair_key(struct pairing *pairing, const struct pass *pass, const struct keyed *first, size_t count)
{
	size_t a_count = 0;

	while (a_count < count && !first[a_count].is_b)
		a_count++;

	size_t b_count = count - a_count;

	if (!a_count || !b_count)
		return;
	if (pass->limits & PASS_SEVERAL) {
		add_pair(pairing, first, a_count, b_count, pass->rule);
		return;
	}
	if (a_count > 1 || b_count > 1 ||
	    (pass->limits & PASS_SAME_FILE && files_differ(first[0].node, first[1].node)))
		return;
	add_pair(pairing, first, 1, 1, pass->rule);
}

static void run_pass(struct pairing *pairing, const struct pass *pass)
{
	cleanup(keyed_list_release) struct keyed_list list = key_sides(pairing, pass);

	for (size_t i = 0, end; i < list.count; i = end) {
		for (end = i + 1; end < list.count && !strcmp(list.items[i].key, list.items[end].key);)
			end++;
		pair_key(pairing, pass, &list.items[i], end - i);
	}
}

/* The paired nodes of a side by object and machine code. */
struct twins {
	struct node **items;
	size_t count;
};

static int compare_twins(const void *left, const void *right)
{
	const struct node *a = *(const struct node *const *)left, *b = *(const struct node *const *)right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->item->code_hash > b->item->code_hash) - (a->item->code_hash < b->item->code_hash);
}

static struct twins list_twins(struct side *side)
{
	struct twins twins = { memory_zeroed(side->node_count, sizeof(struct node *)), 0 };

	for (size_t i = 0; i < side->node_count; i++)
		if (side->nodes[i].pair != SIZE_MAX && telling_code(&side->nodes[i]))
			twins.items[twins.count++] = &side->nodes[i];
	qsort(twins.items, twins.count, sizeof(*twins.items), compare_twins);
	return twins;
}

static void append_items(struct pairing *pairing, const size_t **items, size_t *count, const struct node *node)
{
	size_t *joined = arena_alloc(pairing->arena, (*count + node->item_count) * sizeof(*joined));

	memcpy(joined, *items, *count * sizeof(*joined));
	memcpy(joined + *count, node->items, node->item_count * sizeof(*joined));
	*items = joined;
	*count += node->item_count;
}

/* Functions with one machine code that the linker folded into one on the other side: their costs are one row. */
static void merge_twins(struct pairing *pairing, struct side *side)
{
	struct twins twins = list_twins(side);
	auto_free struct node **owned unused = twins.items;

	for (size_t i = 0; i < side->node_count; i++) {
		struct node *node = &side->nodes[i], **twin = NULL;

		if (node->pair == SIZE_MAX && telling_code(node))
			twin = bsearch(&node, twins.items, twins.count, sizeof(*twins.items), compare_twins);
		if (!twin)
			continue;

		struct pair *pair = &pairing->pairs[(*twin)->pair];

		if (side == &pairing->a)
			append_items(pairing, &pair->a, &pair->a_count, node);
		else
			append_items(pairing, &pair->b, &pair->b_count, node);
		pair->merged = true;
		node->pair = (*twin)->pair;
	}
}

static void pair_unresolved(struct pairing *pairing)
{
	for (size_t i = 0; i < pairing->a.node_count; i++) {
		struct keyed both[2] = { { NULL, &pairing->a.nodes[i], false }, { 0 } };
		size_t b_count = 0;

		if (both[0].node->canonical)
			continue;
		for (size_t j = 0; j < pairing->b.node_count && !b_count; j++) {
			struct node *other = &pairing->b.nodes[j];

			if (other->canonical || other->pair != SIZE_MAX || other->object != both[0].node->object)
				continue;
			both[1] = (struct keyed){ NULL, other, true };
			b_count = 1;
		}
		add_pair(pairing, both, 1, b_count, PAIR_UNRESOLVED);
	}
}

static void add_rest(struct pairing *pairing, struct side *side, bool is_b)
{
	for (size_t i = 0; i < side->node_count; i++) {
		struct keyed alone = { NULL, &side->nodes[i], is_b };
		bool unresolved = !alone.node->canonical;

		if (alone.node->pair == SIZE_MAX)
			add_pair(pairing, &alone, !is_b, is_b,
				 unresolved ? PAIR_UNRESOLVED : is_b ? PAIR_NEW : PAIR_GONE);
	}
}

static int compare_hashes(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* The code hashes of items, sorted; NULL when one is unknown. The caller frees. */
static uint64_t *sorted_hashes(const struct pair_item *items, const size_t *indexes, size_t count)
{
	uint64_t *hashes = memory_zeroed(count, sizeof(*hashes));

	for (size_t i = 0; i < count; i++) {
		hashes[i] = items[indexes[i]].code_hash;
		if (!hashes[i]) {
			free(hashes);
			return NULL;
		}
	}
	qsort(hashes, count, sizeof(*hashes), compare_hashes);
	return hashes;
}

static enum code_state compare_code(const struct pairing *pairing, const struct pair *pair)
{
	if (pair->rule == PAIR_SAME_BYTES)
		return CODE_IDENTICAL;

	auto_free uint64_t *a = sorted_hashes(pairing->a.items, pair->a, pair->a_count);
	auto_free uint64_t *b = sorted_hashes(pairing->b.items, pair->b, pair->b_count);

	if (!a || !b || pair->rule >= PAIR_UNRESOLVED)
		return CODE_UNKNOWN;
	if (pair->a_count != pair->b_count || memcmp(a, b, pair->a_count * sizeof(*a)))
		return pair->merged ? CODE_UNKNOWN : CODE_CHANGED;
	return CODE_IDENTICAL;
}

static bool object_renamed(const struct pairing *pairing, const struct pair *pair)
{
	if (!pair->a_count || !pair->b_count)
		return false;

	const char *a = pairing->a.items[pair->a[0]].object, *b = pairing->b.items[pair->b[0]].object;
	const char *a_slash = strrchr(a, '/'), *b_slash = strrchr(b, '/');

	return strcmp(a_slash ? a_slash + 1 : a, b_slash ? b_slash + 1 : b) != 0;
}

struct pairing *pairing_create(const struct pair_item *a, size_t a_count, const struct pair_item *b, size_t b_count,
			       const struct pairing_setup *setup)
{
	struct pairing *pairing = memory_zeroed(1, sizeof(*pairing));

	pairing->arena = arena_create();
	pairing->a = (struct side){ .items = a, .count = a_count };
	pairing->b = (struct side){ .items = b, .count = b_count };
	side_fold(&pairing->a, setup->keep_clones, pairing->arena);
	side_fold(&pairing->b, setup->keep_clones, pairing->arena);
	sides_pair_objects(&pairing->a, &pairing->b, pairing->arena);
	for (size_t i = 0; i < ARRAY_SIZE(passes); i++)
		if (passes[i].rule <= setup->last_rule)
			run_pass(pairing, &passes[i]);
	if (setup->last_rule >= PAIR_CODE) {
		merge_twins(pairing, &pairing->a);
		merge_twins(pairing, &pairing->b);
	}
	pair_unresolved(pairing);
	add_rest(pairing, &pairing->a, false);
	add_rest(pairing, &pairing->b, true);
	for (size_t i = 0; i < pairing->count; i++) {
		pairing->pairs[i].code = compare_code(pairing, &pairing->pairs[i]);
		pairing->pairs[i].object_renamed = object_renamed(pairing, &pairing->pairs[i]);
	}
	return pairing;
}

size_t pairing_pairs(const struct pairing *pairing, const struct pair **ret)
{
	*ret = pairing->pairs;
	return pairing->count;
}

void pairing_destroy(struct pairing *pairing)
{
	if (!pairing)
		return;
	arena_destroy(pairing->arena);
	free(pairing->pairs);
	free(pairing);
}
