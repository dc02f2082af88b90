/* The feature sections that say where and how a recording was made. */
#ifndef CAPTURE_DESCRIPTION_H
#define CAPTURE_DESCRIPTION_H

#include <stdint.h>

#include "event/event.h"
#include "perfdata/writer.h"

struct description {
	const char *const *words; /* of our command line, NULL-terminated */
	const struct event_list *events;
	const struct perfdata_writer_event *written; /* [written_count] */
	size_t written_count;
	bool is_compressed;
	uint32_t ring_bytes;
};

/* What is known from the start. What this machine does not tell is left out. */
must_use struct error *describe(struct perfdata_writer *writer, const struct description *description);

/* CPU_TOPOLOGY alone. */
must_use struct error *describe_topology(struct perfdata_writer *writer);

#endif
