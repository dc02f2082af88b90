/* Allocation that cannot fail, growing arrays, and an arena. */
#include "base/memory.h"

#include <stdarg.h>
#include <string.h>

static void *or_die(void *pointer)
{
	if (!pointer) {
		fputs("perfmini: out of memory\n", stderr);
		abort();
	}
	return pointer;
}

void *memory_alloc(size_t size)
{
	return or_die(malloc(size ? size : 1));
}

void *memory_zeroed(size_t count, size_t size)
{
	return or_die(calloc(count ? count : 1, size ? size : 1));
}

void *memory_resize(void *old, size_t count, size_t size)
{
	return or_die(reallocarray(old, count ? count : 1, size ? size : 1));
}

char *memory_strdup(const char *text)
{
	return or_die(strdup(text));
}

char *memory_strndup(const char *text, size_t length)
{
	return or_die(strndup(text, length));
}

void *memory_copy(const void *bytes, size_t size)
{
	void *copy = memory_alloc(size);

	return size ? memcpy(copy, bytes, size) : copy;
}

char *memory_format(const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return or_die(text);
}

/* Blocks grow with the arena, so that a small one costs little. */
enum { ARENA_FIRST_BLOCK = 4 * 1024, ARENA_BLOCK = 64 * 1024, ARENA_ALIGN = 16 };

struct arena_block {
	struct arena_block *next;
	size_t size, used;
	_Alignas(ARENA_ALIGN) unsigned char bytes[];
};

struct arena {
	struct arena_block *blocks;
	size_t bytes;
};

struct arena *arena_create(void)
{
	return memory_zeroed(1, sizeof(struct arena));
}

static void arena_add_block(struct arena *arena, size_t size)
{
	struct arena_block *block = memory_zeroed(1, sizeof(*block) + size);

	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	arena->bytes += sizeof(*block) + size;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	if (!arena->blocks || arena->blocks->size - arena->blocks->used < size) {
		size_t block = arena->blocks ? arena->blocks->size * 2 : ARENA_FIRST_BLOCK;

		block = block < ARENA_BLOCK ? block : ARENA_BLOCK;
		arena_add_block(arena, size > block ? size : block);
	}

	void *place = arena->blocks->bytes + arena->blocks->used;

	arena->blocks->used += size;
	return place;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(arena_alloc(arena, size), text, size);
}

size_t arena_bytes(const struct arena *arena)
{
	return arena->bytes;
}

void arena_destroy(struct arena *arena)
{
	if (!arena)
		return;
	while (arena->blocks) {
		struct arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
	free(arena);
}
