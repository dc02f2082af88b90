/* Address ranges, nested in each other, and the innermost one that holds an address. */
#ifndef SYMBOL_ADDRESS_RANGES_H
#define SYMBOL_ADDRESS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_range {
	uint64_t start, end; /* end exclusive */
	uint32_t value;      /* the owner's index of what lies there */
	uint32_t parent;     /* set by address_ranges_sort() */
};

/* Zero-initialised is empty. */
struct address_ranges {
	struct address_range *items;
	size_t count, capacity;
};

/* Of equal ranges the one added later is the inner one: value must rise. Empty ranges are left out. */
void address_ranges_add(struct address_ranges *ranges, uint64_t start, uint64_t end, uint32_t value);
/* To be called after the last one was added. */
void address_ranges_sort(struct address_ranges *ranges);
/* NULL when none holds address. */
const struct address_range *address_ranges_find(const struct address_ranges *ranges, uint64_t address);
void address_ranges_release(struct address_ranges *ranges);

#endif
