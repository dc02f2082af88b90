/* The bytes of a recording, in order: a mapped range, or a window over what a stream gives. */
#ifndef PERFDATA_SOURCE_H
#define PERFDATA_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct source;

/* Put more bytes at into; *got 0: the end. */
typedef struct error *source_fill(struct source *source, void *into, size_t room, size_t *got);

/* Zero-initialised is empty. at moves forward as bytes are consumed. */
struct source {
	const uint8_t *at, *end;
	uint64_t end_offset;  /* place of end in the file, stream or compressed stream */
	source_fill *fill;    /* NULL: at..end is all there is */
	void *context;        /* for fill */
	uint8_t *buffer;      /* owned window of a filled source */
	size_t capacity;
};

void source_from_bytes(struct source *source, const void *bytes, size_t size, uint64_t offset);
void source_from_fill(struct source *source, source_fill *fill, void *context);
/* Read fd from now on; fd is borrowed. */
void source_from_fd(struct source *source, const int *fd);
void source_release(struct source *source);

static inline uint64_t source_offset(const struct source *source)
{
	return source->end_offset - (uint64_t)(source->end - source->at);
}

/* Have at least size bytes at source->at, up to 64 KiB, as far as there are that many; moves the window. */
must_use struct error *source_refill(struct source *source, size_t size);

/* As source_refill(), *left says how many bytes there are. Errors: ERROR_OS. */
must_use static inline struct error *source_need(struct source *source, size_t size, size_t *left)
{
	struct error *err = NULL;

	if ((size_t)(source->end - source->at) < size && source->fill)
		err = source_refill(source, size);
	*left = (size_t)(source->end - source->at);
	return err;
}

/* Go past size bytes, *left says how many of them were not there. Errors: ERROR_OS. */
must_use struct error *source_skip(struct source *source, uint64_t size, uint64_t *missing);

#endif
