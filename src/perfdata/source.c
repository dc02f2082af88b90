/* The bytes of a recording, in order: a mapped range, or a window over what a stream gives. */
#include "perfdata/source.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

enum { WINDOW = 512 * 1024 };

void source_from_bytes(struct source *source, const void *bytes, size_t size, uint64_t offset)
{
	*source = (struct source){ .at = bytes, .end = (const uint8_t *)bytes + size, .end_offset = offset + size };
}

void source_from_fill(struct source *source, source_fill *fill, void *context)
{
	uint8_t *buffer = memory_alloc(WINDOW);

	*source = (struct source){ .at = buffer, .end = buffer, .fill = fill, .context = context, .buffer = buffer,
				   .capacity = WINDOW };
}

static struct error *fill_from_fd(struct source *source, void *into, size_t room, size_t *got)
{
	const int *fd = source->context;
	ssize_t count;

	do {
		count = read(*fd, into, room);
	} while (count < 0 && errno == EINTR);
	if (count < 0)
		return error_os(errno, "read");
	*got = (size_t)count;
	return NULL;
}

void source_from_fd(struct source *source, const int *fd)
{
	source_from_fill(source, fill_from_fd, (void *)(uintptr_t)fd);
}

void source_release(struct source *source)
{
	free(source->buffer);
	*source = (struct source){ 0 };
}

struct error *source_refill(struct source *source, size_t size)
{
	size_t left = (size_t)(source->end - source->at);

	memmove(source->buffer, source->at, left);
	source->at = source->buffer;
	source->end = source->buffer + left;
	while (left < size) {
		size_t got = 0;
		struct error *err = source->fill(source, source->buffer + left, source->capacity - left, &got);

		if (err || !got)
			return err;
		left += got;
		source->end += got;
		source->end_offset += got;
	}
	return NULL;
}

struct error *source_skip(struct source *source, uint64_t size, uint64_t *missing)
{
	for (;;) {
		size_t left;
		struct error *err = source_need(source, 1, &left);

		if (err)
			return err;

		size_t step = size < left ? (size_t)size : left;

		source->at += step;
		size -= step;
		if (!size || !left)
			break;
	}
	*missing = size;
	return NULL;
}
