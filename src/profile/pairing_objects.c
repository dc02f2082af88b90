/* Which object of build A is which object of build B. */
#include "profile/pairing_nodes.h"

#include <string.h>

#include "base/text.h"
#include "profile/canonical.h"

struct object {
	const char *path, *build_id, *canonical;
	size_t group;  /* number shared with its partner; SIZE_MAX: none yet */
	size_t names;  /* its functions */
};

struct objects {
	struct object *items;
	size_t count;
	struct node **order; /* the side's nodes by object, then name */
	size_t order_count;
};

static int compare_nodes(const void *left, const void *right)
{
	const struct node *a = *(const struct node *const *)left, *b = *(const struct node *const *)right;
	int order = strcmp(a->item->object, b->item->object);

	if (!order)
		order = strcmp(a->item->build_id ? a->item->build_id : "", b->item->build_id ? b->item->build_id : "");
	return order ? order : strcmp(a->canonical ? a->canonical : "", b->canonical ? b->canonical : "");
}

static struct node **nodes_by_object(const struct side *side)
{
	struct node **order = memory_zeroed(side->node_count, sizeof(struct node *));

	for (size_t i = 0; i < side->node_count; i++)
		order[i] = &side->nodes[i];
	qsort(order, side->node_count, sizeof(*order), compare_nodes);
	return order;
}

static bool same_object(const struct node *a, const struct node *b)
{
	const char *left = a->item->build_id, *right = b->item->build_id;

	return !strcmp(a->item->object, b->item->object) && !strcmp(left ? left : "", right ? right : "");
}

static const char *arena_object(struct arena *arena, const char *path)
{
	auto_text struct text out = { 0 };

	canonical_object(path, &out);
	return arena_strdup(arena, out.bytes ? out.bytes : "");
}

/* List a side's objects; each node's object becomes its index in the list. */
static struct objects list_objects(struct side *side, struct arena *arena)
{
	struct node **order = nodes_by_object(side);
	struct objects list = {
		.items = memory_zeroed(side->node_count, sizeof(struct object)),
		.order = order,
		.order_count = side->node_count,
	};

	for (size_t i = 0; i < side->node_count; i++) {
		if (!i || !same_object(order[i], order[i - 1]))
			list.items[list.count++] = (struct object){
				.path = order[i]->item->object,
				.build_id = order[i]->item->build_id,
				.canonical = arena_object(arena, order[i]->item->object),
				.group = SIZE_MAX,
			};
		order[i]->object = list.count - 1;
		list.items[list.count - 1].names += order[i]->canonical != NULL;
	}
	return list;
}

static bool alike_build_id(const struct object *a, const struct object *b)
{
	return a->build_id && b->build_id && !strcmp(a->build_id, b->build_id);
}

static bool alike_path(const struct object *a, const struct object *b)
{
	return !strcmp(a->path, b->path);
}

static bool alike_canonical(const struct object *a, const struct object *b)
{
	return !strcmp(a->canonical, b->canonical);
}

/* Give partners one number. A library in two builds on one side joins both to the partner: they are one object of which
 * one process had the old build. */
static void pair_by(struct objects *a, struct objects *b, bool (*alike)(const struct object *, const struct object *),
		    size_t *groups)
{
	for (size_t i = 0; i < a->count; i++) {
		for (size_t j = 0; j < b->count; j++) {
			struct object *left = &a->items[i], *right = &b->items[j];

			if ((left->group != SIZE_MAX && right->group != SIZE_MAX) || !alike(left, right))
				continue;

			size_t group = left->group != SIZE_MAX    ? left->group
				       : right->group != SIZE_MAX ? right->group
								  : (*groups)++;

			left->group = right->group = group;
		}
	}
}

/* Names that two runs of nodes, both sorted by name, have in common. */
static size_t count_common(struct node **a, size_t a_count, struct node **b, size_t b_count)
{
	size_t common = 0;

	for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
		const char *left = a[i]->canonical ? a[i]->canonical : "", *right = b[j]->canonical ? b[j]->canonical : "";
		int order = strcmp(left, right);

		common += !order && *left;
		i += order <= 0;
		j += order >= 0;
	}
	return common;
}

struct run {
	struct node **first;
	size_t count;
};

/* The nodes of one object in the sorted order. */
static struct run object_run(const struct objects *objects, size_t object)
{
	struct run run = { objects->order, 0 };
	size_t left = objects->order_count;

	for (; left && run.first[0]->object != object; left--)
		run.first++;
	while (run.count < left && run.first[run.count]->object == object)
		run.count++;
	return run;
}

static bool plain_file(const struct object *object)
{
	return object->group == SIZE_MAX && object->path[0] != '[' && !text_starts_with(object->path, "//");
}

/* The unpaired object of B that shares most functions with this run; NULL when it is less than half of the smaller. */
static struct object *best_partner(struct run run, size_t names, const struct objects *b)
{
	struct object *best = NULL;
	size_t most = 0;

	for (size_t j = 0; j < b->count; j++) {
		struct object *right = &b->items[j];
		size_t smaller = names < right->names ? names : right->names;

		if (!plain_file(right))
			continue;

		struct run other = object_run(b, j);
		size_t common = count_common(run.first, run.count, other.first, other.count);

		if (common > most && 2 * common >= smaller) {
			most = common;
			best = right;
		}
	}
	return best;
}

static void pair_by_functions(struct objects *a, struct objects *b, size_t *groups)
{
	for (size_t i = 0; i < a->count; i++) {
		if (!plain_file(&a->items[i]))
			continue;

		struct object *partner = best_partner(object_run(a, i), a->items[i].names, b);

		if (partner)
			a->items[i].group = partner->group = (*groups)++;
	}
}

static void number_nodes(struct side *side, struct objects *objects, size_t *groups)
{
	for (size_t i = 0; i < objects->count; i++)
		if (objects->items[i].group == SIZE_MAX)
			objects->items[i].group = (*groups)++;
	for (size_t i = 0; i < side->node_count; i++)
		side->nodes[i].object = objects->items[side->nodes[i].object].group;
}

static void objects_release(struct objects *objects)
{
	free(objects->items);
	free(objects->order);
}

void sides_pair_objects(struct side *a, struct side *b, struct arena *arena)
{
	cleanup(objects_release) struct objects a_objects = list_objects(a, arena);
	cleanup(objects_release) struct objects b_objects = list_objects(b, arena);
	size_t groups = 0;

	pair_by(&a_objects, &b_objects, alike_build_id, &groups);
	pair_by(&a_objects, &b_objects, alike_path, &groups);
	pair_by(&a_objects, &b_objects, alike_canonical, &groups);
	pair_by_functions(&a_objects, &b_objects, &groups);
	number_nodes(a, &a_objects, &groups);
	number_nodes(b, &b_objects, &groups);
}
