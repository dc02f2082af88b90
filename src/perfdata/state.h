/* Inside the reader: what its parts share. Only src/perfdata includes it. */
#ifndef PERFDATA_STATE_H
#define PERFDATA_STATE_H

#include "base/memory.h"
#include "perfdata/deferral.h"
#include "perfdata/events.h"
#include "perfdata/format.h"
#include "perfdata/inflate.h"
#include "perfdata/queue.h"
#include "perfdata/reader.h"
#include "perfdata/source.h"

/* Bytes of a whole file. */
struct file_map {
	const uint8_t *bytes;
	size_t size;
	bool is_mapped; /* ours to unmap */
};

struct feature_bytes {
	const void *bytes;
	size_t size;
	bool is_owned;
};

struct perfdata_reader {
	char *path;
	enum perfdata_order order;
	int fd;                     /* of a stream; -1 */
	bool pipe_mode, swapped;
	bool killed;                /* the header was never completed */
	bool rewound;               /* not the first pass: events and features are known */

	struct file_map *maps;      /* the file; of a directory, data and then data.0 … */
	size_t map_count, map_capacity;
	struct perfdata_section data; /* of maps[0], within it */
	uint64_t missing;           /* bytes of the data section behind the end of the file */

	struct event_table events;
	struct feature_bytes features[PERFDATA_FEATURE_BITS];
	struct perfdata_build_id *build_ids;
	size_t build_id_count, build_id_capacity;
	const char **words;         /* of the command line */
	size_t word_count;
	struct arena *text;         /* strings of features */
	const char *feature_texts[PERFDATA_FEATURE_BITS];

	struct source main;
	size_t map_index;           /* which map main reads */
	struct inflater *inflater;  /* NULL: nothing compressed so far */
	bool inflating;
	uint64_t inflating_offset;  /* of the COMPRESSED record */
	uint64_t *scratch;          /* one record of the other byte order, or not aligned */
	bool ended, drained;
	struct queue queue;
	struct deferral deferral;   /* when an event defers its chains */
	bool deferral_ends;
	struct perfdata_losses losses;
};

/* One record in file order. */
must_use struct error *reader_read(struct perfdata_reader *reader, struct record *ret, bool *done);
/* Fill in event and time. Errors: ERROR_FORMAT for a sample too short for its event. */
must_use struct error *reader_identify(struct perfdata_reader *reader, bool swapped, struct record *record);
void reader_start(struct perfdata_reader *reader);
/* The body of a SAMPLE to native order, in place. */
void sample_swap(const struct perfdata_event *event, void *body, size_t size);

/* The header and what it points to, of maps[0]. */
must_use struct error *header_read(struct perfdata_reader *reader);
/* bytes: an attribute in file order, at least its size. *ret is native. Errors: ERROR_FORMAT. */
must_use struct error *attr_read(const struct perfdata_reader *reader, uint64_t offset, const void *bytes, size_t size,
				 struct perf_event_attr *ret, size_t *used);

/* Records that carry what a file has in its header. */
must_use struct error *reader_add_attr(struct perfdata_reader *reader, const void *body, size_t size, uint64_t offset);
void reader_add_feature(struct perfdata_reader *reader, unsigned feature, const void *bytes, size_t size, bool copy);
void reader_add_build_ids(struct perfdata_reader *reader, const void *bytes, size_t size);
void reader_add_build_id(struct perfdata_reader *reader, uint16_t misc, const void *body, size_t size);
void reader_update_event(struct perfdata_reader *reader, const void *body, size_t size);
void reader_name_events(struct perfdata_reader *reader); /* from EVENT_DESC */

/* "FILE: offset 0x…: WHAT". */
must_use struct error *reader_error(const struct perfdata_reader *reader, uint64_t offset, const char *format, ...)
	printf_like(3, 4);

#endif
