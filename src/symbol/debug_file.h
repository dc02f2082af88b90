/* The separate file with the symbols and debug information that a stripped binary lacks. */
#ifndef SYMBOL_DEBUG_FILE_H
#define SYMBOL_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct build_id_cache;
struct elf_image;

struct debug_search {
	const char *path;              /* of the runtime file, as recorded: without --symfs */
	const uint8_t *build_id;
	size_t build_id_size;          /* 0: unknown */
	const char *symfs;             /* or NULL */
	struct build_id_cache *cache;  /* or NULL */
	int64_t download_deadline_ns;  /* CLOCK_MONOTONIC until which debuginfod may be asked; 0: not at all */
	bool needs_dwarf;              /* symbols alone do not do */
};

/* Tries in turn: debug link beside the file, in .debug and under /usr/lib/debug; the build-id cache;
 * /usr/lib/debug/.build-id; /usr/lib/debug/PATH.debug and /PATH; .debug/NAME; debuginfod when allowed. A file counts
 * only when its build id is that of the binary, or, where there is none, when the debug link's checksum is right.
 * runtime: the stripped file, or NULL. Returns the opened file, which the caller destroys, or NULL. */
struct elf_image *debug_file_find(const struct debug_search *search, const struct elf_image *runtime);
/* The compressed symbol table some distributions embed (.gnu_debugdata), or NULL. */
struct elf_image *debug_file_embedded(const struct elf_image *runtime);
/* The binary itself, by build id, from debuginfod; NULL when it may not be asked or has none. */
struct elf_image *debug_file_download_binary(const struct debug_search *search);

#endif
