/* The kernel's own symbol table in text: /proc/kallsyms and copies of it. */
#ifndef SYMBOL_KALLSYMS_H
#define SYMBOL_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/binary.h"
#include "symbol/symbol_table.h"

struct kallsyms_selection {
	const char *module;       /* "ext4": only its functions, as offsets from load_address; NULL: the kernel's own */
	uint64_t load_address;
	struct kernel_reference reference; /* all are moved from where it stands here; address 0: not */
};

/* Add the functions in text (which is cut up: NULs replace separators; names are borrowed from it), BPF programs
 * and trampolines among them unless the kernel was moved. all_zero: there were symbols, every address hidden (kptr_restrict).
 * Returns how many. */
size_t kallsyms_add(struct symbol_table *table, char *text, size_t size, const struct kallsyms_selection *selection,
		    bool *all_zero);

/* The line of a symbol of the kernel's own, or NULL. */
const char *kallsyms_find(const char *text, size_t size, const char *symbol);
/* Of a line's type letter: whether it is code. */
bool kallsyms_is_function(char type);
/* Where a function ends at the latest when nothing near follows it. */
uint64_t kallsyms_page_end(uint64_t address);

#endif
