/* Notes and warnings on stderr. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

static enum log_level current_level = LOG_NOTE;

void log_set_level(enum log_level level)
{
	current_level = level;
}

enum log_level log_level(void)
{
	return current_level;
}

static void print_line(const char *prefix, const char *format, va_list args)
{
	char *message;
	auto_text struct text clean = { 0 };

	if (vasprintf(&message, format, args) < 0)
		abort();
	text_append(&clean, prefix);
	text_append_message(&clean, message);
	free(message);
	fprintf(stderr, "%s\n", clean.bytes);
}

#define DEFINE_LOG(name, level, prefix)                      \
	void name(const char *format, ...)                   \
	{                                                    \
		va_list args;                                \
                                                             \
		if (current_level < (level))                 \
			return;                              \
		va_start(args, format);                      \
		print_line(prefix, format, args);            \
		va_end(args);                                \
	}

DEFINE_LOG(log_warning, LOG_WARNING, "warning: ")
DEFINE_LOG(log_note, LOG_NOTE, "")
DEFINE_LOG(log_verbose, LOG_VERBOSE, "")
