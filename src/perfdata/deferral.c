/* Samples whose user call chain comes later. Source: kernel/events/core.c, perf_callchain_deferred(): the chain of the
 * sample ends in PERF_CONTEXT_USER_DEFERRED and a cookie; the record has the cookie and the words that replace both. */
#include "perfdata/deferral.h"

#include <string.h>

#include "base/memory.h"
#include "perfdata/format.h"

enum { HELD_MAX = 4096, DEFER_CALLCHAIN_BIT = 38, MARKER_WORDS = 2 };

bool deferral_wanted(const struct perf_event_attr *attr)
{
	uint64_t bits;

	memcpy(&bits, (const char *)attr + offsetof(struct perf_event_attr, read_format) + 8, sizeof(bits));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		return bits >> (63 - DEFER_CALLCHAIN_BIT) & 1;
	return bits >> DEFER_CALLCHAIN_BIT & 1;
}

bool deferral_hold(struct deferral *deferral, const struct perf_event_attr *attr, const struct record *record)
{
	struct sample sample;
	struct error *err = sample_decode(attr, record, &sample);

	/* A bad sample is told by who decodes it. */
	if (err || sample.callchain_length < MARKER_WORDS ||
	    sample.callchain[sample.callchain_length - MARKER_WORDS] != PERFDATA_CONTEXT_USER_DEFERRED) {
		error_destroy(err);
		return false;
	}
	if (deferral->count >= HELD_MAX)
		return false;
	array_grow(&deferral->items, deferral->count, &deferral->capacity);

	struct deferred_sample *held = &deferral->items[deferral->count++];

	*held = (struct deferred_sample){ .record = *record, .tid = sample.tid,
					  .cookie = sample.callchain[sample.callchain_length - 1] };
	held->body = memory_copy(record->body, record->size - sizeof(struct perf_event_header));
	held->record.body = held->body;
	held->chain_at = (size_t)(sample.callchain - (const uint64_t *)record->body) - 1;
	return true;
}

static void merge(struct deferred_sample *held, const uint64_t *addresses, size_t count)
{
	size_t words = (held->record.size - sizeof(struct perf_event_header)) / 8;
	size_t kept = (size_t)held->body[held->chain_at] - MARKER_WORDS;
	size_t before = held->chain_at + 1 + kept, after = words - before - MARKER_WORDS;
	uint64_t *body = memory_zeroed(before + count + after, sizeof(*body));

	memcpy(body, held->body, before * sizeof(*body));
	memcpy(body + before, addresses, count * sizeof(*body));
	memcpy(body + before + count, held->body + before + MARKER_WORDS, after * sizeof(*body));
	body[held->chain_at] = kept + count;
	free(held->body);
	held->body = body;
	held->record.body = body;
	held->record.size = (uint32_t)(sizeof(struct perf_event_header) + (before + count + after) * sizeof(*body));
	held->is_whole = true;
}

void deferral_resolve(struct deferral *deferral, const struct record *record, uint32_t tid)
{
	const uint64_t *words = record->body;
	size_t count = (record->size - sizeof(struct perf_event_header)) / 8;

	if (count < 2 || words[1] > count - 2)
		return;
	for (size_t i = 0; i < deferral->count; i++) {
		struct deferred_sample *held = &deferral->items[i];

		if (held->is_whole || held->cookie != words[0] || held->tid != tid)
			continue;
		merge(held, words + 2, words[1]);
		deferral->whole_count++;
	}
}

bool deferral_take(struct deferral *deferral, bool all, struct record *ret)
{
	free(take(deferral->given));
	if (!deferral->whole_count && !all)
		return false;
	for (size_t i = 0; i < deferral->count; i++) {
		struct deferred_sample *held = &deferral->items[i];

		if (!held->is_whole && !all)
			continue;
		deferral->whole_count -= held->is_whole;
		*ret = held->record;
		deferral->given = held->body;
		memmove(held, held + 1, (--deferral->count - i) * sizeof(*held));
		return true;
	}
	return false;
}

void deferral_release(struct deferral *deferral)
{
	for (size_t i = 0; i < deferral->count; i++)
		free(deferral->items[i].body);
	free(deferral->items);
	free(deferral->given);
	*deferral = (struct deferral){ 0 };
}
