/* Write a perf.data file or pipe that perf itself reads. */
#ifndef PERFDATA_WRITER_H
#define PERFDATA_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct perfdata_writer;

struct perfdata_writer_event {
	const struct perf_event_attr *attr; /* written with the smallest size that holds the fields in use */
	const char *name;
	const uint64_t *ids; /* [id_count] */
	size_t id_count;
};

/**
 * Begin a recording.
 *
 * path: "-" writes pipe mode to stdout. A file is 0600, replaces what was there, and is readable after each
 *       perfdata_flush(), without its feature sections.
 * compress: zstd, in COMPRESSED records.
 */
must_use struct error *perfdata_create(const char *path, const struct perfdata_writer_event *events, size_t count,
				       bool compress, struct perfdata_writer **ret);
/* Whole records, in native order. Errors: ERROR_OS (disk full…); perfdata_finish() then still leaves a readable file
 * with what was appended before. */
must_use struct error *perfdata_append(struct perfdata_writer *writer, const void *records, size_t size);
/* Hand what was appended to the kernel, so that a kill loses nothing of it. */
must_use struct error *perfdata_flush(struct perfdata_writer *writer);
/* The bytes of a feature section, in native order, copied; a pipe has them at once, as a record. BUILD_ID is a run of
 * BUILD_ID records. */
must_use struct error *perfdata_set_feature(struct perfdata_writer *writer, unsigned feature,
					    const void *bytes, size_t size);
/* Drop the SAMPLE records appended so far and keep all others. Errors: ERROR_UNSUPPORTED for a pipe and when packed. */
must_use struct error *perfdata_drop_samples(struct perfdata_writer *writer);
/* A complete file of what was appended so far. Errors: ERROR_UNSUPPORTED for a pipe. */
must_use struct error *perfdata_save_copy(struct perfdata_writer *writer, const char *path);
/* Write the feature sections and the header; the file is complete only after this. */
must_use struct error *perfdata_finish(struct perfdata_writer *writer);
uint64_t perfdata_written(const struct perfdata_writer *writer); /* bytes so far */
bool perfdata_writer_is_pipe(const struct perfdata_writer *writer);
void perfdata_writer_destroy(struct perfdata_writer *writer);
DEFINE_GUARD(perfdata_writer)

/* The smallest published size of an attribute that holds every field in use. */
uint32_t perfdata_attr_size(const struct perf_event_attr *attr);

#endif
