/* Binaries kept by build id, laid out as perf's ~/.debug so that both tools share one cache. Files are copied,
 * never linked: a rebuild in place must not change what was kept. */
#ifndef SYMBOL_BUILD_ID_CACHE_H
#define SYMBOL_BUILD_ID_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct build_id_cache;

/* directory: NULL for $PERFMINI_BUILD_ID_DIR, else ~/.debug. */
must_use struct error *build_id_cache_open(const char *directory, struct build_id_cache **ret);
/* path: the file to copy. name: the path it is known by ("[kernel.kallsyms]"), or NULL: path. */
must_use struct error *build_id_cache_add(struct build_id_cache *cache, const char *path, const char *name,
					  const uint8_t *build_id, size_t size);
/* path: where the binary lies, the caller frees. Errors: ERROR_NOT_FOUND. */
must_use struct error *build_id_cache_find(struct build_id_cache *cache, const uint8_t *build_id, size_t size,
					   char **path);
must_use struct error *build_id_cache_remove(struct build_id_cache *cache, const uint8_t *build_id,
					     size_t size);
void build_id_cache_destroy(struct build_id_cache *cache);
DEFINE_GUARD(build_id_cache)

#endif
