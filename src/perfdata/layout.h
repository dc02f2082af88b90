/* Where the fields of an event's records stand, worked out once from its attribute. */
#ifndef PERFDATA_LAYOUT_H
#define PERFDATA_LAYOUT_H

#include <linux/perf_event.h>
#include <stdint.h>

/* Byte offsets. perfdata_next() has checked that those of the event lie inside each record it gives. */
struct sample_layout {
	/* From the start of a SAMPLE's body; -1: not in it. */
	int16_t ip, tid, time, addr, id, stream_id, cpu, period;
	int16_t callchain;   /* of its count word; -1 also when a field of changing size stands before it */
	uint16_t fixed_size; /* bytes that every sample has at least */
	/* Back from the end of any other record; 0: not in it. */
	uint8_t tail_size, tail_tid, tail_time, tail_id, tail_cpu;
};

void sample_layout_init(struct sample_layout *layout, const struct perf_event_attr *attr);

/* The word at a layout's offset, or 0. */
static inline uint64_t sample_word(const void *body, int16_t offset)
{
	return offset < 0 ? 0 : *(const uint64_t *)((const char *)body + offset);
}

/* pid and tid, or cpu: the first and second half of such a word. */
static inline uint32_t sample_half(const void *body, int16_t offset, int half)
{
	return offset < 0 ? 0 : ((const uint32_t *)((const char *)body + offset))[half];
}

#endif
