/* An array of written memory, gone through a cache line at a time. */
#ifndef WORKLOAD_MEMORY_H
#define WORKLOAD_MEMORY_H

#include <stdint.h>

#include "base/error.h"

enum { CACHE_LINE = 64 };

struct lines {
	unsigned char *bytes;
	uint64_t count; /* of cache lines */
};

/* Map and write it all, so that no page is the kernel's one zero page. Errors: ERROR_OS. */
must_use struct error *lines_init(uint64_t bytes, struct lines *ret);
void lines_release(struct lines *lines);

/* A line that no prefetcher guesses: the random word scaled to the count. */
static inline uint64_t lines_random(const struct lines *lines, uint64_t random)
{
	return (uint64_t)(((unsigned __int128)random * lines->count) >> 64);
}

#endif
