/* What the user should know beside the result: notes and warnings on stderr, one line each. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/attr.h"

enum log_level { LOG_QUIET, LOG_WARNING, LOG_NOTE, LOG_VERBOSE, LOG_DEBUG };

/* The one global state of the program; LOG_NOTE at the start. */
void log_set_level(enum log_level level);
enum log_level log_level(void);

void log_warning(const char *format, ...) printf_like(1, 2); /* "warning: …" */
void log_note(const char *format, ...) printf_like(1, 2);
void log_verbose(const char *format, ...) printf_like(1, 2); /* with -v */

#endif
