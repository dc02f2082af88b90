/* Allocation that cannot fail, growing arrays, and an arena. Out of memory ends the program. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* As malloc(), calloc(), realloc(), strdup() and asprintf(), but never NULL. The caller frees. */
void *memory_alloc(size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *old, size_t count, size_t size);
char *memory_strdup(const char *text);
char *memory_strndup(const char *text, size_t length);
void *memory_copy(const void *bytes, size_t size);
char *memory_format(const char *format, ...) printf_like(1, 2);

/* Make room for one element more: array_grow(&list->items, list->count, &list->capacity).
 * The new place is items[count]; the caller raises count. */
#define array_grow(items, count, capacity)                                                          \
	do {                                                                                        \
		if ((count) >= *(capacity)) {                                                       \
			*(capacity) = *(capacity) ? *(capacity) * 2 : 8;                            \
			*(items) = memory_resize(*(items), *(capacity), sizeof(**(items)));         \
		}                                                                                   \
	} while (0)

/* An arena: many small allocations that end together. */
struct arena;

struct arena *arena_create(void);
/* Zeroed, aligned for any type, valid until the arena is destroyed. */
void *arena_alloc(struct arena *arena, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
size_t arena_bytes(const struct arena *arena);
void arena_destroy(struct arena *arena);
DEFINE_GUARD(arena)

#endif
