/* The TRACING_DATA section: what tracepoints' raw bytes mean. Without it perf refuses a recording of tracepoints. */
#ifndef CAPTURE_TRACING_DATA_H
#define CAPTURE_TRACING_DATA_H

#include "event/event.h"
#include "perfdata/writer.h"

/* Written only when a tracepoint is among events. Errors: the formats cannot be read (ERROR_OS, ERROR_PERMISSION). */
must_use struct error *describe_tracepoints(struct perfdata_writer *writer, const struct event_list *events);

#endif
