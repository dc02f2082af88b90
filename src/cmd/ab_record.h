/* perfmini ab --record: sampled runs beside the counted ones. */
#ifndef CMD_AB_RECORD_H
#define CMD_AB_RECORD_H

#include "ab/runner.h"
#include "base/error.h"

struct ab_recording;

/* Borrowed for the life of the recording. */
struct ab_recording_setup {
	struct launcher *launcher;
	struct live_runner *live;  /* its counters are closed while a run is recorded */
	const struct plan *plan;
	const char *directory;     /* the bundle */
	const int *cpus;           /* [cpu_count], or NULL */
	size_t cpu_count;
	uint64_t timeout_ns;       /* 0: none */
	bool show_output;
};

/* Make the bundle's directories. keep: go on with the recordings that are there; else they are removed.
 * Errors: ERROR_OS, ERROR_PERMISSION. */
must_use struct error *ab_recording_create(const struct ab_recording_setup *setup, bool keep, struct ab_recording **ret);
/* For struct runner. A run that fails leaves no recording. */
must_use struct error *ab_recording_run(void *recording, const struct run_request *request, uint32_t block);
/* The signal that ended a recording, or 0. */
int ab_recording_signal(const struct ab_recording *recording);
void ab_recording_destroy(struct ab_recording *recording); /* tells what was lost */

#endif
