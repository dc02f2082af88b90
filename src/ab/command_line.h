/* Command lines given as text: split into words, scans expanded, placeholders filled in. */
#ifndef AB_COMMAND_LINE_H
#define AB_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct arena;

/* Words as a shell splits them (quotes and backslashes, nothing else), in the arena, NULL-terminated. With shell:
 * { "/bin/sh", "-c", text }. Errors: ERROR_USAGE for an open quote or no word. */
must_use struct error *command_line_split(struct arena *arena, const char *text, bool shell,
					  const char *const **ret);
/* The words as one text that a shell would split again alike; the caller frees. */
char *command_line_join(const char *const *words);

/* One "name=v1,v2,…". */
struct scan {
	const char *name;
	const char **values;
	size_t count;
};

/* Errors: ERROR_USAGE without a name or with an empty list. */
must_use struct error *scan_parse(struct arena *arena, const char *text, struct scan *ret);

/* text with each {name} replaced by value, in the arena. */
const char *command_line_replace(struct arena *arena, const char *text, const char *name, const char *value);

#endif
