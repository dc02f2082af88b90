/* Nested address ranges: sorted, each linked to the one around it. */
#include "symbol/address_ranges.h"

#include "base/memory.h"

enum { NO_PARENT = UINT32_MAX, PARENTS_MAX = 256 };

void address_ranges_add(struct address_ranges *ranges, uint64_t start, uint64_t end, uint32_t value)
{
	if (start >= end || ranges->count >= NO_PARENT)
		return;
	array_grow(&ranges->items, ranges->count, &ranges->capacity);
	ranges->items[ranges->count++] = (struct address_range){ start, end, value, NO_PARENT };
}

static int outer_first(const void *left, const void *right)
{
	const struct address_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->value < b->value ? -1 : a->value > b->value;
}

void address_ranges_sort(struct address_ranges *ranges)
{
	uint32_t open = NO_PARENT;

	if (ranges->count)
		qsort(ranges->items, ranges->count, sizeof(*ranges->items), outer_first);
	for (size_t i = 0; i < ranges->count; i++) {
		struct address_range *range = &ranges->items[i];

		while (open != NO_PARENT && ranges->items[open].end <= range->start)
			open = ranges->items[open].parent;
		range->parent = open;
		open = (uint32_t)i;
	}
}

const struct address_range *address_ranges_find(const struct address_ranges *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->count;
	uint32_t at;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	at = low ? (uint32_t)(low - 1) : NO_PARENT;
	for (int climbed = 0; at != NO_PARENT && climbed < PARENTS_MAX; climbed++) {
		if (address < ranges->items[at].end)
			return &ranges->items[at];
		at = ranges->items[at].parent;
	}
	return NULL;
}

void address_ranges_release(struct address_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct address_ranges){ 0 };
}
