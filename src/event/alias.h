/* Names that stand for another event on some CPUs: events/aliases.tsv. */
#ifndef EVENT_ALIAS_H
#define EVENT_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct alias {
	const char *name;        /* "stalled-cycles-frontend" */
	const char *cpu;         /* globs of "ARCH/CPU", CPU by libpfm4's name: "x86_64/skl,x86_64/skx" */
	const char *event;       /* event text: "skl::IDQ_UOPS_NOT_DELIVERED:…" */
	const char *code;        /* the raw code by the source, to check the encoding against: "0x400019c" or "-" */
	const char *source;      /* where the choice and the code come from */
	const char *description;
};

struct alias_table;

/* directory: holds aliases.tsv, or NULL: built in. Errors: ERROR_FORMAT names the line, ERROR_OS. */
must_use struct error *alias_table_load(const char *directory, struct alias_table **ret);
size_t alias_count(const struct alias_table *table);
const struct alias *alias_at(const struct alias_table *table, size_t index);
/* The first row of that name for that CPU, or NULL. */
const struct alias *alias_find(const struct alias_table *table, const char *name, const char *cpu);
void alias_table_destroy(struct alias_table *table);
DEFINE_GUARD(alias_table)

#endif
