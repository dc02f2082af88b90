/* Tab-separated tables: built in, or read from the directory that PERFMINI_EVENTS names. */
#ifndef EVENT_TABLE_H
#define EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct table_row {
	char **fields; /* [columns], never NULL */
	unsigned line; /* in its file, from 1 */
};

struct table {
	const char *name; /* "aliases" */
	char *text;       /* what the fields point into */
	struct table_row *rows;
	size_t count, capacity;
};

/* Lines that are empty or begin with '#' are left out. Takes text. Errors: ERROR_FORMAT names table and line. */
must_use struct error *table_parse(const char *name, char *text, size_t columns, struct table *ret);
/* directory: holds NAME.tsv, or NULL for the built-in text. Errors: as file_read(), ERROR_FORMAT. */
must_use struct error *table_load(const char *directory, const char *name, const char *built_in, size_t columns,
				  struct table *ret);
void table_release(struct table *table);

/* Whether a row's CPU column, globs separated by commas, holds for one of the CPUs ("x86_64/skl", several
 * separated by commas). */
bool table_cpu_matches(const char *globs, const char *cpus);

#endif
