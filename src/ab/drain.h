/* What a command writes, read to the end: hashed without limit, its beginning kept. */
#ifndef AB_DRAIN_H
#define AB_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct drain;

/* What came out. text and last_error are the drain's. */
struct drained {
	uint64_t hash;          /* of standard output: CRC-32 in the high half, Adler-32 in the low; never 0 */
	uint64_t bytes, message_bytes; /* of standard output, of standard error */
	const char *text;       /* the first keep_bytes of standard output */
	const char *last_error; /* end of the last line on standard error, or "" */
	bool held_open;         /* the command ended, but something it started still holds its output */
};

/* stdout_fd, stderr_fd: for the command; closed by drain_started(). keep_bytes of standard output are kept. */
must_use struct error *drain_create(size_t keep_bytes, int *stdout_fd, int *stderr_fd, struct drain **ret);
/* The command has its descriptors: close ours. */
void drain_started(struct drain *drain);
/* Begin to read while the command runs: one that writes more than a pipe holds waits for that. Without it all is read
 * by drain_finish(), and nothing of ours runs beside the command. Errors: ERROR_OS. */
must_use struct error *drain_read(struct drain *drain);
/* The command ended: take what is left. Valid until drain_destroy(). */
const struct drained *drain_finish(struct drain *drain);
void drain_destroy(struct drain *drain);
DEFINE_GUARD(drain)

#endif
