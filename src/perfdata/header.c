/* The header of a perf.data file: what it is, its events, its feature sections. */
#include <string.h>

#include "perfdata/byteorder.h"
#include "perfdata/state.h"

enum { IDS_SECTION_SIZE = sizeof(struct perfdata_section) };

static bool lies_inside(const struct perfdata_reader *reader, struct perfdata_section section)
{
	uint64_t size = reader->maps[0].size;

	return section.offset <= size && section.size <= size - section.offset;
}

static const uint8_t *bytes_at(const struct perfdata_reader *reader, uint64_t offset)
{
	return reader->maps[0].bytes + offset;
}

static struct perfdata_section get_section(const void *at, bool swapped)
{
	return (struct perfdata_section){ get_u64(at, swapped), get_u64((const char *)at + 8, swapped) };
}

/* Version 1 has no magic that tells the byte order; the size of an attribute entry is small, one way round. */
static struct error *read_magic(struct perfdata_reader *reader)
{
	const struct file_map *map = &reader->maps[0];

	if (map->size < PERFDATA_PIPE_HEADER_SIZE)
		return error_new(ERROR_FORMAT, "%s: not a perf.data file: %s", reader->path,
				 map->size ? "shorter than its header" : "it is empty");

	uint64_t magic = get_u64(map->bytes, false);

	if (!memcmp(map->bytes, "PERFFILE", 8)) {
		reader->swapped = map->size >= 24 && get_u64(map->bytes + 16, false) >> 32;
		return NULL;
	}
	reader->swapped = magic == __builtin_bswap64(PERFDATA_MAGIC);
	if (magic == PERFDATA_MAGIC || reader->swapped)
		return NULL;
	return error_new(ERROR_FORMAT, "%s: not a perf.data file: it starts with 0x%016llx, not PERFILE2", reader->path,
			 (unsigned long long)magic);
}

/* Bytes behind the fields the file's size gives stay 0. */
static struct error *read_file_header(struct perfdata_reader *reader, struct perfdata_header *header)
{
	const struct file_map *map = &reader->maps[0];
	uint64_t size = get_u64(map->bytes + 8, reader->swapped);

	*header = (struct perfdata_header){ .size = size };
	if (size == PERFDATA_PIPE_HEADER_SIZE)
		return NULL;
	if (size < PERFDATA_V1_HEADER_SIZE || map->size < PERFDATA_V1_HEADER_SIZE)
		return reader_error(reader, 8, "header of %llu bytes, in a file of %zu", (unsigned long long)size,
				    map->size);
	header->attr_size = get_u64(map->bytes + 16, reader->swapped);
	header->attrs = get_section(map->bytes + 24, reader->swapped);
	header->data = get_section(map->bytes + 40, reader->swapped);
	header->event_types = get_section(map->bytes + 56, reader->swapped);
	if (size < sizeof(*header) || map->size < sizeof(*header))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(header->features); i++)
		header->features[i] = get_u64(map->bytes + PERFDATA_V1_HEADER_SIZE + 8 * i, reader->swapped);
	return NULL;
}

struct error *attr_read(const struct perfdata_reader *reader, uint64_t offset, const void *bytes, size_t size,
			struct perf_event_attr *ret, size_t *used)
{
	struct perf_event_attr attr = { 0 };

	if (size < PERF_ATTR_SIZE_VER0)
		return reader_error(reader, offset, "event attribute of %zu bytes, the smallest has %d", size,
				    PERF_ATTR_SIZE_VER0);

	size_t own = get_u32((const char *)bytes + 4, reader->swapped);

	/* The oldest recorders left it 0. */
	if (!own)
		own = PERF_ATTR_SIZE_VER0;
	if (own < PERF_ATTR_SIZE_VER0 || own > size)
		return reader_error(reader, offset, "event attribute says it has %zu bytes, there are %zu", own, size);
	memcpy(&attr, bytes, own < sizeof(attr) ? own : sizeof(attr));
	if (reader->swapped)
		attr_swap(&attr);
	attr.size = (uint32_t)own;
	*ret = attr;
	*used = own;
	return NULL;
}

static struct error *read_ids(struct perfdata_reader *reader, size_t event, uint64_t offset)
{
	struct perfdata_section ids = get_section(bytes_at(reader, offset), reader->swapped);

	if (!lies_inside(reader, ids))
		return reader_error(reader, offset, "ids of event %zu lie outside the file (0x%llx, %llu bytes)", event,
				    (unsigned long long)ids.offset, (unsigned long long)ids.size);
	for (uint64_t at = 0; at + 8 <= ids.size; at += 8)
		event_table_add_id(&reader->events, event, get_u64(bytes_at(reader, ids.offset + at), reader->swapped));
	return NULL;
}

static struct error *read_attr_entry(struct perfdata_reader *reader, uint64_t offset, uint64_t entry_size)
{
	struct perf_event_attr attr;
	size_t used;
	struct error *err = attr_read(reader, offset, bytes_at(reader, offset), entry_size - IDS_SECTION_SIZE, &attr,
				      &used);

	if (err)
		return err;
	/* The ids follow the attribute, whatever room the entry has. */
	return read_ids(reader, event_table_add(&reader->events, &attr), offset + used);
}

static struct error *read_attrs(struct perfdata_reader *reader, const struct perfdata_header *header)
{
	uint64_t entry = header->attr_size;

	if (!lies_inside(reader, header->attrs))
		return reader_error(reader, 24, "event attributes lie outside the file (0x%llx, %llu bytes)",
				    (unsigned long long)header->attrs.offset, (unsigned long long)header->attrs.size);
	if (entry < PERF_ATTR_SIZE_VER0 + IDS_SECTION_SIZE || entry > header->attrs.size)
		return reader_error(reader, 16, "event attribute entries of %llu bytes in %llu",
				    (unsigned long long)entry, (unsigned long long)header->attrs.size);
	for (uint64_t at = 0; at + entry <= header->attrs.size; at += entry) {
		struct error *err = read_attr_entry(reader, header->attrs.offset + at, entry);

		if (err)
			return err;
	}
	return NULL;
}

/* Where the data really ends. A recorder that was killed had not yet filled in the size. */
static struct error *place_data(struct perfdata_reader *reader, const struct perfdata_header *header)
{
	uint64_t size = reader->maps[0].size;

	reader->data = header->data;
	reader->killed = !header->data.size;
	if (header->data.offset > size)
		return reader_error(reader, 40, "records start at 0x%llx, behind the end of the file (%llu bytes)",
				    (unsigned long long)header->data.offset, (unsigned long long)size);
	if (reader->killed || header->data.size > size - header->data.offset) {
		reader->data.size = size - header->data.offset;
		reader->missing = reader->killed ? 0 : header->data.size - reader->data.size;
	}
	return NULL;
}

/* One {offset, size} for each set bit, directly behind the data. */
static void read_features(struct perfdata_reader *reader, const struct perfdata_header *header)
{
	uint64_t at = reader->data.offset + reader->data.size;

	for (unsigned bit = 0; bit < PERFDATA_FEATURE_BITS; bit++) {
		if (!(header->features[bit / 64] >> bit % 64 & 1))
			continue;
		if (!lies_inside(reader, (struct perfdata_section){ at, IDS_SECTION_SIZE })) {
			reader->losses.truncated = true;
			return;
		}

		struct perfdata_section section = get_section(bytes_at(reader, at), reader->swapped);

		at += IDS_SECTION_SIZE;
		if (lies_inside(reader, section))
			reader_add_feature(reader, bit, bytes_at(reader, section.offset), section.size, false);
		else
			reader->losses.truncated = true;
	}
}

/* Version 1 names events here: u64 config, char name[64]. */
static void read_event_types(struct perfdata_reader *reader, struct perfdata_section types)
{
	if (!lies_inside(reader, types))
		return;
	for (uint64_t at = 0; at + PERFDATA_EVENT_TYPE_SIZE <= types.size; at += PERFDATA_EVENT_TYPE_SIZE) {
		const uint8_t *type = bytes_at(reader, types.offset + at);
		uint64_t config = get_u64(type, reader->swapped);

		for (size_t i = 0; i < reader->events.count; i++) {
			if (reader->events.items[i]->event.attr.config == config)
				event_table_name(&reader->events, i, (const char *)type + 8,
						 PERFDATA_EVENT_TYPE_SIZE - 8);
		}
	}
}

struct error *header_read(struct perfdata_reader *reader)
{
	struct perfdata_header header;
	struct error *err = read_magic(reader);

	if (!err)
		err = read_file_header(reader, &header);
	if (err)
		return err;
	if (header.size == PERFDATA_PIPE_HEADER_SIZE) {
		reader->pipe_mode = true;
		reader->data = (struct perfdata_section){ header.size, reader->maps[0].size - header.size };
		return NULL;
	}
	err = read_attrs(reader, &header);
	if (!err)
		err = place_data(reader, &header);
	if (err)
		return err;
	read_event_types(reader, header.event_types);
	if (!reader->killed && !reader->missing)
		read_features(reader, &header);
	reader_name_events(reader);
	return NULL;
}
