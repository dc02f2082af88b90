/* Errors: a kind, a message, a hint, and the exit status they ask for. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

struct error {
	enum error_kind kind;
	char *message;
	char *hint;
	int status; /* 0: by kind */
};

static char *format_or_die(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		abort();
	return text;
}

struct error *error_new(enum error_kind kind, const char *format, ...)
{
	struct error *err = calloc(1, sizeof(*err));
	va_list args;

	if (!err)
		abort();
	err->kind = kind;
	va_start(args, format);
	err->message = format_or_die(format, args);
	va_end(args);
	return err;
}

struct error *error_os(int os_errno, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	auto_free char *what = format_or_die(format, args);
	va_end(args);
	return error_new(os_errno == EACCES || os_errno == EPERM ? ERROR_PERMISSION : ERROR_OS,
			 "%s: %s", what, strerror(os_errno));
}

struct error *error_wrap(struct error *err, const char *format, ...)
{
	va_list args;
	char *joined;

	va_start(args, format);
	auto_free char *what = format_or_die(format, args);
	va_end(args);
	if (asprintf(&joined, "%s: %s", what, err->message) < 0)
		abort();
	free(err->message);
	err->message = joined;
	return err;
}

struct error *error_hint(struct error *err, const char *format, ...)
{
	va_list args;

	free(err->hint);
	va_start(args, format);
	err->hint = format_or_die(format, args);
	va_end(args);
	return err;
}

struct error *error_exit_status(struct error *err, int status)
{
	err->status = status;
	return err;
}

int error_status(const struct error *err, int otherwise)
{
	return err->status ? err->status : otherwise;
}

enum error_kind error_kind(const struct error *err)
{
	return err->kind;
}

const char *error_message(const struct error *err)
{
	return err->message;
}

const char *error_hint_text(const struct error *err)
{
	return err->hint;
}

void error_destroy(struct error *err)
{
	if (!err)
		return;
	free(err->message);
	free(err->hint);
	free(err);
}
