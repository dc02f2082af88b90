/* Out of the rings, into the file; a look at each record on its way. */
#include <string.h>

#include "base/memory.h"
#include "capture/recorder_private.h"
#include "perfdata/format.h"

/* The bytes that wait in a ring, perhaps in two parts; a word never straddles, a record may. */
struct spans {
	const void *at[2];
	size_t size[2];
	size_t total;
};

static const char *at(const struct spans *spans, size_t offset)
{
	return offset < spans->size[0] ? (const char *)spans->at[0] + offset :
					 (const char *)spans->at[1] + (offset - spans->size[0]);
}

static uint64_t word_at(const struct spans *spans, size_t offset)
{
	return *(const uint64_t *)at(spans, offset);
}

static const char *whole(struct recorder *recorder, const struct spans *spans, size_t offset, size_t size)
{
	if (offset >= spans->size[0] || offset + size <= spans->size[0])
		return at(spans, offset);

	size_t first = spans->size[0] - offset;

	memcpy(recorder->straddling, (const char *)spans->at[0] + offset, first);
	memcpy(recorder->straddling + first, spans->at[1], size - first);
	return recorder->straddling;
}

static void note_sample(struct recorder *recorder, const struct spans *spans, size_t body)
{
	const struct sample_layout *layout = &recorder->layout;

	recorder->result.samples++;
	if (recorder->hits)
		hits_add_address(recorder->hits, word_at(spans, body + (size_t)layout->ip));
	if (layout->time < 0)
		return;

	uint64_t time_ns = word_at(spans, body + (size_t)layout->time);

	if (!recorder->first_ns || time_ns < recorder->first_ns)
		recorder->first_ns = time_ns;
	if (time_ns > recorder->last_ns)
		recorder->last_ns = time_ns;
}

static void note_record(struct recorder *recorder, const struct spans *spans, size_t offset,
			const struct perf_event_header *header)
{
	size_t body = offset + sizeof(*header);

	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		note_sample(recorder, spans, body);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (recorder->hits)
			hits_add_mapping(recorder->hits, header->type, header->misc,
					 whole(recorder, spans, body, header->size - sizeof(*header)),
					 header->size - sizeof(*header));
		break;
	case PERF_RECORD_LOST:
		recorder->result.lost_records += word_at(spans, body + 8);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		recorder->result.lost_samples += word_at(spans, body);
		break;
	case PERF_RECORD_THROTTLE:
		recorder->result.throttles++;
		break;
	default:
		break;
	}
}

static void note_records(struct recorder *recorder, const struct spans *spans)
{
	struct perf_event_header header;

	for (size_t offset = 0; offset < spans->total; offset += header.size) {
		memcpy(&header, at(spans, offset), sizeof(header));
		/* The kernel writes no such record; going on would not end. */
		if (header.size < sizeof(header))
			return;
		note_record(recorder, spans, offset, &header);
	}
}

static struct error *drain_ring(struct recorder *recorder, struct ring *ring, bool *any)
{
	struct spans spans = { 0 };
	size_t count = ring_peek(ring, spans.at, spans.size);
	struct error *err = NULL;

	if (!count)
		return NULL;
	*any = true;
	if (count == 1)
		spans.size[1] = 0;
	spans.total = spans.size[0] + spans.size[1];
	note_records(recorder, &spans);
	for (size_t i = 0; !err && i < count; i++)
		err = perfdata_append(recorder->writer, spans.at[i], spans.size[i]);
	ring_consume(ring, spans.total);
	return err;
}

struct error *recorder_drain(struct recorder *recorder)
{
	static const struct perf_event_header finished_round = { PERFDATA_RECORD_FINISHED_ROUND, 0,
								 sizeof(finished_round) };
	bool any = false;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < rings_count(recorder->rings); i++)
		err = drain_ring(recorder, rings_at(recorder->rings, i), &any);
	if (!any || err)
		return err;
	recorder->result.wakeups++;
	err = perfdata_append(recorder->writer, &finished_round, sizeof(finished_round));
	return err ? err : perfdata_flush(recorder->writer);
}
