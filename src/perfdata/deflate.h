/* Records packed into COMPRESSED records: one zstd stream, flushed at the end of each. */
#ifndef PERFDATA_DEFLATE_H
#define PERFDATA_DEFLATE_H

#include <stddef.h>

#include "base/error.h"

enum { DEFLATE_LEVEL = 1, DEFLATE_PIECE = 56 * 1024 /* bytes of records that surely fit into one COMPRESSED record */ };

struct deflater;

struct deflater *deflater_create(void);
/* A COMPRESSED record of size bytes, at most DEFLATE_PIECE; borrowed until the next call. Returns its size. */
size_t deflate_piece(struct deflater *deflater, const void *bytes, size_t size, const void **ret);
void deflater_destroy(struct deflater *deflater);
DEFINE_GUARD(deflater)

#endif
