/* The functions of one binary, sorted by address and found by it. */
#ifndef SYMBOL_SYMBOL_TABLE_H
#define SYMBOL_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct arena;
struct function;
struct symbol_table;

/* How binding and type rank among names of one address: a higher one is chosen. */
enum symbol_rank { SYMBOL_LABEL, SYMBOL_WEAK, SYMBOL_LOCAL, SYMBOL_GLOBAL };

/* Functions and demangled names are made in arena, which must outlive the table; borrowed. */
struct symbol_table *symbol_table_create(struct arena *arena, bool demangle);
void symbol_table_reserve(struct symbol_table *table, size_t count);
/* name: borrowed for as long as the table. end: exclusive; no greater than start: unknown, then the next start or
 * limit, whichever comes first. */
void symbol_table_add(struct symbol_table *table, const char *name, uint64_t start, uint64_t end,
		      enum symbol_rank rank);
/* Where symbols of unknown size that were added since the last call end at the latest. */
void symbol_table_limit(struct symbol_table *table, uint64_t limit);
/* Later symbols of the same start win over earlier ones: in a perf map they are newer; of kallsyms perf takes the last. */
void symbol_table_prefer_last(struct symbol_table *table);

/* Of several names of one address perf's is chosen: with a size before without, global before local before weak, fewer
 * leading underscores, longer, then the first that was added. Aliases that lose are dropped. */
const struct function *symbol_table_find(struct symbol_table *table, uint64_t address);
/* All, by rising start; borrowed until the next symbol_table_add(). */
size_t symbol_table_functions(struct symbol_table *table, const struct function *const **ret);
size_t symbol_table_count(const struct symbol_table *table);
/* The start of the function of that (mangled) name; false when there is none. Linear. */
bool symbol_table_start_of(const struct symbol_table *table, const char *name, uint64_t *ret);
void symbol_table_destroy(struct symbol_table *table);
DEFINE_GUARD(symbol_table)

#endif
