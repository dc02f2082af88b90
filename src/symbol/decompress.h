/* Whole compressed files: kernel modules and embedded debug data. */
#ifndef SYMBOL_DECOMPRESS_H
#define SYMBOL_DECOMPRESS_H

#include <stddef.h>

#include "base/error.h"

enum compression { COMPRESSION_NONE, COMPRESSION_XZ, COMPRESSION_ZSTD, COMPRESSION_GZIP };

/* By the end of the name: .xz, .zst, .gz. */
enum compression compression_of_name(const char *path);

/* The bytes, at most 256 MiB; the caller frees. Errors: ERROR_FORMAT. */
must_use struct error *decompress(const void *bytes, size_t size, enum compression compression, char **ret,
				  size_t *ret_size);
/* As decompress(), and those of file_read(). */
must_use struct error *decompress_file(const char *path, enum compression compression, char **ret, size_t *ret_size);

#endif
