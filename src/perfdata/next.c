/* The records of a recording, one after another. */
#include <string.h>

#include "perfdata/byteorder.h"
#include "perfdata/state.h"

enum { HEADER_SIZE = sizeof(struct perf_event_header), QUEUE_COPIES_MAX = 192 * 1024 * 1024 };

/* A record where it lies, in file order; its header is native. */
struct found {
	const uint8_t *at;
	struct perf_event_header header;
	uint64_t offset;
};

void reader_start(struct perfdata_reader *reader)
{
	const struct file_map *map = &reader->maps[0];
	bool truncated = reader->losses.truncated || reader->killed || reader->missing;

	source_from_bytes(&reader->main, map->bytes + reader->data.offset, reader->data.size, reader->data.offset);
	if (reader->inflater)
		inflater_reset(reader->inflater);
	queue_clear(&reader->queue);
	deferral_release(&reader->deferral);
	reader->deferral_ends = false;
	reader->map_index = 0;
	reader->inflating = reader->ended = reader->drained = false;
	reader->losses = (struct perfdata_losses){ .truncated = truncated };
}

/* The records of a directory's next file. */
static bool next_map(struct perfdata_reader *reader)
{
	if (reader->main.fill || reader->map_index + 1 >= reader->map_count)
		return false;

	const struct file_map *map = &reader->maps[++reader->map_index];

	source_from_bytes(&reader->main, map->bytes, map->size, 0);
	return true;
}

/* The end of the bytes, in the middle of a record when some are left. */
static struct error *end(struct perfdata_reader *reader, size_t left, bool *done)
{
	uint64_t offset = source_offset(&reader->main);

	reader->ended = true;
	if (left)
		reader->losses.truncated = true;
	if (reader->missing)
		return reader_error(reader, offset, "the file is cut: %llu bytes of records are missing",
				    (unsigned long long)reader->missing);
	/* A recorder that was killed may have been writing just then. */
	if (left && !reader->killed)
		return reader_error(reader, offset, "the file is cut: %zu bytes of a record are left", left);
	*done = true;
	return NULL;
}

/* As source_need(); errors say where. */
static struct error *need(struct perfdata_reader *reader, struct source *source, size_t size, size_t *left)
{
	struct error *err = source_need(source, size, left);
	uint64_t offset = reader->inflating ? reader->inflating_offset : source_offset(source);

	return err ? error_wrap(err, "%s: offset 0x%llx", reader->path, (unsigned long long)offset) : NULL;
}

/* Look at the next record of a source; *whole false: it has fewer bytes. */
static struct error *look(struct perfdata_reader *reader, struct source *source, struct found *ret, bool *whole)
{
	size_t left;
	struct error *err = need(reader, source, HEADER_SIZE, &left);

	*whole = false;
	if (err || left < HEADER_SIZE)
		return err;
	memcpy(&ret->header, source->at, HEADER_SIZE);
	if (reader->swapped) {
		ret->header.type = __builtin_bswap32(ret->header.type);
		ret->header.misc = __builtin_bswap16(ret->header.misc);
		ret->header.size = __builtin_bswap16(ret->header.size);
	}
	ret->offset = source == &reader->main ? source_offset(source) : reader->inflating_offset;
	if (ret->header.size < HEADER_SIZE)
		return reader_error(reader, ret->offset, "%s record (type %u) says it has %u bytes, fewer than its header",
				    perfdata_record_name(ret->header.type), ret->header.type, ret->header.size);
	err = need(reader, source, ret->header.size, &left);
	*whole = !err && left >= ret->header.size;
	ret->at = source->at;
	return err;
}

static struct error *find(struct perfdata_reader *reader, struct found *ret, bool *done)
{
	for (;;) {
		struct source *source = reader->inflating ? inflater_source(reader->inflater) : &reader->main;
		bool whole;
		struct error *err = look(reader, source, ret, &whole);

		if (err) {
			reader->ended = true;
			return err;
		}
		if (whole) {
			source->at += ret->header.size;
			return NULL;
		}
		if (reader->inflating) {
			reader->inflating = false;
			continue;
		}

		size_t left = (size_t)(source->end - source->at);

		if (left || !next_map(reader))
			return end(reader, left, done);
	}
}

static void swap_body(struct perfdata_reader *reader, struct record *record)
{
	void *body = (void *)(uintptr_t)record->body;
	size_t size = record->size - HEADER_SIZE;
	const struct perfdata_event *event = record->attr_index == SIZE_MAX ?
						     NULL :
						     &reader->events.items[record->attr_index]->event;

	if (record->type == PERF_RECORD_SAMPLE) {
		if (event)
			sample_swap(event, body, size);
		return;
	}

	size_t tail = event && record->type < PERFDATA_RECORD_HEADER_ATTR ? event->layout.tail_size : 0;

	if (size < tail)
		tail = 0;
	record_swap(record->type, record->misc, body, size, tail);
	if (tail)
		sample_id_swap(&event->layout, body, size);
}

/* The event of a record, from the bytes as they are in the file. */
static size_t event_of(struct perfdata_reader *reader, bool swapped, const struct record *record)
{
	size_t size = record->size - HEADER_SIZE;

	if (record->type == PERF_RECORD_SAMPLE)
		return event_table_of_sample(&reader->events, record->body, size, swapped);
	if (record->type >= PERFDATA_RECORD_HEADER_ATTR)
		return SIZE_MAX;
	return event_table_of_other(&reader->events, record->body, size, swapped);
}

struct error *reader_identify(struct perfdata_reader *reader, bool swapped, struct record *record)
{
	record->attr_index = event_of(reader, swapped, record);
	record->time_ns = 0;
	if (record->attr_index == SIZE_MAX)
		return NULL;

	const struct sample_layout *layout = &reader->events.items[record->attr_index]->event.layout;
	size_t size = record->size - HEADER_SIZE;

	if (record->type == PERF_RECORD_SAMPLE) {
		if (size < layout->fixed_size)
			return reader_error(reader, record->file_offset,
					    "SAMPLE record of %u bytes, its event's samples have at least %u",
					    record->size, layout->fixed_size + HEADER_SIZE);
		if (layout->time >= 0)
			record->time_ns = get_u64((const char *)record->body + layout->time, swapped);
	} else if (layout->tail_time && size >= layout->tail_size) {
		record->time_ns = get_u64((const char *)record->body + size - layout->tail_time, swapped);
	}
	return NULL;
}

/* Native order, aligned, event and time known. */
static struct error *make_record(struct perfdata_reader *reader, const struct found *found, struct record *ret)
{
	*ret = (struct record){ .type = found->header.type, .misc = found->header.misc, .size = found->header.size,
				.body = found->at + HEADER_SIZE, .file_offset = found->offset };
	if (reader->swapped || (uintptr_t)found->at % 8) {
		memcpy(reader->scratch, found->at, found->header.size);
		memcpy(reader->scratch, &found->header, HEADER_SIZE);
		ret->body = reader->scratch + 1;
	}

	struct error *err = reader_identify(reader, reader->swapped, ret);

	if (!err && reader->swapped)
		swap_body(reader, ret);
	return err;
}

static struct error *begin_inflating(struct perfdata_reader *reader, const struct found *found)
{
	size_t head = HEADER_SIZE;
	uint64_t size = found->header.size - head;

	if (reader->inflating)
		return reader_error(reader, found->offset, "COMPRESSED record inside a COMPRESSED record");
	if (found->header.type == PERFDATA_RECORD_COMPRESSED2) {
		if (size < 8 || get_u64(found->at + head, reader->swapped) > size - 8)
			return reader_error(reader, found->offset, "COMPRESSED2 record says it holds more than its %u bytes",
					    found->header.size);
		size = get_u64(found->at + head, reader->swapped);
		head += 8;
	}
	if (!reader->inflater)
		reader->inflater = inflater_create();
	inflater_feed(reader->inflater, found->at + head, size);
	reader->inflating = true;
	reader->inflating_offset = found->offset;
	return NULL;
}

/* AUXTRACE and TRACING_DATA are followed by a payload that is no record. */
static struct error *skip_payload(struct perfdata_reader *reader, const struct record *record, uint64_t size)
{
	struct source *source = reader->inflating ? inflater_source(reader->inflater) : &reader->main;
	uint64_t missing;
	struct error *err = source_skip(source, size, &missing);

	if (err || !missing)
		return err;
	reader->ended = true;
	reader->losses.truncated = true;
	return reader_error(reader, record->file_offset, "the file is cut: %llu bytes of %s data are missing",
			    (unsigned long long)missing, perfdata_record_name(record->type));
}

static struct error *note_record(struct perfdata_reader *reader, const struct record *record)
{
	size_t size = record->size - HEADER_SIZE;
	const uint64_t *words = record->body;

	switch (record->type) {
	case PERFDATA_RECORD_HEADER_ATTR:
		return reader->rewound ? NULL : reader_add_attr(reader, record->body, size, record->file_offset);
	case PERFDATA_RECORD_HEADER_FEATURE:
		if (size >= 8 && words[0] < PERFDATA_FEATURE_BITS && !reader->rewound)
			reader_add_feature(reader, (unsigned)words[0], words + 1, size - 8, true);
		return NULL;
	case PERFDATA_RECORD_BUILD_ID:
		if (!reader->rewound)
			reader_add_build_id(reader, record->misc, record->body, size);
		return NULL;
	case PERFDATA_RECORD_EVENT_UPDATE:
		reader_update_event(reader, record->body, size);
		return NULL;
	case PERFDATA_RECORD_TRACING_DATA:
		return size < 4 ? NULL : skip_payload(reader, record, ((uint64_t)*(const uint32_t *)words + 7) & ~7ull);
	case PERFDATA_RECORD_AUXTRACE:
		return size < 8 ? NULL : skip_payload(reader, record, words[0]);
	default:
		return NULL;
	}
}

struct error *reader_read(struct perfdata_reader *reader, struct record *ret, bool *done)
{
	struct found found = { 0 };

	*done = reader->ended;
	while (!*done) {
		struct error *err = find(reader, &found, done);

		if (err || *done)
			return err;
		if (found.header.type == PERFDATA_RECORD_COMPRESSED || found.header.type == PERFDATA_RECORD_COMPRESSED2) {
			err = begin_inflating(reader, &found);
			if (err)
				return err;
			continue;
		}
		err = make_record(reader, &found, ret);
		if (!err && ret->type >= PERFDATA_RECORD_HEADER_ATTR)
			err = note_record(reader, ret);
		return err;
	}
	return NULL;
}

static void account(struct perfdata_reader *reader, const struct record *record)
{
	const uint64_t *words = record->body;
	size_t size = record->size - HEADER_SIZE;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		reader->losses.unknown_ids += record->attr_index == SIZE_MAX;
		break;
	case PERF_RECORD_LOST:
		reader->losses.lost_events += size >= 16 ? words[1] : 0;
		break;
	case PERF_RECORD_LOST_SAMPLES:
		reader->losses.lost_samples += size >= 8 ? words[0] : 0;
		break;
	case PERF_RECORD_THROTTLE:
		reader->losses.throttles++;
		break;
	default:
		break;
	}
}

/* Does a record lie in a file, native, to stay there? */
static bool stays(const struct perfdata_reader *reader, const struct record *record)
{
	return !reader->swapped && !reader->main.fill && !reader->inflating &&
	       record->body != (const void *)(reader->scratch + 1);
}

static uint64_t offset_in_map(const struct perfdata_reader *reader, const uint8_t *at)
{
	for (size_t i = 0; i < reader->map_count; i++) {
		if (at >= reader->maps[i].bytes && at < reader->maps[i].bytes + reader->maps[i].size)
			return (uint64_t)(at - reader->maps[i].bytes);
	}
	return 0;
}

/* Give what the queue lets go; false: nothing yet. */
static bool take_queued(struct perfdata_reader *reader, struct record *ret)
{
	bool is_copy, is_late;
	uint64_t offset = 0;
	const struct perf_event_header *header = queue_take(&reader->queue, &is_copy, &offset, &is_late);

	if (!header)
		return false;
	*ret = (struct record){ .type = header->type, .misc = header->misc, .size = header->size, .body = header + 1,
				.file_offset = is_copy ? offset : offset_in_map(reader, (const uint8_t *)header) };
	reader->losses.out_of_order += is_late;
	/* It was found good when it was queued. */
	error_destroy(reader_identify(reader, false, ret));
	return true;
}

/* A record read in file order; false: it was queued, or only told that others may go. */
static bool give_or_queue(struct perfdata_reader *reader, const struct record *record)
{
	if (record->type == PERFDATA_RECORD_FINISHED_ROUND && reader->map_count == 1)
		queue_finish_round(&reader->queue);
	if (record->type >= PERFDATA_RECORD_HEADER_ATTR || !record->time_ns || record->time_ns == UINT64_MAX)
		return true;
	queue_add(&reader->queue, record->time_ns, (const struct perf_event_header *)record->body - 1,
		  stays(reader, record), record->file_offset);
	if (reader->queue.copied_bytes > QUEUE_COPIES_MAX)
		queue_finish(&reader->queue);
	return false;
}

static struct error *next_by_time(struct perfdata_reader *reader, struct record *ret, bool *done)
{
	*done = false;
	for (;;) {
		if (take_queued(reader, ret))
			return NULL;
		if (reader->drained) {
			*done = true;
			return NULL;
		}

		bool read_all;
		struct error *err = reader_read(reader, ret, &read_all);

		if (err)
			return err;
		if (read_all) {
			reader->drained = true;
			queue_finish(&reader->queue);
		} else if (give_or_queue(reader, ret)) {
			return NULL;
		}
	}
}

static struct error *next_in_order(struct perfdata_reader *reader, struct record *ret, bool *done)
{
	return reader->order == PERFDATA_TIME_ORDER ? next_by_time(reader, ret, done) : reader_read(reader, ret, done);
}

static bool hold_back(struct perfdata_reader *reader, const struct record *record)
{
	const struct perfdata_event *event = record->attr_index == SIZE_MAX ?
						     NULL :
						     &reader->events.items[record->attr_index]->event;
	size_t size = record->size - HEADER_SIZE;

	if (!event)
		return false;
	if (record->type == PERF_RECORD_SAMPLE)
		return deferral_hold(&reader->deferral, &event->attr, record);
	if (record->type == PERFDATA_RECORD_CALLCHAIN_DEFERRED && event->layout.tail_tid &&
	    size >= event->layout.tail_size)
		deferral_resolve(&reader->deferral, record,
				 get_u32((const char *)record->body + size - event->layout.tail_tid + 4, false));
	return false;
}

/* Samples wait for the user part of their call chains. */
static struct error *next_whole(struct perfdata_reader *reader, struct record *ret, bool *done)
{
	for (;;) {
		*done = false;
		if (deferral_take(&reader->deferral, reader->deferral_ends, ret))
			return NULL;
		*done = reader->deferral_ends;
		if (*done)
			return NULL;

		struct error *err = next_in_order(reader, ret, done);

		if (err)
			return err;
		if (*done)
			reader->deferral_ends = true;
		else if (!hold_back(reader, ret))
			return NULL;
	}
}

struct error *perfdata_next(struct perfdata_reader *reader, struct record *ret, bool *done)
{
	struct error *err = reader->events.defers ? next_whole(reader, ret, done) : next_in_order(reader, ret, done);

	if (!err && !*done)
		account(reader, ret);
	return err;
}
