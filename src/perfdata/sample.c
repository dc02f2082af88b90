/* SAMPLE records: their fields, decoded and brought to native order. */
#include <string.h>

#include "perfdata/byteorder.h"
#include "perfdata/record.h"
#include "perfdata/state.h"

/* What is left of a sample's words; at is NULL once they did not suffice. */
struct cursor {
	const uint64_t *at;
	size_t left; /* words */
	const struct perf_event_attr *attr;
};

static const uint64_t *take_words(struct cursor *cursor, uint64_t count)
{
	const uint64_t *at = cursor->at;

	if (count > cursor->left) {
		cursor->at = NULL;
		cursor->left = 0;
		return NULL;
	}
	cursor->at += count;
	cursor->left -= count;
	return at;
}

static uint64_t take_word(struct cursor *cursor)
{
	const uint64_t *word = take_words(cursor, 1);

	return word ? *word : 0;
}

static uint64_t words_of(uint64_t bytes)
{
	return bytes / 8 + (bytes % 8 != 0);
}

static void take_read(struct cursor *cursor, struct sample *ret)
{
	uint64_t format = cursor->attr->read_format;
	uint64_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	uint64_t count = format & PERF_FORMAT_GROUP && cursor->left ? cursor->at[0] : 1;

	/* A count beyond any sample, so that the product cannot wrap. */
	if (count > PERFDATA_RECORD_MAX)
		count = PERFDATA_RECORD_MAX;
	ret->read_words = !!(format & PERF_FORMAT_GROUP) + times + count * each;
	ret->read = take_words(cursor, ret->read_words);
}

static void take_callchain(struct cursor *cursor, struct sample *ret)
{
	ret->callchain_length = take_word(cursor);
	ret->callchain = take_words(cursor, ret->callchain_length);
}

static void take_raw(struct cursor *cursor, struct sample *ret)
{
	uint32_t size = 0;

	if (cursor->left)
		memcpy(&size, cursor->at, sizeof(size));

	const uint64_t *words = take_words(cursor, words_of((uint64_t)size + sizeof(size)));

	if (!words)
		return;
	ret->raw = (const char *)words + sizeof(size);
	ret->raw_size = size;
}

static void take_branches(struct cursor *cursor, struct sample *ret)
{
	enum { ENTRY_WORDS = sizeof(struct perf_branch_entry) / 8, COUNTERS = 1 << 19 };
	uint64_t count = take_word(cursor);

	if (cursor->attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		take_word(cursor);
	if (count > PERFDATA_RECORD_MAX)
		count = PERFDATA_RECORD_MAX;
	ret->branches = (const void *)take_words(cursor, count * ENTRY_WORDS);
	ret->branch_count = count;
	if (cursor->attr->branch_sample_type & COUNTERS)
		take_words(cursor, count);
}

static void take_user_regs(struct cursor *cursor, struct sample *ret)
{
	ret->user_regs_abi = take_word(cursor);
	if (ret->user_regs_abi)
		ret->user_regs =
			take_words(cursor, (uint64_t)__builtin_popcountll(cursor->attr->sample_regs_user));
}

static void take_user_stack(struct cursor *cursor, struct sample *ret)
{
	uint64_t size = take_word(cursor);

	if (!size)
		return;

	const uint64_t *stack = take_words(cursor, words_of(size));
	uint64_t copied = take_word(cursor);

	ret->user_stack = stack;
	ret->user_stack_size = copied < size ? copied : size;
}

static void take_weight(struct cursor *cursor, struct sample *ret)
{
	ret->weight = take_word(cursor);
	/* The upper half of WEIGHT_STRUCT is other latencies. */
	if (cursor->attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		ret->weight &= UINT32_MAX;
}

static void take_data_src(struct cursor *cursor, struct sample *ret)
{
	ret->data_src = take_word(cursor);
}

static void take_transaction(struct cursor *cursor, struct sample *ret)
{
	ret->transaction = take_word(cursor);
}

static void take_interrupt_regs(struct cursor *cursor, struct sample *ret unused)
{
	if (take_word(cursor))
		take_words(cursor, (uint64_t)__builtin_popcountll(cursor->attr->sample_regs_intr));
}

static void take_phys_addr(struct cursor *cursor, struct sample *ret)
{
	ret->phys_addr = take_word(cursor);
}

static void take_cgroup(struct cursor *cursor, struct sample *ret)
{
	ret->cgroup = take_word(cursor);
}

static void take_data_page_size(struct cursor *cursor, struct sample *ret)
{
	ret->data_page_size = take_word(cursor);
}

static void take_code_page_size(struct cursor *cursor, struct sample *ret)
{
	ret->code_page_size = take_word(cursor);
}

static void take_aux(struct cursor *cursor, struct sample *ret unused)
{
	take_words(cursor, words_of(take_word(cursor)));
}

/* Bring a field to native order before it is taken: all words have been swapped as words already. */
static void fix_raw(const struct cursor *cursor)
{
	uint64_t *words = (uint64_t *)(uintptr_t)cursor->at;
	uint32_t size;

	if (!cursor->left)
		return;
	swap_u64s(words, 1);
	size = get_u32(words, true);
	memcpy(words, &size, sizeof(size));
	if (words_of((uint64_t)size + sizeof(size)) <= cursor->left)
		swap_u64s(words + 1, words_of((uint64_t)size + sizeof(size)) - 1);
}

/* u64 size, then bytes that are no numbers. */
static void fix_bytes(const struct cursor *cursor)
{
	uint64_t *words = (uint64_t *)(uintptr_t)cursor->at;

	if (cursor->left && words_of(words[0]) < cursor->left)
		swap_u64s(words + 1, words_of(words[0]));
}

static void fix_branches(const struct cursor *cursor)
{
	uint64_t *words = (uint64_t *)(uintptr_t)cursor->at;
	size_t flags = cursor->attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX ? 4 : 3;

	for (uint64_t i = 0; cursor->left && i < words[0] && flags < cursor->left; i++, flags += 3)
		words[flags] = branch_flags_swap(words[flags]);
}

/* What follows the fields of fixed size, in the order of the record: not that of the bits. */
static const struct {
	uint64_t bits;
	void (*read)(struct cursor *cursor, struct sample *ret);
	void (*fix)(const struct cursor *cursor);
} fields[] = {
	{ PERF_SAMPLE_READ, take_read, NULL },
	{ PERF_SAMPLE_CALLCHAIN, take_callchain, NULL },
	{ PERF_SAMPLE_RAW, take_raw, fix_raw },
	{ PERF_SAMPLE_BRANCH_STACK, take_branches, fix_branches },
	{ PERF_SAMPLE_REGS_USER, take_user_regs, NULL },
	{ PERF_SAMPLE_STACK_USER, take_user_stack, fix_bytes },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, take_weight, NULL },
	{ PERF_SAMPLE_DATA_SRC, take_data_src, NULL },
	{ PERF_SAMPLE_TRANSACTION, take_transaction, NULL },
	{ PERF_SAMPLE_REGS_INTR, take_interrupt_regs, NULL },
	{ PERF_SAMPLE_PHYS_ADDR, take_phys_addr, NULL },
	{ PERF_SAMPLE_CGROUP, take_cgroup, NULL },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, take_data_page_size, NULL },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, take_code_page_size, NULL },
	{ PERF_SAMPLE_AUX, take_aux, fix_bytes },
};

#define PREFIX_BITS                                                                                              \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |       \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* One word each: how many the prefix has. */
static size_t prefix_words(const struct perf_event_attr *attr)
{
	return (size_t)__builtin_popcountll(attr->sample_type & PREFIX_BITS);
}

static bool take_prefix(struct cursor *cursor, struct sample *ret)
{
	uint64_t type = cursor->attr->sample_type;

	if (prefix_words(cursor->attr) > cursor->left)
		return false;
	if (type & PERF_SAMPLE_IDENTIFIER)
		ret->id = take_word(cursor);
	if (type & PERF_SAMPLE_IP)
		ret->ip = take_word(cursor);
	if (type & PERF_SAMPLE_TID) {
		const uint32_t *halves = (const uint32_t *)take_words(cursor, 1);

		ret->pid = halves[0];
		ret->tid = halves[1];
	}
	if (type & PERF_SAMPLE_TIME)
		ret->time_ns = take_word(cursor);
	if (type & PERF_SAMPLE_ADDR)
		ret->addr = take_word(cursor);
	if (type & PERF_SAMPLE_ID)
		ret->id = take_word(cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		ret->stream_id = take_word(cursor);
	if (type & PERF_SAMPLE_CPU)
		ret->cpu = *(const uint32_t *)take_words(cursor, 1);
	if (type & PERF_SAMPLE_PERIOD)
		ret->period = take_word(cursor);
	return true;
}

static struct error *overrun(const struct record *record, const char *what)
{
	return error_new(ERROR_FORMAT, "offset 0x%llx: SAMPLE record of %u bytes: %s",
			 (unsigned long long)record->file_offset, record->size, what);
}

struct error *sample_decode(const struct perf_event_attr *attr, const struct record *record, struct sample *ret)
{
	struct cursor cursor = { record->body, (record->size - sizeof(struct perf_event_header)) / 8, attr };
	uint64_t rest = attr->sample_type & ~(uint64_t)PREFIX_BITS;

	*ret = (struct sample){ .period = attr->freq ? 0 : attr->sample_period };
	if (!take_prefix(&cursor, ret))
		return overrun(record, "too short for its event's fields");
	if (rest == PERF_SAMPLE_CALLCHAIN) {
		take_callchain(&cursor, ret);
		rest = 0;
	}
	for (size_t i = 0; rest && i < ARRAY_SIZE(fields); i++) {
		if (rest & fields[i].bits)
			fields[i].read(&cursor, ret);
	}
	return cursor.at ? NULL : overrun(record, "a field reaches behind its end");
}

void sample_swap(const struct perfdata_event *event, void *body, size_t size)
{
	const struct sample_layout *layout = &event->layout;
	size_t prefix = prefix_words(&event->attr), words = size / 8;
	struct cursor cursor = { (uint64_t *)body + prefix, words - prefix, &event->attr };
	struct sample ignored;

	swap_u64s(body, words);
	/* Two halves each: swapped as one word they changed places. */
	if (layout->tid >= 0)
		exchange_halves((char *)body + layout->tid);
	if (layout->cpu >= 0)
		exchange_halves((char *)body + layout->cpu);
	for (size_t i = 0; i < ARRAY_SIZE(fields) && cursor.at; i++) {
		if (!(event->attr.sample_type & fields[i].bits))
			continue;
		if (fields[i].fix)
			fields[i].fix(&cursor);
		fields[i].read(&cursor, &ignored);
	}
}
