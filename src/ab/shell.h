/* Shell commands beside the measured ones: hooks, builds, the co-runner. */
#ifndef AB_SHELL_H
#define AB_SHELL_H

#include <sys/types.h>

#include "base/error.h"

/* Variables given beside our own environment, "NAME=value", NULL-terminated, or NULL. */
struct shell {
	const char *what;              /* for messages: "--prepare of B" */
	const char *directory;         /* NULL: ours */
	const char *const *variables;
};

/* Run text with /bin/sh and wait; its standard output goes to standard error. Errors: ERROR_OS when it fails, saying
 * its status. */
must_use struct error *shell_run(const struct shell *shell, const char *text);

/* As shell_run(), returning the first line of its standard output; the caller frees. */
must_use struct error *shell_line(const struct shell *shell, const char *text, char **ret);

/* A command in its own process group, until it is stopped. */
struct co_runner;

/* Errors: ERROR_OS; also when it ends within a tenth of a second with a failure. */
must_use struct error *co_runner_start(const char *text, struct co_runner **ret);
void co_runner_destroy(struct co_runner *runner); /* kills its whole group */
DEFINE_GUARD(co_runner)

#endif
