/* Interned strings: open addressing over an arena. */
#include "base/intern.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct intern_slot {
	uint64_t hash;
	const char *text; /* NULL: free */
	size_t length;
};

struct intern {
	struct arena *arena;
	struct intern_slot *slots;
	size_t count, capacity; /* capacity: a power of two */
};

enum { INTERN_START = 1024 };

struct intern *intern_create(void)
{
	struct intern *table = memory_zeroed(1, sizeof(*table));

	table->arena = arena_create();
	table->capacity = INTERN_START;
	table->slots = memory_zeroed(table->capacity, sizeof(*table->slots));
	return table;
}

static struct intern_slot *intern_find(struct intern_slot *slots, size_t capacity, uint64_t hash,
				       const char *text, size_t length)
{
	size_t at = hash & (capacity - 1);

	while (slots[at].text &&
	       (slots[at].hash != hash || slots[at].length != length || memcmp(slots[at].text, text, length)))
		at = (at + 1) & (capacity - 1);
	return &slots[at];
}

static void intern_double(struct intern *table)
{
	size_t capacity = table->capacity * 2;
	struct intern_slot *slots = memory_zeroed(capacity, sizeof(*slots));

	for (size_t i = 0; i < table->capacity; i++) {
		struct intern_slot *old = &table->slots[i];

		if (old->text)
			*intern_find(slots, capacity, old->hash, old->text, old->length) = *old;
	}
	free(table->slots);
	table->slots = slots;
	table->capacity = capacity;
}

const char *intern_bytes(struct intern *table, const char *text, size_t length)
{
	uint64_t hash = hash_bytes(text, length);
	struct intern_slot *slot = intern_find(table->slots, table->capacity, hash, text, length);

	if (slot->text)
		return slot->text;

	char *copy = arena_alloc(table->arena, length + 1);

	memcpy(copy, text, length);
	*slot = (struct intern_slot){ hash, copy, length };
	if (++table->count * 2 > table->capacity)
		intern_double(table);
	return copy;
}

const char *intern_text(struct intern *table, const char *text)
{
	return intern_bytes(table, text, strlen(text));
}

void intern_destroy(struct intern *table)
{
	if (!table)
		return;
	arena_destroy(table->arena);
	free(table->slots);
	free(table);
}
