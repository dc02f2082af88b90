/* Where the fields of an event's records stand. Source: kernel/events/core.c, perf_output_sample() and
 * __perf_event_output_id_sample(). */
#include "perfdata/layout.h"

#include <stddef.h>

#include "base/attr.h"

#define NOWHERE SIZE_MAX

/* In the order of the sample; place: which member holds the offset. */
static const struct {
	uint64_t bit;
	size_t place;
} prefix[] = {
	{ PERF_SAMPLE_IDENTIFIER, offsetof(struct sample_layout, id) },
	{ PERF_SAMPLE_IP, offsetof(struct sample_layout, ip) },
	{ PERF_SAMPLE_TID, offsetof(struct sample_layout, tid) },
	{ PERF_SAMPLE_TIME, offsetof(struct sample_layout, time) },
	{ PERF_SAMPLE_ADDR, offsetof(struct sample_layout, addr) },
	{ PERF_SAMPLE_ID, NOWHERE },
	{ PERF_SAMPLE_STREAM_ID, offsetof(struct sample_layout, stream_id) },
	{ PERF_SAMPLE_CPU, offsetof(struct sample_layout, cpu) },
	{ PERF_SAMPLE_PERIOD, offsetof(struct sample_layout, period) },
};

/* From the end of the record backwards. */
static const struct {
	uint64_t bit;
	size_t place;
} tail[] = {
	{ PERF_SAMPLE_IDENTIFIER, offsetof(struct sample_layout, tail_id) },
	{ PERF_SAMPLE_CPU, offsetof(struct sample_layout, tail_cpu) },
	{ PERF_SAMPLE_STREAM_ID, NOWHERE },
	{ PERF_SAMPLE_ID, NOWHERE },
	{ PERF_SAMPLE_TIME, offsetof(struct sample_layout, tail_time) },
	{ PERF_SAMPLE_TID, offsetof(struct sample_layout, tail_tid) },
};

static int16_t prefix_init(struct sample_layout *layout, uint64_t type)
{
	int16_t at = 0;

	for (size_t i = 0; i < ARRAY_SIZE(prefix); i++) {
		if (!(type & prefix[i].bit))
			continue;
		if (prefix[i].place != NOWHERE)
			*(int16_t *)((char *)layout + prefix[i].place) = at;
		if (prefix[i].bit == PERF_SAMPLE_ID && layout->id < 0)
			layout->id = at;
		at += 8;
	}
	return at;
}

static void tail_init(struct sample_layout *layout, uint64_t type)
{
	uint8_t back = 0;

	for (size_t i = 0; i < ARRAY_SIZE(tail); i++) {
		if (!(type & tail[i].bit))
			continue;
		back += 8;
		if (tail[i].place != NOWHERE)
			*((uint8_t *)layout + tail[i].place) = back;
		if (tail[i].bit == PERF_SAMPLE_ID && !layout->tail_id)
			layout->tail_id = back;
	}
	layout->tail_size = back;
}

void sample_layout_init(struct sample_layout *layout, const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type;

	*layout = (struct sample_layout){ -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0 };

	int16_t at = prefix_init(layout, type);

	layout->fixed_size = (uint16_t)at;
	if ((type & PERF_SAMPLE_CALLCHAIN) && !(type & PERF_SAMPLE_READ)) {
		layout->callchain = at;
		layout->fixed_size += 8;
	}
	if (attr->sample_id_all)
		tail_init(layout, type);
}
