/* From an address in a binary to its function, file, line and inlined callers. */
#ifndef SYMBOL_SYMBOLIZER_H
#define SYMBOL_SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/binary.h"

struct symbolizer;

/* Where and how to look. */
struct symbolizer_setup {
	const char *symfs;        /* prefix of every path, or NULL */
	const char *cache;        /* build-id cache directory; NULL: ~/.debug */
	const char *vmlinux, *kallsyms; /* given by the user, or NULL */
	bool debuginfod;          /* ask servers; never by default */
	bool demangle;
	bool inlines;             /* expand inlined frames (needs DWARF) */
	bool lines;               /* find source lines */
};

/* A function as the symbol table has it. Strings live as long as the symbolizer, each once. */
struct function {
	const char *name;          /* mangled, as in the table */
	const char *shown;         /* demangled, or name */
	uint64_t start, end;       /* ELF virtual addresses, end exclusive */
	bool is_inlined;           /* from DW_TAG_inlined_subroutine: start is the caller's */
};

/* One frame of an address: the innermost inlined function first, its callers after it. */
struct frame {
	const struct function *function; /* NULL: unknown */
	const char *file;                /* NULL without debug information */
	uint32_t line;                   /* from 1; 0: unknown */
};

struct binary; /* opened once per distinct (path, build id) */

must_use struct error *symbolizer_create(const struct symbolizer_setup *setup, struct symbolizer **ret);
/* Find a binary; never fails: binary_state() tells. Borrowed, the same pointer for the same name. */
struct binary *symbolizer_binary(struct symbolizer *symbolizer, const struct binary_name *name);
enum binary_state binary_state(const struct binary *binary);
const char *binary_file(const struct binary *binary);  /* the file in use, or NULL */
/* True for the kernel and for code without a file (perf maps): addresses are those of the process, and an ip is
 * passed as it is, where other binaries want a file offset. */
bool binary_is_absolute(const struct binary *binary);
/* File offset (as in MMAP: ip - start + pgoff) to ELF virtual address; false when no segment holds it. For an
 * absolute binary the ip, unchanged; for a kernel module the offset from its load address, unchanged. */
bool binary_address(struct binary *binary, uint64_t file_offset, uint64_t *ret);
/* Add a function the recording tells of (KSYMBOL: BPF programs, trampolines); name is copied. */
void binary_add_function(struct binary *binary, const char *name, uint64_t start, uint64_t size);
/* The function that holds an ELF address, or NULL. */
const struct function *binary_function(struct binary *binary, uint64_t address);
/* Frames of an ELF address, innermost first; always at least one, whose function may be NULL. frames stay valid
 * as long as the symbolizer. Without setup.inlines and setup.lines: one frame, the function alone. */
size_t binary_frames(struct binary *binary, uint64_t address, const struct frame **ret);
/* All functions by rising start. */
size_t binary_functions(struct binary *binary, const struct function *const **ret);
void symbolizer_destroy(struct symbolizer *symbolizer);
DEFINE_GUARD(symbolizer)

#endif
