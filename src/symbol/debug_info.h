/* Source lines and inlined functions of one binary, from its DWARF, by libdw. */
#ifndef SYMBOL_DEBUG_INFO_H
#define SYMBOL_DEBUG_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct arena;
struct debug_info;
struct elf_image;
struct frame;
struct function;
struct intern;

/* What the answers are made with; borrowed, and must outlive the debug information. */
struct debug_info_setup {
	struct arena *arena;
	struct intern *strings;
	uint64_t bias;      /* added to the file's addresses to give the binary's */
	bool demangle;
	bool inlines;       /* else only the line of the innermost */
};

/* NULL when image has no DWARF. image: borrowed, must outlive it. */
struct debug_info *debug_info_create(struct elf_image *image, const struct debug_info_setup *setup);
/**
 * Frames of an address, innermost first; at least one.
 *
 * outermost: the function the symbol table has there, or NULL: it stands for the last frame.
 * Returns how many; *ret lives as long as the arena.
 */
size_t debug_info_frames(struct debug_info *info, uint64_t address, const struct function *outermost,
			 const struct frame **ret);
void debug_info_destroy(struct debug_info *info);
DEFINE_GUARD(debug_info)

#endif
