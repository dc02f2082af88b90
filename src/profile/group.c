/* Groups: described by a feature section, counted by PERF_SAMPLE_READ. */
#include "profile/group.h"

#include <byteswap.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "perfdata/format.h"

struct group_reads {
	struct index by_id;      /* event id to a counter */
	struct read_counter {
		size_t event;
		uint64_t last;
	} *counters;
	size_t count, capacity;
};

struct group_reads *group_reads_create(struct perfdata_reader *reader)
{
	struct group_reads *reads = memory_zeroed(1, sizeof(*reads));

	for (size_t i = 0; i < perfdata_event_count(reader); i++) {
		const struct perfdata_event *event = perfdata_event_at(reader, i);

		for (size_t k = 0; k < event->id_count; k++) {
			if (index_find(&reads->by_id, event->ids[k]) != INDEX_NONE)
				continue;
			array_grow(&reads->counters, reads->count, &reads->capacity);
			reads->counters[reads->count] = (struct read_counter){ i, 0 };
			index_add(&reads->by_id, event->ids[k], (uint32_t)reads->count++);
		}
	}
	return reads;
}

static bool share_of(struct group_reads *reads, uint64_t id, uint64_t value, struct group_share *ret)
{
	uint32_t found = index_find(&reads->by_id, id);

	*ret = (struct group_share){ SIZE_MAX, 0 };
	if (found == INDEX_NONE)
		return true;

	struct read_counter *counter = &reads->counters[found];

	*ret = (struct group_share){ counter->event, value - counter->last };
	counter->last = value;
	return true;
}

/* Source: perf_event_open(2), "struct read_format". */
bool group_reads_next(struct group_reads *reads, const struct perf_event_attr *attr, const struct sample *sample,
		      size_t number, struct group_share *ret)
{
	uint64_t format = attr->read_format;
	size_t head = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	bool has_id = format & PERF_FORMAT_ID;
	const uint64_t *words = sample->read;

	if (!words || !sample->read_words)
		return false;
	if (!(format & PERF_FORMAT_GROUP)) {
		if (number || sample->read_words < 1 + head + has_id)
			return false;
		return share_of(reads, has_id ? words[1 + head] : sample->id, words[0], ret);
	}

	size_t each = 1 + has_id + !!(format & PERF_FORMAT_LOST);
	size_t at = 1 + head + number * each;

	if (number >= words[0] || at + each > sample->read_words)
		return false;
	return share_of(reads, has_id ? words[at + 1] : sample->id, words[at], ret);
}

void group_reads_destroy(struct group_reads *reads)
{
	if (!reads)
		return;
	index_release(&reads->by_id);
	free(reads->counters);
	free(reads);
}

/* Words of a feature section, checked against its end. */
struct feature_cursor {
	const uint8_t *at, *end;
	bool swapped;
};

static bool read_u32(struct feature_cursor *cursor, uint32_t *ret)
{
	if ((size_t)(cursor->end - cursor->at) < sizeof(*ret))
		return false;
	memcpy(ret, cursor->at, sizeof(*ret));
	cursor->at += sizeof(*ret);
	if (cursor->swapped)
		*ret = bswap_32(*ret);
	return true;
}

static const char *read_text(struct feature_cursor *cursor, struct intern *names)
{
	uint32_t size;

	if (!read_u32(cursor, &size) || size > (size_t)(cursor->end - cursor->at))
		return NULL;

	const char *text = intern_bytes(names, (const char *)cursor->at, strnlen((const char *)cursor->at, size));

	cursor->at += size;
	return text;
}

void group_describe(struct profile *profile)
{
	size_t size;
	const uint8_t *bytes = perfdata_feature(profile->reader, PERFDATA_FEATURE_GROUP_DESC, &size);
	uint32_t groups, leader, members;

	if (!bytes)
		return;

	struct feature_cursor cursor = { bytes, bytes + size, perfdata_is_swapped(profile->reader) };

	if (!read_u32(&cursor, &groups))
		return;
	while (groups--) {
		const char *name = read_text(&cursor, profile->names);

		if (!name || !read_u32(&cursor, &leader) || !read_u32(&cursor, &members) ||
		    leader >= profile->event_count || members > profile->event_count - leader)
			return;
		profile->events[leader].group_name = name;
		for (uint32_t i = 0; i < members; i++)
			profile->events[leader + i].leader = leader;
	}
}

void group_note_lost(struct profile *profile, const struct group_reads *reads)
{
	(void)reads;
	profile->losses = *perfdata_losses(profile->reader);
}
