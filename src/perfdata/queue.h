/* Records put in order of time, round by round. */
#ifndef PERFDATA_QUEUE_H
#define PERFDATA_QUEUE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record that waits. The lowest bit of place: it is a copy the queue owns. */
struct queued {
	uint64_t time_ns;
	uintptr_t place;
};

struct queue_chunk;

/* Zero-initialised is empty. */
struct queue {
	struct queued *items, *merged; /* [capacity] */
	size_t count, capacity;
	size_t *runs;                  /* where each rising run starts */
	size_t run_count, run_capacity;
	size_t next, limit;            /* items to give now */
	struct queue_chunk *chunk;     /* copies go here */
	const void *given;             /* the copy that was last given */
	uint64_t round_max_ns, flush_ns, given_ns;
	size_t copied_bytes;
};

/* header: in native order and 8-byte aligned; copied unless it stays where it is. */
void queue_add(struct queue *queue, uint64_t time_ns, const struct perf_event_header *header, bool stays,
	       uint64_t file_offset);
/* All records of the round were added: what is older than the newest of the round before can be given.
 * Source: tools/perf/util/session.c on PERF_RECORD_FINISHED_ROUND. */
void queue_finish_round(struct queue *queue);
/* No more will be added; or too much waits to be held. */
void queue_finish(struct queue *queue);
/* The next record in order of time, until the next call. NULL: none may be given yet. file_offset is set of copies
 * only. is_late: a newer one was given already. */
const struct perf_event_header *queue_take(struct queue *queue, bool *is_copy, uint64_t *file_offset, bool *is_late);
void queue_clear(struct queue *queue);
void queue_release(struct queue *queue);

#endif
