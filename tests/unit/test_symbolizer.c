#include "symbol/symbolizer.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "symbol/kallsyms.h"
#include "symbol/kallsyms_lookup.h"
#include "symbol/symbol_table.h"
#include "unit/test.h"

static const struct symbolizer_setup plain = { .cache = "/nonexistent", .demangle = true };

/* The mapping of this process that holds address: its path, and the file offset of address. */
static void find_mapping(const void *address, char path[512], uint64_t *offset)
{
	auto_fclose FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024];
	unsigned long start, end, begin;

	while (fgets(line, sizeof(line), maps)) {
		path[0] = '\0';
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %511s", &start, &end, &begin, path) < 3)
			continue;
		if ((unsigned long)address - start >= end - start)
			continue;
		*offset = (unsigned long)address - start + begin;
		return;
	}
	fail_msg("address %p is not mapped", address);
}

static struct binary *own_binary(struct symbolizer *symbolizer, const void *address, uint64_t *elf_address)
{
	char path[512];
	uint64_t offset = 0;
	struct binary *binary;

	find_mapping(address, path, &offset);
	binary = symbolizer_binary(symbolizer, &(struct binary_name){ .path = path });
	assert_true(binary_address(binary, offset, elf_address));
	return binary;
}

void test_symbolizer__finds_a_function_of_this_program(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	const struct function *function;
	struct binary *binary;
	uint64_t address;

	assert_success(symbolizer_create(&plain, &symbolizer));
	binary = own_binary(symbolizer, (const char *)test_symbolizer__finds_a_function_of_this_program + 1, &address);
	assert_int_equal(binary_state(binary), BINARY_OK);
	function = binary_function(binary, address);
	assert_non_null(function);
	assert_string_equal(function->name, "test_symbolizer__finds_a_function_of_this_program");
	assert_int_equal(function->start + 1, address);
	assert_ptr_equal(binary_function(binary, address + 1), function);
}

void test_symbolizer__another_build_id_is_never_resolved(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	static const uint8_t other[20] = { 1, 2, 3 };
	struct binary_name name = { .path = "/proc/self/exe", .build_id = other, .build_id_size = 20 };
	struct binary *binary;

	assert_success(symbolizer_create(&plain, &symbolizer));
	binary = symbolizer_binary(symbolizer, &name);
	assert_int_equal(binary_state(binary), BINARY_MISMATCH);
	assert_null(binary_function(binary, 0x1000));
	assert_ptr_equal(symbolizer_binary(symbolizer, &name), binary);
}

void test_symbolizer__says_why_there_are_no_symbols(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	static const struct { const char *path; enum binary_state state; } cases[] = {
		{ "/nonexistent/program", BINARY_NO_FILE },
		{ "/etc/passwd", BINARY_UNREADABLE },
		{ "/tmp", BINARY_UNREADABLE },
		{ "//anon", BINARY_ANONYMOUS },
		{ "[kernel.kallsyms]_text", BINARY_NO_FILE },
	};

	assert_success(symbolizer_create(&plain, &symbolizer));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct binary_name name = { .path = cases[i].path };

		assert_int_equal(binary_state(symbolizer_binary(symbolizer, &name)), cases[i].state);
	}
}

void test_symbolizer__a_perf_map_names_code_made_at_run_time(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	auto_free char *path = memory_format("/tmp/perf-%d.map", (int)getpid());
	auto_fclose FILE *map = fopen(path, "w");
	struct binary_name name = { .path = "//anon", .pid = (uint32_t)getpid() };
	struct binary *binary;

	fputs("1000 10 first one\nnonsense\n0x2000 20 old\n2000 20 new\n", map);
	fflush(map);
	assert_success(symbolizer_create(&plain, &symbolizer));
	binary = symbolizer_binary(symbolizer, &name);
	assert_true(binary_is_absolute(binary));
	assert_string_equal(binary_function(binary, 0x100f)->name, "first one");
	assert_null(binary_function(binary, 0x1010));
	assert_string_equal(binary_function(binary, 0x2000)->name, "new");
	unlink(path);
}

void test_symbolizer__resolves_its_own_vdso(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	const struct function *const *functions;
	struct binary *binary;

	assert_success(symbolizer_create(&plain, &symbolizer));
	binary = symbolizer_binary(symbolizer, &(struct binary_name){ .path = "[vdso]" });
	assert_int_equal(binary_state(binary), BINARY_OK);
	assert_true(binary_functions(binary, &functions) > 0);
}

void test_kallsyms__reads_the_kernels_and_a_modules_functions(void **state)
{
	(void)state;
	char text[] = "ffffffff81000000 t aaa_alias\nffffffff81000000 T _text\nffffffff81000100 t b\n"
		      "ffffffff81000180 d data\nffffffffc0000000 t m1\t[mod]\nffffffffc0000010 t m2\t[mod]\n"
		      "ffffffffc0001000 t prog\t[bpf]\n";
	char copy[sizeof(text)];
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(symbol_table_guard) struct symbol_table *kernel = symbol_table_create(arena, false);
	cleanup(symbol_table_guard) struct symbol_table *module = symbol_table_create(arena, false);
	bool hidden;

	memcpy(copy, text, sizeof(text));
	assert_int_equal(kallsyms_add(kernel, text, sizeof(text) - 1,
				      &(struct kallsyms_selection){ .reference = { "_text", 0xffffffff91000000 } }, &hidden), 3);
	assert_string_equal(symbol_table_find(kernel, 0xffffffff910000ff)->name, "_text");
	assert_string_equal(symbol_table_find(kernel, 0xffffffff91000fff)->name, "b");
	assert_null(symbol_table_find(kernel, 0xffffffff91001000));
	assert_null(symbol_table_find(kernel, 0xffffffff81000000));
	assert_int_equal(kallsyms_add(module, copy, sizeof(copy) - 1,
				      &(struct kallsyms_selection){ .module = "mod", .load_address = 0xffffffffc0000000 }, &hidden), 2);
	assert_string_equal(symbol_table_find(module, 0x11)->name, "m2");
	assert_false(hidden);
}

static void write_text(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	fclose(file);
}

/* path's text twice: searched, and parsed as a whole. Returns how many functions were found in both. */
static size_t compare_lookup(const char *path, uint64_t text_reference)
{
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(symbol_table_guard) struct symbol_table *table = symbol_table_create(arena, true);
	cleanup(kallsyms_lookup_guard) struct kallsyms_lookup *lookup =
		kallsyms_lookup_open(path, &(struct kernel_reference){ "_text", text_reference }, arena, true);
	struct kallsyms_selection selection = { .reference = { "_text", text_reference } };
	const struct function *const *all;
	auto_free char *text = NULL;
	size_t size, same = 0;
	bool hidden;

	assert_success(file_read(path, &text, &size));
	kallsyms_add(table, text, size, &selection, &hidden);
	for (size_t i = 0, count = symbol_table_functions(table, &all); lookup && i < count; i++) {
		const struct function *first = kallsyms_lookup_find(lookup, all[i]->start);
		const struct function *last = kallsyms_lookup_find(lookup, all[i]->end - 1);

		if (!first)
			continue;
		assert_ptr_equal(first, last);
		assert_string_equal(first->name, all[i]->name);
		assert_string_equal(first->shown, all[i]->shown);
		assert_true(first->start == all[i]->start && first->end == all[i]->end);
		assert_true(kallsyms_lookup_find(lookup, all[i]->end) != first);
		same++;
	}
	return same;
}

void test_kallsyms__searched_text_answers_as_parsed_text(void **state)
{
	(void)state;
	static const char made[] = "0000000000000000 A percpu\nffffffff81000000 T _text\nffffffff81000000 t _text_alias\n"
				   "ffffffff81000100 t __b\nffffffff81000100 t b\nffffffff81000180 d data\n"
				   "ffffffff81000200 W weak\nffffffff81000200 T __x64_last\nffffffff91000000 t far\n"
				   "ffffffff91000010 T last\nffffffffc0000000 t m1\t[mod]\n";
	auto_free char *path = memory_format("/tmp/test_kallsyms.%d", (int)getpid());
	auto_free char *text = NULL;
	size_t size;

	write_text(path, made, sizeof(made) - 1);
	assert_int_equal(compare_lookup(path, 0), 4);
	assert_int_equal(compare_lookup(path, 0xffffffff82000000), 4);
	assert_success(file_read("/proc/kallsyms", &text, &size));
	write_text(path, text, size);
	assert_true(compare_lookup(path, 0) > 10000 || text_starts_with(text, "0000000000000000 T _text"));
	write_text(path, "ffffffff81000100 T b\nffffffff81000000 T a\nffffffff82000000 T c\n", 63);
	assert_int_equal(compare_lookup(path, 0), 0);
	unlink(path);
}

void test_kallsyms__tells_hidden_addresses(void **state)
{
	(void)state;
	char text[] = "0000000000000000 T _text\n0000000000000000 t b\n";
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(symbol_table_guard) struct symbol_table *table = symbol_table_create(arena, false);
	bool hidden;

	assert_int_equal(kallsyms_add(table, text, sizeof(text) - 1, &(struct kallsyms_selection){ 0 }, &hidden), 0);
	assert_true(hidden);
}

void test_symbol_table__aliases_nested_and_sizeless_symbols(void **state)
{
	(void)state;
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(symbol_table_guard) struct symbol_table *table = symbol_table_create(arena, true);

	symbol_table_add(table, "outer", 0x100, 0x200, SYMBOL_GLOBAL);
	symbol_table_add(table, "inner", 0x140, 0x150, SYMBOL_GLOBAL);
	symbol_table_add(table, "__alias", 0x100, 0x200, SYMBOL_GLOBAL);
	symbol_table_add(table, "route", 0x100, 0x200, SYMBOL_GLOBAL);
	symbol_table_add(table, "label", 0x300, 0, SYMBOL_LABEL);
	symbol_table_add(table, "_ZN1a1bEi.cold", 0x310, 0x320, SYMBOL_LOCAL);
	assert_string_equal(symbol_table_find(table, 0x100)->name, "outer");
	assert_string_equal(symbol_table_find(table, 0x145)->name, "inner");
	assert_string_equal(symbol_table_find(table, 0x1ff)->name, "outer");
	assert_null(symbol_table_find(table, 0x200));
	assert_string_equal(symbol_table_find(table, 0x30f)->name, "label");
	assert_string_equal(symbol_table_find(table, 0x310)->shown, "a::b [clone .cold]");
}

void test_build_id__is_that_of_readelf(void **state)
{
	(void)state;
	uint8_t build_id[20], parsed[20];
	char text[BUILD_ID_TEXT_MAX], command[64], line[256], *at;
	size_t size, parsed_size;
	FILE *readelf;

	assert_success(build_id_of_file("/bin/sh", build_id, &size));
	build_id_format(build_id, size, text);
	assert_true(build_id_parse(text, parsed, &parsed_size));
	assert_true(build_id_equal(parsed, parsed_size, build_id, size));
	snprintf(command, sizeof(command), "readelf -n /bin/sh 2>/dev/null");
	readelf = popen(command, "r");
	while (fgets(line, sizeof(line), readelf))
		if ((at = strstr(line, "Build ID: ")))
			assert_memory_equal(at + 10, text, strlen(text));
	pclose(readelf);
}

void test_build_id__short_ids_equal_padded_ones(void **state)
{
	(void)state;
	static const uint8_t id[20] = { 1, 2, 3, 4 }, other[4] = { 1, 2, 3, 5 };

	assert_true(build_id_equal(id, 4, id, 20));
	assert_false(build_id_equal(id, 4, other, 4));
	assert_false(build_id_equal(id, 0, id, 0));
}
