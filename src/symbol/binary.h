/* Finding the file behind a binary's name and build id, and what it holds. */
#ifndef SYMBOL_BINARY_H
#define SYMBOL_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The symbol by which a recording says where its kernel lay ("_text", on arm64 "_stext"), and its address then;
 * address 0: unknown. symbol is borrowed. */
struct kernel_reference {
	const char *symbol;
	uint64_t address;
};

/* A binary as a profile names it. path is a hint; build_id, when there is one, decides. */
struct binary_name {
	const char *path;         /* "/usr/bin/x", "[kernel.kallsyms]", "[vdso]", "//anon", "/tmp/perf-1.map" */
	const uint8_t *build_id;
	size_t build_id_size;     /* bytes; 0: unknown */
	uint32_t pid;             /* whose mount namespace and perf map; 0: none */
	uint64_t recorded_ns;     /* end of the recording, CLOCK_REALTIME: a file without build id that was written later
				   * is another one; 0: unknown */
	struct kernel_reference reference; /* of the kernel (name and pgoff of its MMAP) */
};

/* Why an address has no symbol. */
enum binary_state {
	BINARY_OK,
	BINARY_NO_FILE,      /* gone, and not in any cache */
	BINARY_MISMATCH,     /* the file at its path has another build id */
	BINARY_CHANGED,      /* no build id, and the file was written after the recording */
	BINARY_UNREADABLE,   /* no permission, or not ELF */
	BINARY_NO_SYMBOLS,   /* stripped, and no debug file was found; exported functions may still resolve */
	BINARY_RESTRICTED,   /* kernel addresses hidden by kptr_restrict, or of another boot */
	BINARY_ANONYMOUS,    /* no file and no perf map */
};
const char *binary_state_text(enum binary_state state); /* "stripped; no debug file found" */

/* The build id of an ELF file, or of a note file (/sys/kernel/notes, /sys/module/X/notes/.note.gnu.build-id).
 * size: out, 0 when it has none. Errors: ERROR_NOT_FOUND, ERROR_OS, ERROR_PERMISSION, ERROR_FORMAT (neither). */
must_use struct error *build_id_of_file(const char *path, uint8_t build_id[20], size_t *size);

enum { BUILD_ID_MAX = 20, BUILD_ID_TEXT_MAX = 2 * BUILD_ID_MAX + 1 };

/* Lower-case hexadecimal, NUL-terminated. */
void build_id_format(const uint8_t *build_id, size_t size, char text[BUILD_ID_TEXT_MAX]);
/* False unless text is 1 to 20 bytes in hexadecimal and nothing else. */
bool build_id_parse(const char *text, uint8_t build_id[BUILD_ID_MAX], size_t *size);
/* Equal, zeros at the end of the longer one left out: recordings pad ids to 20 bytes. */
bool build_id_equal(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size);
/* The build id among the notes at bytes; false when there is none. swapped: the other byte order. */
bool build_id_in_notes(const void *bytes, size_t size, bool swapped, uint8_t build_id[BUILD_ID_MAX], size_t *id_size);

#endif
