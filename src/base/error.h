/* Errors: a function that can fail returns NULL on success, or one error its caller owns. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/attr.h"

enum error_kind {
	ERROR_USAGE,       /* the command line is wrong; the user can fix it */
	ERROR_OS,          /* a system call failed; carries errno */
	ERROR_PERMISSION,  /* the kernel refused; carries a hint */
	ERROR_UNSUPPORTED, /* this kernel, CPU or build lacks the feature */
	ERROR_FORMAT,      /* a file is malformed; the message names file and offset */
	ERROR_NOT_FOUND,   /* event, symbol, build id: callers may recover */
};

struct error;

must_use struct error *error_new(enum error_kind kind, const char *format, ...) printf_like(2, 3);
must_use struct error *error_os(int os_errno, const char *format, ...) printf_like(2, 3);

/* Prefix what failed, outermost last: "record: write perf.data: No space left". Takes and returns err. */
must_use struct error *error_wrap(struct error *err, const char *format, ...) printf_like(2, 3);
must_use struct error *error_hint(struct error *err, const char *format, ...) printf_like(2, 3);

/* The exit status this error asks for, such as 127 for a command that is not there. Takes and returns err. */
must_use struct error *error_exit_status(struct error *err, int status);
int error_status(const struct error *err, int otherwise);

enum error_kind error_kind(const struct error *err);
const char *error_message(const struct error *err);
const char *error_hint_text(const struct error *err); /* or NULL */
void error_destroy(struct error *err);                /* NULL is fine */
DEFINE_GUARD(error)

#endif
