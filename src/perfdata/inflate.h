/* COMPRESSED records: a zstd stream in pieces, records inside. */
#ifndef PERFDATA_INFLATE_H
#define PERFDATA_INFLATE_H

#include <stddef.h>

#include "base/error.h"
#include "perfdata/source.h"

struct inflater;

struct inflater *inflater_create(void);
/* The next piece; bytes must stay until it has been used up. */
void inflater_feed(struct inflater *inflater, const void *bytes, size_t size);
/* What comes out; a record cut by the end of a piece waits there for the next. */
struct source *inflater_source(struct inflater *inflater);
void inflater_reset(struct inflater *inflater);
void inflater_destroy(struct inflater *inflater);
DEFINE_GUARD(inflater)

#endif
