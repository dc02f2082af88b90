/* One ring buffer the kernel fills with records. */
#ifndef MEASURE_RING_H
#define MEASURE_RING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/kernel.h"

struct ring;

/* fd: a sampling event, borrowed. pages: a power of two. */
must_use struct error *ring_open(const struct kernel *kernel, int fd, size_t pages, struct ring **ret);
/* The bytes waiting, as at most two spans; returns how many spans. They stay until ring_consume(). */
size_t ring_peek(struct ring *ring, const void *spans[2], size_t sizes[2]);
void ring_consume(struct ring *ring, size_t bytes);
void ring_destroy(struct ring *ring);
DEFINE_GUARD(ring)

#endif
