/* Records put in order of time, round by round: rings are read one after another, each rising in itself, so that
 * a round is a few rising runs to be merged. */
#include "perfdata/queue.h"

#include <string.h>

#include "base/memory.h"

enum { CHUNK_BYTES = 1024 * 1024 };

/* Copies share chunks; a chunk goes when all in it were given. */
struct queue_chunk {
	size_t used, capacity, live;
	_Alignas(16) uint8_t bytes[];
};

struct copied {
	struct queue_chunk *chunk;
	uint64_t file_offset;
	struct perf_event_header header; /* and its body */
};

static struct copied *copied_of(const void *header)
{
	return (struct copied *)((char *)(uintptr_t)header - offsetof(struct copied, header));
}

static void chunk_leave(struct queue *queue, struct queue_chunk *chunk)
{
	if (--chunk->live)
		return;
	if (chunk == queue->chunk)
		chunk->used = 0;
	else
		free(chunk);
}

static const struct perf_event_header *keep_copy(struct queue *queue, const struct perf_event_header *header,
						 uint64_t file_offset)
{
	size_t size = offsetof(struct copied, header) + ((header->size + 7u) & ~7u);

	if (!queue->chunk || queue->chunk->capacity - queue->chunk->used < size) {
		if (queue->chunk && !queue->chunk->live)
			free(queue->chunk);
		queue->chunk = memory_alloc(sizeof(*queue->chunk) + CHUNK_BYTES);
		*queue->chunk = (struct queue_chunk){ .capacity = CHUNK_BYTES };
	}

	struct copied *copied = (struct copied *)(queue->chunk->bytes + queue->chunk->used);

	copied->chunk = queue->chunk;
	copied->file_offset = file_offset;
	memcpy(&copied->header, header, header->size);
	queue->chunk->used += size;
	queue->chunk->live++;
	queue->copied_bytes += header->size;
	return &copied->header;
}

static void note_run(struct queue *queue)
{
	array_grow(&queue->runs, queue->run_count, &queue->run_capacity);
	queue->runs[queue->run_count++] = queue->count;
}

void queue_add(struct queue *queue, uint64_t time_ns, const struct perf_event_header *header, bool stays,
	       uint64_t file_offset)
{
	uintptr_t place = stays ? (uintptr_t)header : (uintptr_t)keep_copy(queue, header, file_offset) | 1;

	if (!queue->run_count || (queue->count && time_ns < queue->items[queue->count - 1].time_ns))
		note_run(queue);
	if (queue->count >= queue->capacity) {
		free(take(queue->merged));
		array_grow(&queue->items, queue->count, &queue->capacity);
	}
	queue->items[queue->count++] = (struct queued){ time_ns, place };
	if (time_ns > queue->round_max_ns)
		queue->round_max_ns = time_ns;
}

/* Stable: of equal times the one that was added first comes first. */
static void merge_two(const struct queued *left, size_t left_count, const struct queued *right, size_t right_count,
		      struct queued *out)
{
	while (left_count && right_count) {
		if (right->time_ns < left->time_ns) {
			*out++ = *right++;
			right_count--;
		} else {
			*out++ = *left++;
			left_count--;
		}
	}
	memcpy(out, left, left_count * sizeof(*left));
	memcpy(out + left_count, right, right_count * sizeof(*right));
}

/* Merge neighbouring runs; runs: [count + 1] starts, the last is the end. Returns how many are left. */
static size_t merge_pass(const struct queued *from, struct queued *to, size_t *runs, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i += 2) {
		size_t start = runs[i], middle = runs[i + 1], end = i + 1 < count ? runs[i + 2] : middle;

		merge_two(from + start, middle - start, from + middle, end - middle, to + start);
		runs[kept++] = start;
	}
	runs[kept] = runs[count];
	return kept;
}

static void sort(struct queue *queue)
{
	if (queue->run_count < 2)
		return;
	note_run(queue);
	queue->run_count--;
	if (!queue->merged)
		queue->merged = memory_resize(NULL, queue->capacity, sizeof(*queue->merged));
	while (queue->run_count > 1) {
		queue->run_count = merge_pass(queue->items, queue->merged, queue->runs, queue->run_count);

		struct queued *swap = queue->items;

		queue->items = queue->merged;
		queue->merged = swap;
	}
}

/* Drop what was given, so that what waits is one run at the front. */
static void close_gap(struct queue *queue)
{
	queue->count -= queue->next;
	memmove(queue->items, queue->items + queue->next, queue->count * sizeof(*queue->items));
	queue->next = queue->limit = 0;
	queue->run_count = queue->count ? 1 : 0;
	if (queue->count)
		queue->runs[0] = 0;
}

static size_t count_until(const struct queue *queue, uint64_t time_ns)
{
	size_t low = 0, high = queue->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (queue->items[middle].time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void queue_finish_round(struct queue *queue)
{
	sort(queue);
	queue->limit = count_until(queue, queue->flush_ns);
	queue->flush_ns = queue->round_max_ns;
}

void queue_finish(struct queue *queue)
{
	sort(queue);
	queue->limit = queue->count;
	queue->flush_ns = queue->round_max_ns;
}

const struct perf_event_header *queue_take(struct queue *queue, bool *is_copy, uint64_t *file_offset, bool *is_late)
{
	if (queue->given) {
		queue->copied_bytes -= copied_of(queue->given)->header.size;
		chunk_leave(queue, copied_of(queue->given)->chunk);
		queue->given = NULL;
	}
	if (queue->next == queue->limit) {
		if (queue->next)
			close_gap(queue);
		return NULL;
	}

	const struct queued *item = &queue->items[queue->next++];
	const struct perf_event_header *header = (const void *)(item->place & ~(uintptr_t)1);

	*is_copy = item->place & 1;
	*is_late = item->time_ns < queue->given_ns;
	if (!*is_late)
		queue->given_ns = item->time_ns;
	if (*is_copy) {
		queue->given = header;
		*file_offset = copied_of(header)->file_offset;
	}
	return header;
}

void queue_clear(struct queue *queue)
{
	if (queue->given)
		chunk_leave(queue, copied_of(queue->given)->chunk);
	for (size_t i = queue->next; i < queue->count; i++) {
		if (queue->items[i].place & 1)
			chunk_leave(queue, copied_of((const void *)(queue->items[i].place & ~(uintptr_t)1))->chunk);
	}
	queue->given = NULL;
	queue->count = queue->next = queue->limit = queue->run_count = queue->copied_bytes = 0;
	queue->round_max_ns = queue->flush_ns = queue->given_ns = 0;
}

void queue_release(struct queue *queue)
{
	queue_clear(queue);
	free(queue->items);
	free(queue->merged);
	free(queue->runs);
	free(queue->chunk);
}
