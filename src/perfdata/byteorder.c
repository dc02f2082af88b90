/* Turning what a machine of the other byte order wrote into our own. */
#include "perfdata/byteorder.h"

#include <string.h>

#include "base/attr.h"
#include "perfdata/format.h"

uint64_t get_u64(const void *at, bool swapped)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return swapped ? __builtin_bswap64(word) : word;
}

uint32_t get_u32(const void *at, bool swapped)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return swapped ? __builtin_bswap32(word) : word;
}

#define SWAP_ALL(bits, bytes, count)                                       \
	do {                                                               \
		for (size_t i_ = 0; i_ < (count); i_++) {                  \
			uint##bits##_t word_;                              \
			char *at_ = (char *)(bytes) + i_ * sizeof(word_);  \
			memcpy(&word_, at_, sizeof(word_));                \
			word_ = __builtin_bswap##bits(word_);              \
			memcpy(at_, &word_, sizeof(word_));                \
		}                                                          \
	} while (0)

void swap_u64s(void *words, size_t count)
{
	SWAP_ALL(64, words, count);
}

static void swap_u32s(void *words, size_t count)
{
	SWAP_ALL(32, words, count);
}

static void swap_u16s(void *words, size_t count)
{
	SWAP_ALL(16, words, count);
}

static uint8_t reverse_bits(uint8_t byte)
{
	byte = (uint8_t)((byte & 0xf0) >> 4 | (byte & 0x0f) << 4);
	byte = (uint8_t)((byte & 0xcc) >> 2 | (byte & 0x33) << 2);
	return (uint8_t)((byte & 0xaa) >> 1 | (byte & 0x55) << 1);
}

/* The word of bit fields behind read_format is no number: the first field is the first bit of the first byte,
 * counted from the other end. */
static void swap_bit_fields(struct perf_event_attr *attr)
{
	uint8_t *bits = (uint8_t *)attr + offsetof(struct perf_event_attr, read_format) + 8;

	for (size_t i = 0; i < 8; i++)
		bits[i] = reverse_bits(bits[i]);
}

#define SWAP_FIELD(field)                                                                            \
	((field) = sizeof(field) == 8 ? (__typeof__(field))__builtin_bswap64((uint64_t)(field)) :    \
		   sizeof(field) == 4 ? (__typeof__(field))__builtin_bswap32((uint32_t)(field)) :    \
					(__typeof__(field))__builtin_bswap16((uint16_t)(field)))

void attr_swap(struct perf_event_attr *attr)
{
	SWAP_FIELD(attr->type);
	SWAP_FIELD(attr->size);
	SWAP_FIELD(attr->config);
	SWAP_FIELD(attr->sample_period);
	SWAP_FIELD(attr->sample_type);
	SWAP_FIELD(attr->read_format);
	swap_bit_fields(attr);
	SWAP_FIELD(attr->wakeup_events);
	SWAP_FIELD(attr->bp_type);
	SWAP_FIELD(attr->config1);
	SWAP_FIELD(attr->config2);
	SWAP_FIELD(attr->branch_sample_type);
	SWAP_FIELD(attr->sample_regs_user);
	SWAP_FIELD(attr->sample_stack_user);
	SWAP_FIELD(attr->clockid);
	SWAP_FIELD(attr->sample_regs_intr);
	SWAP_FIELD(attr->aux_watermark);
	SWAP_FIELD(attr->sample_max_stack);
	SWAP_FIELD(attr->aux_sample_size);
	SWAP_FIELD(attr->sig_data);
}

/* The leading fields of each record as a picture: q u64, d u32, h u16; "*" repeats the last one to the end. What
 * follows (text, build ids, payload) stays as it is. */
static const char *const shapes[] = {
	[PERF_RECORD_MMAP] = "ddqqq",
	[PERF_RECORD_LOST] = "qq",
	[PERF_RECORD_COMM] = "dd",
	[PERF_RECORD_EXIT] = "ddddq",
	[PERF_RECORD_THROTTLE] = "qqq",
	[PERF_RECORD_UNTHROTTLE] = "qqq",
	[PERF_RECORD_FORK] = "ddddq",
	[PERF_RECORD_READ] = "ddq*",
	[PERF_RECORD_MMAP2] = "ddqqqddqqdd",
	[PERF_RECORD_AUX] = "qqq",
	[PERF_RECORD_ITRACE_START] = "dd",
	[PERF_RECORD_LOST_SAMPLES] = "q",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "dd",
	[PERF_RECORD_NAMESPACES] = "ddq*",
	[PERF_RECORD_KSYMBOL] = "qdhh",
	[PERF_RECORD_BPF_EVENT] = "hhd",
	[PERF_RECORD_CGROUP] = "q",
	[PERF_RECORD_TEXT_POKE] = "qhh",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "q",
	[PERFDATA_RECORD_CALLCHAIN_DEFERRED] = "q*",
	[PERFDATA_RECORD_EVENT_TYPE] = "q",
	[PERFDATA_RECORD_TRACING_DATA] = "d",
	[PERFDATA_RECORD_BUILD_ID] = "d",
	[PERFDATA_RECORD_ID_INDEX] = "q*",
	[PERFDATA_RECORD_AUXTRACE_INFO] = "ddq*",
	[PERFDATA_RECORD_AUXTRACE] = "qqqddd",
	[PERFDATA_RECORD_AUXTRACE_ERROR] = "ddddqq",
	[PERFDATA_RECORD_THREAD_MAP] = "q",
	[PERFDATA_RECORD_CPU_MAP] = "h",
	[PERFDATA_RECORD_STAT_CONFIG] = "q*",
	[PERFDATA_RECORD_STAT] = "qddq*",
	[PERFDATA_RECORD_STAT_ROUND] = "qq",
	[PERFDATA_RECORD_EVENT_UPDATE] = "qq",
	[PERFDATA_RECORD_TIME_CONV] = "qqqqq",
	[PERFDATA_RECORD_HEADER_FEATURE] = "q",
	[PERFDATA_RECORD_COMPRESSED2] = "q",
};

static size_t swap_one(char kind, void *at)
{
	switch (kind) {
	case 'q':
		swap_u64s(at, 1);
		return 8;
	case 'd':
		swap_u32s(at, 1);
		return 4;
	default:
		swap_u16s(at, 1);
		return 2;
	}
}

static size_t kind_size(char kind)
{
	return kind == 'q' ? 8 : kind == 'd' ? 4 : 2;
}

static void swap_shape(const char *shape, char *body, size_t size)
{
	size_t at = 0;

	while (*shape) {
		char kind = *shape == '*' ? shape[-1] : *shape;

		if (size - at < kind_size(kind))
			return;
		at += swap_one(kind, body + at);
		if (*shape != '*')
			shape++;
	}
}

void record_swap(uint32_t type, uint16_t misc, void *body, size_t size, size_t tail_size)
{
	const char *shape = type < ARRAY_SIZE(shapes) ? shapes[type] : NULL;

	if (type == PERF_RECORD_MMAP2 && (misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		/* The 24 bytes of the device, inode and generation hold a build id. */
		swap_shape("ddqqq", body, size < 32 ? size : 32);
		if (size >= 64)
			swap_u32s((char *)body + 56, 2);
		return;
	}
	if (shape)
		swap_shape(shape, body, size - tail_size);
}

void exchange_halves(void *word)
{
	swap_u64s(word, 1);
	swap_u32s(word, 2);
}

void sample_id_swap(const struct sample_layout *layout, void *body, size_t size)
{
	if (!layout->tail_size || size < layout->tail_size)
		return;

	char *end = (char *)body + size;

	swap_u64s(end - layout->tail_size, layout->tail_size / 8);
	if (layout->tail_tid)
		exchange_halves(end - layout->tail_tid);
	if (layout->tail_cpu)
		exchange_halves(end - layout->tail_cpu);
}

/* Source: struct perf_branch_entry in linux/perf_event.h: mispred, predicted, in_tx, abort, cycles, type, spec,
 * new_type, priv, reserved. */
static const uint8_t branch_widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };

uint64_t branch_flags_swap(uint64_t flags)
{
	uint64_t native = 0;
	unsigned below = 0;

	for (size_t i = 0; i < sizeof(branch_widths); i++) {
		unsigned width = branch_widths[i], above = 64 - below - width;
		uint64_t mask = (1ull << width) - 1;

		if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
			native |= (flags >> above & mask) << below;
		else
			native |= (flags >> below & mask) << above;
		below += width;
	}
	return native;
}
