/* Names looked up one by one in kallsyms text, which is neither copied nor parsed but where an address leads. */
#ifndef SYMBOL_KALLSYMS_LOOKUP_H
#define SYMBOL_KALLSYMS_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct arena;
struct function;
struct kernel_reference;
struct kallsyms_lookup;

/* path: a copy of kallsyms. reference: as in struct kallsyms_selection. Functions and their names are made in
 * arena, which must outlive the lookup; borrowed. NULL when the text is not one that can be searched: addresses of
 * other than 16 digits, hidden, or not rising. */
struct kallsyms_lookup *kallsyms_lookup_open(const char *path, const struct kernel_reference *reference,
					     struct arena *arena, bool demangle);
/* The same as symbol_table_find() after kallsyms_add() of that text gives; the same pointer for all addresses of a
 * function. NULL also where only the whole text can tell: behind the kernel's own last function, or before its first. */
const struct function *kallsyms_lookup_find(struct kallsyms_lookup *lookup, uint64_t address);
void kallsyms_lookup_destroy(struct kallsyms_lookup *lookup);
DEFINE_GUARD(kallsyms_lookup)

#endif
