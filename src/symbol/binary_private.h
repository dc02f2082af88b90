/* What the files behind symbolizer.h share: one binary, and how each kind is loaded. */
#ifndef SYMBOL_BINARY_PRIVATE_H
#define SYMBOL_BINARY_PRIVATE_H

#include "base/intern.h"
#include "base/memory.h"
#include "symbol/build_id_cache.h"
#include "symbol/symbolizer.h"

struct debug_info;
struct elf_image;
struct kallsyms_lookup;
struct symbol_table;

enum binary_kind { BINARY_FILE, BINARY_KERNEL, BINARY_MODULE, BINARY_VDSO, BINARY_ANONYMOUS_CODE, BINARY_NOTHING };

/* What could not be loaded yet is loaded when first asked for. */
struct binary {
	struct symbolizer *symbolizer;
	enum binary_kind kind;
	const char *path;           /* as recorded, without " (deleted)" */
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_size;
	uint32_t pid;
	struct kernel_reference reference;
	uint64_t recorded_ns;
	uint64_t hash;

	bool has_runtime, has_symbols, has_plt, has_debug_info, has_all_kallsyms; /* looked for already */
	enum binary_state state;
	char *file;                 /* in use, or NULL */
	struct elf_image *runtime;  /* what was mapped, or NULL */
	struct elf_image *debug;    /* separate file with symbols; NULL: runtime has them, or nobody */
	struct elf_image *dwarf;    /* separate file with DWARF, when debug has none */
	struct elf_image *embedded; /* .gnu_debugdata */
	uint64_t debug_bias;        /* runtime address - address in the file with symbols (prelink, KASLR) */
	char *text;                 /* kallsyms or perf map that names are borrowed from */
	struct symbol_table *table;
	struct kallsyms_lookup *kallsyms; /* the kernel's, while only some functions were asked for; NULL: table has all */
	struct debug_info *debug_info;
};

struct symbolizer {
	struct symbolizer_setup setup;
	char *symfs, *vmlinux, *kallsyms;
	int64_t download_deadline_ns;
	struct arena *arena;
	struct intern *strings;
	struct build_id_cache *cache;  /* or NULL */
	struct binary **binaries;      /* open addressing by hash */
	size_t count, capacity;        /* capacity: a power of two */
	uint8_t kernel_build_id[BUILD_ID_MAX]; /* of the running kernel */
	size_t kernel_build_id_size;
	bool has_kernel_build_id;      /* looked for already */
};

/* Find the file that was mapped; sets state, runtime, file. */
void binary_load_runtime(struct binary *binary);
/* Fill table; sets state. */
void binary_load_symbols(struct binary *binary);
/* The file with DWARF, moved by *bias against the binary's addresses; NULL when there is none. */
struct elf_image *binary_debug_image(struct binary *binary, uint64_t *bias);

/* The kernel's and a module's way of both. */
void binary_load_kernel(struct binary *binary);
/* Put into the table what the kernel's kallsyms was only searched for. */
void binary_load_all_kallsyms(struct binary *binary);
void binary_load_module(struct binary *binary);
/* Find a file with the kernel's DWARF when its symbols came from kallsyms: sets debug and debug_bias. */
void binary_find_vmlinux(struct binary *binary);
/* The build id of the running kernel; 0 bytes when it cannot be read. Borrowed. */
const uint8_t *symbolizer_kernel_build_id(struct symbolizer *symbolizer, size_t *size);
/* This process's own vdso; NULL when it has none. The caller destroys it. */
struct elf_image *vdso_image(void);

#endif
