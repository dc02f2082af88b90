/* Any bytes as an ELF file: its build id, symbols, lines, inlined functions and code; and as kallsyms and a perf map. */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "symbol/disassembly.h"
#include "symbol/kallsyms.h"
#include "symbol/kallsyms_lookup.h"
#include "symbol/perf_map.h"
#include "symbol/symbol_table.h"
#include "symbol/symbolizer.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { FUNCTIONS_MAX = 64, CODE_MAX = 256 };

static void ask(struct binary *binary, const struct function *function)
{
	const struct frame *frames;
	struct disassembly *disassembly;
	uint64_t end = function->end - function->start > CODE_MAX ? function->start + CODE_MAX : function->end;
	struct error *err;

	binary_frames(binary, function->start, &frames);
	binary_frames(binary, function->end - 1, &frames);
	err = disassembly_create(binary, function->start, end, &(struct disassembly_setup){ 0 }, &disassembly);
	if (err)
		error_destroy(err);
	else
		disassembly_destroy(disassembly);
}

static void as_elf(const char *path)
{
	static const struct symbolizer_setup setup = { .cache = "/nonexistent", .demangle = true, .inlines = true,
						       .lines = true };
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	const struct function *const *functions;
	uint64_t address = 0;
	struct error *err = symbolizer_create(&setup, &symbolizer);

	error_destroy(err);

	struct binary *binary = symbolizer_binary(symbolizer, &(struct binary_name){ .path = path });
	size_t count = binary_functions(binary, &functions);

	for (size_t i = 0; i < count && i < FUNCTIONS_MAX; i++)
		ask(binary, functions[i]);
	for (uint64_t offset = 0; offset < 0x10000; offset += 0x401)
		if (binary_address(binary, offset, &address))
			binary_function(binary, address);
}

static void as_searched_kallsyms(const char *path)
{
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(kallsyms_lookup_guard) struct kallsyms_lookup *lookup = kallsyms_lookup_open(path, &(struct kernel_reference){ "_text", 4096 }, arena, true);

	for (uint64_t address = 0; lookup && address < UINT64_MAX - (UINT64_MAX >> 7); address += UINT64_MAX >> 7)
		kallsyms_lookup_find(lookup, address);
	for (uint64_t address = 0xffffffff81000000; lookup && address < 0xffffffff81000800; address += 64)
		kallsyms_lookup_find(lookup, address);
}

static void as_text(const uint8_t *bytes, size_t size)
{
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(symbol_table_guard) struct symbol_table *kernel = symbol_table_create(arena, true);
	cleanup(symbol_table_guard) struct symbol_table *map = symbol_table_create(arena, true);
	auto_free char *first = memory_strndup((const char *)bytes, size);
	auto_free char *second = memory_strdup(first);
	const struct function *const *functions;
	bool hidden;

	kallsyms_add(kernel, first, strlen(first), &(struct kallsyms_selection){ .reference = { "_text", 4096 } }, &hidden);
	symbol_table_functions(kernel, &functions);
	perf_map_add(map, second, strlen(second));
	symbol_table_find(map, 4096);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	auto_free char *path = memory_format("/proc/self/fd/%d", fd);

	if (fd >= 0 && write(fd, bytes, size) == (ssize_t)size) {
		as_elf(path);
		as_searched_kallsyms(path);
	}
	close(fd);
	as_text(bytes, size);
	return 0;
}
