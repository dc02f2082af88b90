/* A recording that goes on: `perfmini record` writes it as a pipe, and what came in the last seconds can be read as a
 * recording of its own at any time. */
#ifndef CAPTURE_LIVE_H
#define CAPTURE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct live;

/* words: the recorder's command line, NULL-terminated, which writes to its standard output.
 * slices: how many of live_next_slice() a snapshot holds. Errors: ERROR_OS. */
must_use struct error *live_start(const char *const *words, size_t slices, struct live **ret);
/* Read what the recorder has written; never waits. Errors: ERROR_FORMAT for what is no recording. */
must_use struct error *live_read(struct live *live);
/* File descriptor to wait for. */
int live_fd(const struct live *live);
/* The recorder ended: its exit status, 128 + N for a signal, or -1 while it runs. */
int live_status(struct live *live);
/* What it said on its standard error, the last line; the caller frees. */
char *live_last_words(const struct live *live);
/* Begin a new slice; the oldest is forgotten when there are too many. */
void live_next_slice(struct live *live);
uint64_t live_samples(const struct live *live); /* in the slices that are kept */
/* CPU time of the recorder so far. */
uint64_t live_recorder_ns(const struct live *live);
/* The kept slices as a recording; *path is "/proc/self/fd/N", which stays readable until the next call or the end.
 * Errors: ERROR_OS. */
must_use struct error *live_snapshot(struct live *live, const char **path);
void live_destroy(struct live *live); /* ends the recorder */
DEFINE_GUARD(live)

#endif
