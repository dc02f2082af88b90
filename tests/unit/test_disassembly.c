#include "symbol/disassembly.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "symbol/code_hash.h"
#include "unit/test.h"

static const struct symbolizer_setup plain = { .cache = "/nonexistent" };

static const struct function *function_named(struct binary *binary, const char *name)
{
	const struct function *const *functions;
	size_t count = binary_functions(binary, &functions);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(functions[i]->name, name))
			return functions[i];
	fail_msg("no function %s", name);
	return NULL;
}

/* Runs of blanks as one; nothing at the end. */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (!isspace((unsigned char)*from))
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	while (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* objdump names data too. */
static void drop_data_symbol(char *theirs, const char *ours)
{
	char *symbol = strstr(theirs, " <");

	if (symbol && !strchr(ours, '<'))
		*symbol = '\0';
}

static size_t same_lines(const struct disassembly *disassembly, FILE *objdump)
{
	char line[2048];
	size_t same = 0;

	while (fgets(line, sizeof(line), objdump)) {
		char *colon = strchr(line, ':');
		const struct instruction *instruction;

		if (line[0] != ' ' || !colon)
			continue;
		instruction = disassembly_find(disassembly, strtoull(line, NULL, 16));
		assert_non_null(instruction);

		auto_free char *ours = memory_strdup(instruction->text);

		squeeze(ours);
		squeeze(colon + 1);
		drop_data_symbol(colon, ours);
		assert_string_equal(ours, colon + 1 + strspn(colon + 1, " "));
		same++;
	}
	return same;
}

/* Same symbols, same syntax: the very text of objdump. */
void test_disassembly__is_that_of_objdump(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	cleanup(disassembly_guard) struct disassembly *disassembly = NULL;
	char path[512] = "";
	const struct instruction *instructions;
	const struct function *function;
	struct binary *binary;
	FILE *objdump;

	if (system("command -v objdump >/dev/null"))
		skip();
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_success(symbolizer_create(&plain, &symbolizer));
	binary = symbolizer_binary(symbolizer, &(struct binary_name){ .path = path });
	function = function_named(binary, "test_disassembly__is_that_of_objdump");
	assert_success(disassembly_create(binary, function->start, function->end, &(struct disassembly_setup){ 0 },
					  &disassembly));

	auto_free char *command = memory_format("objdump -d --no-show-raw-insn --start-address=%lu --stop-address=%lu %s",
						(unsigned long)function->start, (unsigned long)function->end, path);

	objdump = popen(command, "r");
	assert_int_equal(same_lines(disassembly, objdump), disassembly_instructions(disassembly, &instructions));
	pclose(objdump);
}

static const char source[] =
	"int table[64]; extern int puts(const char *);\n"
	"#ifdef PAD\n"
	"char more[5000] = { 1 }; int pad(int x) { for (int i = 0; i < x; i++) more[i] += x * table[i & 63];"
	" return more[x]; }\n"
	"#endif\n"
	"#ifndef ADD\n#define ADD 3\n#endif\n"
	"__attribute__((noinline)) static int helper(int x) { return puts(x > 3 ? \"large\" : \"small\"); }\n"
	"int f(int x) { int sum = ADD; for (int i = 0; i < x; i++) { sum += table[i & 63]; if (sum & 8) helper(sum); }"
	" return sum; }\n"
	"int main(int argc, char **argv) { (void)argv; return f(argc); }\n";

static struct code_hash hash_built_with(const char *flags)
{
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	char directory[] = "/tmp/perfmini-test-XXXXXX";
	struct code_hash hash;
	struct binary *binary;

	assert_non_null(mkdtemp(directory));

	auto_free char *path = memory_format("%s/a", directory);
	auto_free char *command = memory_format("cc -O2 %s -xc -o %s -", flags, path);
	FILE *compiler = popen(command, "w");

	fputs(source, compiler);
	assert_int_equal(pclose(compiler), 0);
	assert_success(symbolizer_create(&plain, &symbolizer));
	binary = symbolizer_binary(symbolizer, &(struct binary_name){ .path = path });
	assert_success(code_hash_of(binary, function_named(binary, "f"), &hash));
	unlink(path);
	rmdir(directory);
	return hash;
}

void test_code_hash__the_same_code_elsewhere_is_equal(void **state)
{
	(void)state;
	static const char *const kinds[] = { "", "-no-pie" };

	if (system("command -v cc >/dev/null"))
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		auto_free char *padded = memory_format("-DPAD %s", kinds[i]);
		auto_free char *changed = memory_format("-DADD=4 %s", kinds[i]);
		struct code_hash a = hash_built_with(kinds[i]), b = hash_built_with(padded), c = hash_built_with(changed);

		assert_true(a.masked == b.masked);
		assert_true(a.exact != b.exact);
		assert_true(a.masked != c.masked);
		assert_int_equal(a.instructions, b.instructions);
	}
}

void test_disassembly__what_no_file_holds_is_not_found(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	struct disassembly *disassembly;

	assert_success(symbolizer_create(&plain, &symbolizer));

	struct binary *binary = symbolizer_binary(symbolizer, &(struct binary_name){ .path = "/nonexistent" });

	assert_failure(disassembly_create(binary, 0x1000, 0x2000, &(struct disassembly_setup){ 0 }, &disassembly),
		       ERROR_NOT_FOUND, "no machine code at 0x1000-0x2000");
}
