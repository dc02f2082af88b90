/* The runs of an experiment as pairs: the first arm's and another's run of each block. */
#include "ab/pairs.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

bool pairs_same_condition(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

struct placed {
	const struct run *run;
	size_t index;
};

static int by_block(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->run->block != b->run->block)
		return a->run->block < b->run->block ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* The pair of one block, if both arms ran and neither is void. */
static bool pair_of_block(const struct placed *runs, size_t count, size_t arm, struct pair *ret)
{
	*ret = (struct pair){ .a = NULL };
	for (size_t i = 0; i < count; i++) {
		const struct run *run = runs[i].run;

		if (run->is_void)
			return false;
		if (run->arm == 0 && !ret->a)
			ret->a = run;
		if (run->arm == arm && !ret->b)
			ret->b = run;
	}
	return ret->a && ret->b;
}

static bool b_first(const struct pair *pair)
{
	return pair->b->position < pair->a->position;
}

/* Each block with the next one if that ran in the reverse order; a block without such a one is left out. */
static void join_halves(struct pair_list *list)
{
	size_t joined = 0;

	for (size_t i = 0; i + 1 < list->count; i++) {
		const struct pair *first = &list->items[i], *second = &list->items[i + 1];

		if (b_first(first) == b_first(second))
			continue;
		list->items[joined++] = (struct pair){ first->a, first->b, second->a, second->b };
		i++;
	}
	list->count = joined;
}

struct pair_list pairs_collect(const struct runs *runs, size_t arm, const char *condition)
{
	auto_free struct placed *placed = memory_zeroed(runs->count, sizeof(*placed));
	struct pair_list list = { memory_zeroed(runs->count, sizeof(*list.items)), 0 };
	const char *order = runs_plan(runs, "order");
	size_t used = 0, end;

	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->items[i];

		if ((run->arm == 0 || run->arm == arm) && pairs_same_condition(run->condition, condition))
			placed[used++] = (struct placed){ run, i };
	}
	qsort(placed, used, sizeof(*placed), by_block);
	for (size_t first = 0; first < used; first = end) {
		for (end = first + 1; end < used && placed[end].run->block == placed[first].run->block;)
			end++;
		list.count += pair_of_block(&placed[first], end - first, arm, &list.items[list.count]);
	}
	if (order && !strcmp(order, "abba"))
		join_halves(&list);
	return list;
}

/* Of one side of a pair: the mean of both halves. */
static double side_value(const struct quantity *quantity, const struct runs *runs, const struct run *first,
			 const struct run *second)
{
	double value = quantity_value(quantity, runs, first);

	return second ? (value + quantity_value(quantity, runs, second)) / 2 : value;
}

static uint32_t flags_of(const struct pair *pair)
{
	return pair->a->flags | pair->b->flags | (pair->a2 ? pair->a2->flags | pair->b2->flags : 0);
}

static bool is_scaled(const struct quantity *quantity, const struct pair *pair)
{
	return quantity_is_scaled(quantity, pair->a) || quantity_is_scaled(quantity, pair->b) ||
	       (pair->a2 && (quantity_is_scaled(quantity, pair->a2) || quantity_is_scaled(quantity, pair->b2)));
}

struct pair_values pair_values_collect(const struct pair_list *pairs, const struct runs *runs,
				       const struct quantity *quantity, bool unflagged_only)
{
	struct pair_values values = { .a = memory_zeroed(pairs->count, sizeof(*values.a)),
				      .b = memory_zeroed(pairs->count, sizeof(*values.b)),
				      .pairs = memory_zeroed(pairs->count, sizeof(*values.pairs)) };

	for (size_t i = 0; i < pairs->count; i++) {
		const struct pair *pair = &pairs->items[i];
		double a = side_value(quantity, runs, pair->a, pair->a2);
		double b = side_value(quantity, runs, pair->b, pair->b2);
		bool flagged = flags_of(pair);

		if (!isfinite(a) || !isfinite(b) || (flagged && unflagged_only))
			continue;
		values.flagged += flagged;
		values.scaled += is_scaled(quantity, pair);
		values.a[values.count] = a;
		values.b[values.count] = b;
		values.pairs[values.count++] = *pair;
	}
	return values;
}

void pair_values_release(struct pair_values *values)
{
	free(values->a);
	free(values->b);
	free(values->pairs);
}
