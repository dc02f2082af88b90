/* An open-addressing table from 64-bit words to 32-bit numbers, for keys seen once a sample. */
#ifndef PROFILE_INDEX_H
#define PROFILE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/hash.h"

enum { INDEX_NONE = 0xffffffffu };

/* Zero-initialised is empty. */
struct index {
	struct index_slot {
		uint64_t key;
		uint32_t value_plus_one; /* 0: empty */
	} *slots;
	size_t count, capacity; /* capacity: 0 or a power of two */
};

/* The number of key, or INDEX_NONE. */
static inline uint32_t index_find(const struct index *index, uint64_t key)
{
	if (!index->capacity)
		return INDEX_NONE;
	for (size_t at = hash_word(key) & (index->capacity - 1);; at = (at + 1) & (index->capacity - 1)) {
		const struct index_slot *slot = &index->slots[at];

		if (!slot->value_plus_one)
			return INDEX_NONE;
		if (slot->key == key)
			return slot->value_plus_one - 1;
	}
}

/* key must not be there yet; value is not INDEX_NONE. */
void index_add(struct index *index, uint64_t key, uint32_t value);
void index_release(struct index *index);

/* A set of tuples of equal length, numbered from 0 in the order they came. Zero-initialised with words set. */
struct tuples {
	size_t words;      /* 64-bit words a tuple */
	uint64_t *items;   /* [count * words] */
	uint32_t *slots;   /* tuple number + 1; 0: empty */
	size_t count, item_capacity, capacity;
};

/* The number of a tuple, added when new. */
uint32_t tuples_intern(struct tuples *tuples, const uint64_t *tuple);
static inline const uint64_t *tuples_at(const struct tuples *tuples, size_t number)
{
	return tuples->items + number * tuples->words;
}
void tuples_release(struct tuples *tuples);

#endif
