/* Binaries kept by build id, laid out as perf's ~/.debug so that both tools share one cache. Files are copied,
 * never linked: a rebuild in place must not change what was kept.
 *
 *	DIR/usr/bin/x/ID/elf                    DIR/[kernel.kallsyms]/ID/kallsyms   DIR/[vdso]/ID/vdso
 *	DIR/.build-id/ID[0:2]/ID[2:] -> ../../usr/bin/x/ID
 */
#ifndef SYMBOL_BUILD_ID_CACHE_H
#define SYMBOL_BUILD_ID_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct build_id_cache;

/* directory: NULL for $PERFMINI_BUILD_ID_DIR, else ~/.debug. It is made when something is first added; reading
 * needs none. Errors: ERROR_USAGE when neither variable nor $HOME is set. */
must_use struct error *build_id_cache_open(const char *directory, struct build_id_cache **ret);
const char *build_id_cache_directory(const struct build_id_cache *cache);
/* path: the file to copy. name: the path it is known by ("[kernel.kallsyms]"), or NULL: path made absolute.
 * What is there already is kept. Afterwards the least recently used entries go until the cache holds no more than
 * $PERFMINI_CACHE_MAX (2 GiB when unset; 0: no limit). Errors: ERROR_NOT_FOUND, ERROR_PERMISSION, ERROR_OS;
 * ERROR_UNSUPPORTED when the directory is a symbolic link; ERROR_USAGE for a name or a limit that is none. */
must_use struct error *build_id_cache_add(struct build_id_cache *cache, const char *path, const char *name,
					  const uint8_t *build_id, size_t size);
/* path: where the binary lies (elf, else vdso, else kallsyms), the caller frees; it counts as used now.
 * Errors: ERROR_NOT_FOUND. */
must_use struct error *build_id_cache_find(struct build_id_cache *cache, const uint8_t *build_id, size_t size,
					   char **path);
/* As build_id_cache_find(), for one file of the entry: "elf", "kallsyms", "vdso", "debug". */
must_use struct error *build_id_cache_find_file(struct build_id_cache *cache, const uint8_t *build_id, size_t size,
						const char *file, char **path);
/* Errors: ERROR_NOT_FOUND, ERROR_OS, ERROR_PERMISSION. */
must_use struct error *build_id_cache_remove(struct build_id_cache *cache, const uint8_t *build_id,
					     size_t size);

struct build_id_cache_entry {
	uint8_t build_id[20];
	size_t size;
	char *name;            /* "/usr/bin/x", "[kernel.kallsyms]" */
	char *file;            /* its copy, or NULL when that is missing */
	uint64_t bytes;
	int64_t used_ns;       /* when last used, since 1970 */
};
/* Every entry, by name. The caller frees with build_id_cache_entries_free(). Errors: ERROR_OS, ERROR_PERMISSION. */
must_use struct error *build_id_cache_entries(struct build_id_cache *cache, struct build_id_cache_entry **ret,
					      size_t *count);
void build_id_cache_entries_free(struct build_id_cache_entry *entries, size_t count);
void build_id_cache_destroy(struct build_id_cache *cache);
DEFINE_GUARD(build_id_cache)

#endif
