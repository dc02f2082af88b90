/* Open-addressing tables keyed by words and by tuples of words. */
#include "profile/index.h"

#include <string.h>

#include "base/memory.h"

static void index_place(struct index *index, uint64_t key, uint32_t value_plus_one)
{
	size_t at = hash_word(key) & (index->capacity - 1);

	while (index->slots[at].value_plus_one)
		at = (at + 1) & (index->capacity - 1);
	index->slots[at] = (struct index_slot){ key, value_plus_one };
}

static void index_grow(struct index *index)
{
	struct index old = *index;

	index->capacity = old.capacity ? old.capacity * 2 : 64;
	index->slots = memory_zeroed(index->capacity, sizeof(*index->slots));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].value_plus_one)
			index_place(index, old.slots[i].key, old.slots[i].value_plus_one);
	free(old.slots);
}

void index_add(struct index *index, uint64_t key, uint32_t value)
{
	if (index->count * 2 >= index->capacity)
		index_grow(index);
	index_place(index, key, value + 1);
	index->count++;
}

void index_release(struct index *index)
{
	free(index->slots);
	*index = (struct index){ 0 };
}

static inline uint64_t tuple_hash(const uint64_t *tuple, size_t words)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < words; i++)
		hash = (hash ^ tuple[i]) * 0x9e3779b97f4a7c15u + (hash >> 29);
	return hash_word(hash);
}

static void tuples_grow(struct tuples *tuples)
{
	tuples->capacity = tuples->capacity ? tuples->capacity * 2 : 64;
	free(tuples->slots);
	tuples->slots = memory_zeroed(tuples->capacity, sizeof(*tuples->slots));
	for (size_t i = 0; i < tuples->count; i++) {
		size_t at = tuple_hash(tuples_at(tuples, i), tuples->words) & (tuples->capacity - 1);

		while (tuples->slots[at])
			at = (at + 1) & (tuples->capacity - 1);
		tuples->slots[at] = (uint32_t)i + 1;
	}
}

static void tuples_append(struct tuples *tuples, const uint64_t *tuple)
{
	if (tuples->count == tuples->item_capacity) {
		tuples->item_capacity = tuples->item_capacity ? tuples->item_capacity * 2 : 64;
		tuples->items = memory_resize(tuples->items, tuples->item_capacity * tuples->words,
					      sizeof(*tuples->items));
	}
	memcpy(tuples->items + tuples->count * tuples->words, tuple, tuples->words * sizeof(*tuple));
	tuples->count++;
}

static inline bool tuple_equal(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

uint32_t tuples_intern(struct tuples *tuples, const uint64_t *tuple)
{
	if (tuples->count * 2 >= tuples->capacity)
		tuples_grow(tuples);
	for (size_t at = tuple_hash(tuple, tuples->words) & (tuples->capacity - 1);;
	     at = (at + 1) & (tuples->capacity - 1)) {
		uint32_t number = tuples->slots[at];

		if (!number) {
			tuples_append(tuples, tuple);
			tuples->slots[at] = (uint32_t)tuples->count;
			return (uint32_t)tuples->count - 1;
		}
		if (tuple_equal(tuples_at(tuples, number - 1), tuple, tuples->words))
			return number - 1;
	}
}

void tuples_release(struct tuples *tuples)
{
	free(tuples->items);
	free(tuples->slots);
	*tuples = (struct tuples){ .words = tuples->words };
}
