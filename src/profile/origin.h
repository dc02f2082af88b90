/* Where and when a recording was made. */
#ifndef PROFILE_ORIGIN_H
#define PROFILE_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

struct profile;

/* True when the recording says that it was made on this host by a kernel of this release, and its file was written
 * since the machine started; a pipe counts as written now. Pipes and `record -N` carry no build id of the kernel: this
 * stands for it. */
bool profile_is_of_running_kernel(const struct profile *profile);

/* When its file was written last, CLOCK_REALTIME; 0 for a pipe, a file without a name, or when the file is gone. */
uint64_t profile_written_ns(const struct profile *profile);

/* The command line that recorded it, words joined by spaces; NULL when it is not said. The caller frees. */
char *profile_command(const struct profile *profile);

#endif
