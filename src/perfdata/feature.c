/* Feature sections and the records that stand for them in a pipe. */
#include <string.h>

#include "perfdata/byteorder.h"
#include "perfdata/state.h"

/* A walk over a section's bytes; ok turns false when they do not suffice. */
struct walk {
	const char *at, *end;
	bool swapped, ok;
};

static const char *walk_bytes(struct walk *walk, uint64_t size)
{
	const char *at = walk->at;

	if (size > (uint64_t)(walk->end - walk->at)) {
		walk->ok = false;
		return NULL;
	}
	walk->at += size;
	return at;
}

static uint32_t walk_u32(struct walk *walk)
{
	const char *at = walk_bytes(walk, 4);

	return at ? get_u32(at, walk->swapped) : 0;
}

/* u32 length, then text padded with NULs. Source: perf.data-file-format.txt, "perf_header_string". */
static const char *walk_string(struct walk *walk, size_t *length)
{
	uint32_t room = walk_u32(walk);
	const char *at = walk->ok ? walk_bytes(walk, room) : NULL;

	*length = at ? strnlen(at, room) : 0;
	return at;
}

static struct walk walk_feature(const struct perfdata_reader *reader, unsigned feature)
{
	const struct feature_bytes *bytes = &reader->features[feature];

	return (struct walk){ bytes->bytes, (const char *)bytes->bytes + bytes->size, reader->swapped, true };
}

static const char *keep_text(struct perfdata_reader *reader, const char *text, size_t length)
{
	char *kept = arena_alloc(reader->text, length + 1);

	memcpy(kept, text, length);
	return kept;
}

static void read_text(struct perfdata_reader *reader, unsigned feature)
{
	struct walk walk = walk_feature(reader, feature);
	size_t length;
	const char *text = walk_string(&walk, &length);

	if (text)
		reader->feature_texts[feature] = keep_text(reader, text, length);
}

static void read_command_line(struct perfdata_reader *reader)
{
	struct walk walk = walk_feature(reader, PERFDATA_FEATURE_CMDLINE);
	uint32_t count = walk_u32(&walk);
	size_t capacity = 0, length;

	reader->word_count = 0;
	free(take(reader->words));
	for (uint32_t i = 0; i < count; i++) {
		const char *word = walk_string(&walk, &length);

		if (!word)
			return;
		array_grow(&reader->words, reader->word_count, &capacity);
		reader->words[reader->word_count++] = keep_text(reader, word, length);
	}
}

/* One event of EVENT_DESC: the name goes to the event that has its ids, or stands at the same place. */
static void read_event_name(struct perfdata_reader *reader, struct walk *walk, uint32_t attr_size, size_t place)
{
	size_t length;

	walk_bytes(walk, attr_size);

	uint32_t id_count = walk_u32(walk);
	const char *name = walk->ok ? walk_string(walk, &length) : NULL;
	const char *ids = walk->ok ? walk_bytes(walk, (uint64_t)id_count * 8) : NULL;

	if (!name || !ids)
		return;

	size_t index = id_count ? event_table_find_id(&reader->events, get_u64(ids, walk->swapped)) : SIZE_MAX;

	if (index == SIZE_MAX)
		index = place;
	if (index >= reader->events.count)
		return;
	event_table_name(&reader->events, index, name, length);
	for (uint32_t i = 0; i < id_count; i++)
		event_table_add_id(&reader->events, index, get_u64(ids + (size_t)i * 8, walk->swapped));
}

void reader_name_events(struct perfdata_reader *reader)
{
	struct walk walk = walk_feature(reader, PERFDATA_FEATURE_EVENT_DESC);
	uint32_t count = walk_u32(&walk), attr_size = walk_u32(&walk);

	for (uint32_t i = 0; i < count && walk.ok; i++)
		read_event_name(reader, &walk, attr_size, i);
}

static bool is_text(unsigned feature)
{
	return feature == PERFDATA_FEATURE_HOSTNAME || feature == PERFDATA_FEATURE_OSRELEASE ||
	       feature == PERFDATA_FEATURE_VERSION || feature == PERFDATA_FEATURE_ARCH ||
	       feature == PERFDATA_FEATURE_CPUDESC || feature == PERFDATA_FEATURE_CPUID;
}

void reader_add_feature(struct perfdata_reader *reader, unsigned feature, const void *bytes, size_t size, bool copy)
{
	struct feature_bytes *place = &reader->features[feature];

	if (place->is_owned)
		free((void *)(uintptr_t)place->bytes);
	*place = (struct feature_bytes){ copy ? memory_copy(bytes, size) : bytes, size, copy };
	if (is_text(feature))
		read_text(reader, feature);
	else if (feature == PERFDATA_FEATURE_CMDLINE)
		read_command_line(reader);
	else if (feature == PERFDATA_FEATURE_BUILD_ID)
		reader_add_build_ids(reader, bytes, size);
	else if (feature == PERFDATA_FEATURE_EVENT_DESC && copy)
		reader_name_events(reader);
}

/* body: s32 pid, u8 build_id[24], path. Source: tools/perf/util/header.h, perf_record_header_build_id. */
void reader_add_build_id(struct perfdata_reader *reader, uint16_t misc, const void *body, size_t size)
{
	enum { ID_AT = 4, SIZE_AT = 24, PATH_AT = 28, ID_MAX = 20 };

	if (size <= PATH_AT)
		return;

	const uint8_t *bytes = body;
	const char *path = (const char *)bytes + PATH_AT;
	struct perfdata_build_id id = { .size = ID_MAX, .misc = misc, .pid = get_u32(bytes, false) };

	memcpy(id.bytes, bytes + ID_AT, ID_MAX);
	if ((misc & PERFDATA_MISC_BUILD_ID_SIZE) && bytes[SIZE_AT] <= ID_MAX)
		id.size = bytes[SIZE_AT];
	id.path = memory_strndup(path, strnlen(path, size - PATH_AT));
	array_grow(&reader->build_ids, reader->build_id_count, &reader->build_id_capacity);
	reader->build_ids[reader->build_id_count++] = id;
}

/* The section: such records one after another. */
void reader_add_build_ids(struct perfdata_reader *reader, const void *bytes, size_t size)
{
	struct walk walk = { bytes, (const char *)bytes + size, reader->swapped, true };

	for (;;) {
		struct perf_event_header header;
		const char *at = walk_bytes(&walk, sizeof(header));

		if (!at)
			return;
		memcpy(&header, at, sizeof(header));
		if (reader->swapped) {
			header.misc = __builtin_bswap16(header.misc);
			header.size = __builtin_bswap16(header.size);
		}

		const char *body = header.size < sizeof(header) ? NULL : walk_bytes(&walk, header.size - sizeof(header));

		if (!body)
			return;

		auto_free char *copy = memory_copy(body, header.size - sizeof(header));

		if (reader->swapped)
			record_swap(PERFDATA_RECORD_BUILD_ID, header.misc, copy, header.size - sizeof(header), 0);
		reader_add_build_id(reader, header.misc, copy, header.size - sizeof(header));
	}
}

struct error *reader_add_attr(struct perfdata_reader *reader, const void *body, size_t size, uint64_t offset)
{
	struct perf_event_attr attr;
	size_t used;
	struct error *err = attr_read(reader, offset, body, size, &attr, &used);

	if (err)
		return err;

	size_t index = event_table_add(&reader->events, &attr);

	for (size_t at = used; at + 8 <= size; at += 8)
		event_table_add_id(&reader->events, index, get_u64((const char *)body + at, reader->swapped));
	return NULL;
}

/* body: u64 type, u64 id, then by type. */
void reader_update_event(struct perfdata_reader *reader, const void *body, size_t size)
{
	if (size <= 16)
		return;

	const uint64_t *words = body;
	size_t index = event_table_find_id(&reader->events, words[1]);

	if (index != SIZE_MAX && words[0] == PERFDATA_UPDATE_NAME)
		event_table_name(&reader->events, index, (const char *)(words + 2), size - 16);
}

const void *perfdata_feature(const struct perfdata_reader *reader, unsigned feature, size_t *size)
{
	const struct feature_bytes *bytes = &reader->features[feature];

	if (bytes->bytes && size)
		*size = bytes->size;
	return bytes->bytes;
}

const char *perfdata_feature_text(const struct perfdata_reader *reader, unsigned feature)
{
	return reader->feature_texts[feature];
}

size_t perfdata_command_line(const struct perfdata_reader *reader, const char *const **ret)
{
	*ret = reader->words;
	return reader->word_count;
}

size_t perfdata_build_ids(const struct perfdata_reader *reader, const struct perfdata_build_id **ret)
{
	*ret = reader->build_ids;
	return reader->build_id_count;
}
