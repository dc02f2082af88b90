/* Compiler attributes and scope guards used everywhere. */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define must_use __attribute__((__warn_unused_result__))
#define unused __attribute__((__unused__))
#define printf_like(fmt, args) __attribute__((__format__(__printf__, fmt, args)))

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Run fn(&variable) when the variable leaves scope. */
#define cleanup(fn) __attribute__((__cleanup__(fn)))

/* Declare the guard of a type whose destroy function accepts NULL:
 * cleanup(TYPE_guard) struct TYPE *x = NULL; */
#define DEFINE_GUARD(type)                                           \
	static inline unused void type##_guard(struct type **owned)  \
	{                                                            \
		type##_destroy(*owned);                              \
	}

static inline unused void free_guard(void *owned)
{
	free(*(void **)owned);
}

static inline unused void close_guard(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline unused void fclose_guard(FILE **file)
{
	if (*file)
		fclose(*file);
}

#define auto_free cleanup(free_guard)
#define auto_close cleanup(close_guard)
#define auto_fclose cleanup(fclose_guard)

/* Give an owned pointer away: returns it and disarms its guard. */
#define take(pointer)                           \
	({                                      \
		__auto_type taken_ = (pointer); \
		(pointer) = NULL;               \
		taken_;                         \
	})

#endif
