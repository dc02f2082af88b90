/* One ring a CPU, or a task, into which all events there write. */
#ifndef CAPTURE_RINGS_H
#define CAPTURE_RINGS_H

#include <stddef.h>

#include "base/error.h"
#include "measure/counters.h"
#include "measure/ring.h"

struct rings;

struct rings_setup {
	const struct kernel *kernel;
	struct counters *const *counters; /* [counters_count] borrowed; outlive the rings */
	const size_t *event_counts;       /* [counters_count] */
	size_t counters_count;
	size_t pages;                     /* of each ring, a power of two */
	bool may_shrink;                  /* take smaller ones when the kernel allows no such size */
};

/* Errors: ERROR_PERMISSION when even the smallest ring is beyond kernel.perf_event_mlock_kb. */
must_use struct error *rings_open(const struct rings_setup *setup, struct rings **ret);
size_t rings_count(const struct rings *rings);
struct ring *rings_at(const struct rings *rings, size_t index);
int rings_fd(const struct rings *rings, size_t index); /* to poll */
void rings_destroy(struct rings *rings);
DEFINE_GUARD(rings)

#endif
