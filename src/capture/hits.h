/* Which binaries the samples fell into: noted while records pass, worked out at the end. */
#ifndef CAPTURE_HITS_H
#define CAPTURE_HITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct hits;

struct hits *hits_create(void);
/* Where a sample fell. */
void hits_add_address(struct hits *hits, uint64_t address);
/* The body of an MMAP or MMAP2 record. */
void hits_add_mapping(struct hits *hits, uint32_t type, uint16_t misc, const void *body, size_t size);
/* BUILD_ID records of the binaries that were hit, the kernel and its modules among them; their files are copied into
 * the build-id cache (directory: see build_id_cache_open()) when keep. What cannot be copied is told with -v only. */
void hits_finish(struct hits *hits, bool keep, const char *directory, struct text *build_ids);
void hits_destroy(struct hits *hits);
DEFINE_GUARD(hits)

#endif
