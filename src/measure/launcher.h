/* The small process that commands are forked from. Private to measure/: target.h is the door. */
#ifndef MEASURE_LAUNCHER_H
#define MEASURE_LAUNCHER_H

#include <signal.h>
#include <sys/types.h>

#include "measure/target.h"

struct launcher {
	pid_t pid;
	int request_fd;               /* socket to the launcher process */
	int gate_read_fd, gate_fd;    /* a byte written to gate_fd lets the held command exec */
	int failure_fd;               /* what kept a command from its exec, non-blocking */
	pid_t held;                   /* command waiting at the gate; 0 none */
	sigset_t old_mask;            /* before launcher_create(); commands get it back */
};

enum launch_stage { LAUNCH_STREAMS, LAUNCH_DIRECTORY, LAUNCH_AFFINITY, LAUNCH_EXEC };

/* What a command that could not exec leaves behind. */
struct launch_failure {
	enum launch_stage stage;
	int os_errno;
};

/* Fork a command that waits at the gate. It is a child of this process, not of the launcher process.
 * Errors: ERROR_OS. */
must_use struct error *launcher_fork(struct launcher *launcher, const struct command_setup *setup, pid_t *ret);
/* Open the gate. Errors: ERROR_OS. */
must_use struct error *launcher_release(struct launcher *launcher);
/* Take back what a command that died at the gate did not read. */
void launcher_close_gate(struct launcher *launcher);
/* Whether a command left word why it could not exec. */
bool launcher_failure(struct launcher *launcher, struct launch_failure *ret);

/* How a command is described to the launcher process: a head, then argv, environment and directory as
 * NUL-terminated strings, then CPU numbers. */
struct launch_request {
	size_t size;                       /* of what follows the head */
	size_t argument_count, variable_count, cpu_count;
	bool own_environment, own_directory; /* given in the request, not inherited */
	bool streams[3];                   /* which of stdin, stdout, stderr come as descriptors */
};

/* The launcher process: serve requests until the other end closes, then exit. */
_Noreturn void launcher_serve(const struct launcher *launcher, int socket_fd, int failure_fd);

#endif
