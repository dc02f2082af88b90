/* The recorder: rings → perf.data, from the start of a command, or of watching, to its end. */
#ifndef CAPTURE_RECORDER_H
#define CAPTURE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/sampling.h"
#include "event/event.h"
#include "measure/kernel.h"
#include "measure/target.h"

struct control;
struct recorder;

/* A time during which events are on, from the start of the recording. */
struct recorder_window {
	uint64_t on_ns, off_ns; /* off_ns 0: to the end */
};

struct recorder_setup {
	const struct kernel *kernel;
	struct event_list *events;        /* borrowed; attributes are filled */
	struct target *target;            /* what is measured; borrowed, like all below */
	struct target *command;           /* what is run meanwhile; may be the target; NULL: nothing */
	const struct sampling *sampling;
	struct control *control;          /* NULL: none */
	const char *output;               /* "-": a pipe. What was there is kept as OUTPUT.old */
	const char *const *words;         /* our command line, for the header */
	uint64_t ring_bytes;              /* 0: what is best here */
	bool compress, inherit;
	bool start_disabled;              /* until control says enable, or a window opens */
	bool keep_build_ids, keep_binaries;
	const char *cache;                /* where binaries are kept; NULL: the build-id cache */
	const struct recorder_window *windows; /* rising; with start_disabled */
	size_t window_count;
	uint64_t timeout_ns, max_bytes;   /* 0: none */
};

struct recorder_result {
	uint64_t samples, lost_records, lost_samples, throttles;
	uint64_t wakeups;                 /* times the rings were drained */
	uint64_t bytes;                   /* written */
	uint64_t cpu_ns;                  /* of this process, start to end */
	int signal;                       /* that ended it, or 0 */
};

/* Open events and rings, begin the file, describe what is there already.
 * Errors: ERROR_PERMISSION, ERROR_UNSUPPORTED when an event cannot be opened; the old output is as it was then. */
must_use struct error *recorder_open(const struct recorder_setup *setup, struct recorder **ret);
/* Start the command and record until it, or what is measured, ends; until a signal, the time limit, or "stop".
 * Errors: ERROR_OS (disk full…): what was written before is readable; ERROR_NOT_FOUND with exit status 127. *ret is
 * set also then. */
must_use struct error *recorder_run(struct recorder *recorder, struct recorder_result *ret);
void recorder_destroy(struct recorder *recorder);
DEFINE_GUARD(recorder)

#endif
