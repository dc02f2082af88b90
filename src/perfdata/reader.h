/* Read a perf.data file, directory or pipe. Trusts nothing in it. */
#ifndef PERFDATA_READER_H
#define PERFDATA_READER_H

#include <stdbool.h>

#include "perfdata/layout.h"
#include "perfdata/record.h"

struct perfdata_reader;

enum perfdata_order {
	PERFDATA_FILE_ORDER, /* as written: fastest */
	PERFDATA_TIME_ORDER, /* by time, honouring FINISHED_ROUND */
};

/* An event of the recording; its place in memory is stable until the reader is destroyed. */
struct perfdata_event {
	struct perf_event_attr attr; /* native order; fields newer than ours dropped, missing ones 0 */
	const char *name;            /* EVENT_DESC, EVENT_UPDATE, or made from type and config; never NULL */
	const uint64_t *ids;
	size_t id_count;
	struct sample_layout layout; /* where its records keep their fields: no need to decode a whole sample for one */
};

/* What went missing while it was recorded, summed over the file; complete after the last record. */
struct perfdata_losses {
	uint64_t lost_events;      /* LOST */
	uint64_t lost_samples;     /* LOST_SAMPLES and read_format LOST */
	uint64_t throttles;
	uint64_t out_of_order;     /* records older than what was already given */
	uint64_t unknown_ids;      /* samples of an event nobody declared */
	bool truncated;            /* the recorder was killed, or the file cut */
};

/**
 * Open path, "-" for stdin: a file, a directory of `perf record --threads`, or a pipe.
 *
 * Errors: ERROR_NOT_FOUND, ERROR_OS, ERROR_FORMAT with file, offset and what was wrong.
 */
must_use struct error *perfdata_open(const char *path, enum perfdata_order order, struct perfdata_reader **ret);
/* As perfdata_open() of a file with these bytes, which are borrowed and 8-byte aligned. name is for messages. */
must_use struct error *perfdata_open_bytes(const char *name, const void *bytes, size_t size, enum perfdata_order order,
					   struct perfdata_reader **ret);
/* The next record; COMPRESSED ones are replaced by what is in them. done: no more; *ret is then unset. A SAMPLE whose
 * attr_index is not SIZE_MAX has at least its layout's fixed_size bytes. Errors: ERROR_FORMAT with offset and record
 * type; calling again after one goes on behind the damage where that is possible, else says done. */
must_use struct error *perfdata_next(struct perfdata_reader *reader, struct record *ret, bool *done);
/* Start again from the first record. Errors: ERROR_UNSUPPORTED for a pipe. */
must_use struct error *perfdata_rewind(struct perfdata_reader *reader);

/* In pipe mode events appear while records are read; index stays the same. */
size_t perfdata_event_count(const struct perfdata_reader *reader);
const struct perfdata_event *perfdata_event_at(const struct perfdata_reader *reader, size_t index);

/* A feature section's bytes, PERFDATA_FEATURE_*, in file byte order; NULL when there is none. */
const void *perfdata_feature(const struct perfdata_reader *reader, unsigned feature, size_t *size);
/* A feature that is one string (HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID); NULL when there is none. */
const char *perfdata_feature_text(const struct perfdata_reader *reader, unsigned feature);
/* CMDLINE: argument count, words borrowed. */
size_t perfdata_command_line(const struct perfdata_reader *reader, const char *const **ret);

/* The build ids of the BUILD_ID feature and BUILD_ID records. */
struct perfdata_build_id {
	const char *path; /* "[kernel.kallsyms]", "/usr/bin/x" */
	uint8_t bytes[20];
	size_t size;
	uint32_t pid;     /* -1 host kernel */
	uint16_t misc;
};
size_t perfdata_build_ids(const struct perfdata_reader *reader, const struct perfdata_build_id **ret);

const struct perfdata_losses *perfdata_losses(const struct perfdata_reader *reader);
uint64_t perfdata_size(const struct perfdata_reader *reader);     /* bytes; 0 for a pipe */
uint64_t perfdata_position(const struct perfdata_reader *reader); /* bytes read so far */
bool perfdata_is_pipe(const struct perfdata_reader *reader); /* written as a pipe: events and features come as records */
bool perfdata_is_swapped(const struct perfdata_reader *reader);
void perfdata_reader_destroy(struct perfdata_reader *reader);
DEFINE_GUARD(perfdata_reader)

#endif
