/* What the files of the build-id cache share. */
#ifndef SYMBOL_BUILD_ID_CACHE_PRIVATE_H
#define SYMBOL_BUILD_ID_CACHE_PRIVATE_H

#include "symbol/build_id_cache.h"

struct build_id_cache {
	char *directory;
};

/* DIR/.build-id/ab/cdef…; the caller frees. */
char *build_id_cache_link(const struct build_id_cache *cache, const uint8_t *build_id, size_t size);
/* Remove the least recently used entries until the rest fits the limit; that of kept_id stays. */
must_use struct error *build_id_cache_expire(struct build_id_cache *cache, const char *kept_id);

#endif
