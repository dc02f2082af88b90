/* Finding the file behind a binary's name and build id, and what it holds. */
#ifndef SYMBOL_BINARY_H
#define SYMBOL_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A binary as a profile names it. path is a hint; build_id, when there is one, decides. */
struct binary_name {
	const char *path;         /* "/usr/bin/x", "[kernel.kallsyms]", "[vdso]", "//anon", "/tmp/perf-1.map" */
	const uint8_t *build_id;
	size_t build_id_size;     /* bytes; 0: unknown */
	uint32_t pid;             /* whose mount namespace and perf map; 0: none */
};

/* Why an address has no symbol. */
enum binary_state {
	BINARY_OK,
	BINARY_NO_FILE,      /* gone, and not in any cache */
	BINARY_MISMATCH,     /* the file at its path has another build id */
	BINARY_UNREADABLE,   /* no permission, or not ELF */
	BINARY_NO_SYMBOLS,   /* stripped, and no debug file was found */
	BINARY_RESTRICTED,   /* kernel addresses hidden by kptr_restrict, or of another boot */
	BINARY_ANONYMOUS,    /* no file and no perf map */
};
const char *binary_state_text(enum binary_state state); /* "stripped; no debug file found" */

/* The build id of an ELF file, or of a /sys/kernel/notes-like note file. size: out, 0 when it has none. */
must_use struct error *build_id_of_file(const char *path, uint8_t build_id[20], size_t *size);

#endif
