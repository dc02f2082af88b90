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
	const struct perf_event_attr *attr; /* attr->size bytes are written: the smallest that holds what is used */
	const char *name;
	const uint64_t *ids; /* [id_count] */
	size_t id_count;
};

/* path: "-" writes pipe mode to stdout. The file is 0600, and readable at any moment: a killed recorder leaves
 * data.size 0, which readers take as "to the end". */
must_use struct error *perfdata_create(const char *path, const struct perfdata_writer_event *events, size_t count,
				       bool compress, struct perfdata_writer **ret);
must_use struct error *perfdata_append(struct perfdata_writer *writer, const void *records, size_t size);
must_use struct error *perfdata_set_feature(struct perfdata_writer *writer, unsigned feature,
					    const void *bytes, size_t size);
/* Write the feature sections and the header; the file is complete only after this. */
must_use struct error *perfdata_finish(struct perfdata_writer *writer);
uint64_t perfdata_written(const struct perfdata_writer *writer); /* bytes so far */
void perfdata_writer_destroy(struct perfdata_writer *writer);
DEFINE_GUARD(perfdata_writer)

#endif
