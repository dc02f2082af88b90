/* Hashing a function's instructions, addresses left out. */
#include "symbol/code_hash.h"

#include <ctype.h>
#include <elf.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "symbol/disassembly.h"

struct hashing {
	struct binary *binary;
	const struct function *function;
	uint16_t machine;
	uint32_t page_registers; /* AArch64: xN that hold the page of an address, by adrp */
	struct text masked;
};

/* The number at text, "0x…" or decimal; its length, 0 when there is none. */
static size_t number_at(const char *text, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return 0;
	*ret = strtoull(text, &end, 0);
	return (size_t)(end - text);
}

/* "0x2fe2(%rip)": the displacement is what the linker filled in. */
static bool is_pc_relative(const char *behind_number)
{
	return text_starts_with(behind_number, "(%rip)") || text_starts_with(behind_number, "(%eip)");
}

/* Copy text with every number that depends on where things lie replaced by "@". */
static void mask_numbers(struct hashing *hashing, const char *text, bool mask_all)
{
	const char *begin = text;

	while (*text) {
		uint64_t number = 0;
		bool is_in_word = text > begin && (isalnum((unsigned char)text[-1]) || text[-1] == '_');
		size_t length = is_in_word ? 0 : number_at(text, &number);

		if (!length) {
			text_append_char(&hashing->masked, *text++);
			continue;
		}
		if (mask_all || is_pc_relative(text + length) || binary_has_fixed_address(hashing->binary, number))
			text_append_char(&hashing->masked, '@');
		else
			text_append_bytes(&hashing->masked, text, length);
		text += length;
	}
}

/* The N of "xN" at text, or -1. */
static int x_register(const char *text)
{
	return text[0] == 'x' && isdigit((unsigned char)text[1]) ? (int)strtoul(text + 1, NULL, 10) & 31 : -1;
}

/* AArch64 builds an address as adrp (page) and add, ldr or str (offset in the page): the linker fills in both. */
static bool completes_address(struct hashing *hashing, const char *text)
{
	const char *operands = text + strcspn(text, "\t ");
	bool uses = false;
	int written = -1;

	operands += strspn(operands, "\t ");
	for (const char *at = operands; *at; at++) {
		int reg = at == operands || strchr("[, ", at[-1]) ? x_register(at) : -1;

		if (reg < 0)
			continue;
		if (at == operands)
			written = reg;
		else
			uses |= hashing->page_registers >> reg & 1;
	}
	if (written >= 0 && text_starts_with(text, "adrp"))
		hashing->page_registers |= 1u << written;
	else if (written >= 0 && !text_starts_with(text, "st"))
		hashing->page_registers &= ~(1u << written);
	return uses && strchr(text, '#');
}

static void mask_instruction(struct hashing *hashing, const struct instruction *instruction)
{
	bool mask_all = hashing->machine == EM_AARCH64 && completes_address(hashing, instruction->text);

	text_clear(&hashing->masked);
	mask_numbers(hashing, instruction->text, mask_all);
}

static uint64_t hash_instruction(struct hashing *hashing, uint64_t hash, const struct instruction *instruction)
{
	const struct function *function = hashing->function;

	mask_instruction(hashing, instruction);
	hash = hash_combine(hash, hash_bytes(hashing->masked.bytes, hashing->masked.length));
	hash = hash_combine(hash, instruction->size);
	if (instruction->has_target && instruction->target - function->start < function->end - function->start)
		hash = hash_combine(hash, instruction->target - function->start);
	return hash;
}

struct error *code_hash_of(struct binary *binary, const struct function *function, struct code_hash *ret)
{
	static const struct disassembly_setup setup = { .without_symbols = true };
	cleanup(disassembly_guard) struct disassembly *disassembly = NULL;
	struct hashing hashing = { .binary = binary, .function = function, .machine = binary_elf_machine(binary) };
	const struct instruction *instructions;
	struct code_hash made = { 0 };
	struct error *err = disassembly_create(binary, function->start, function->end, &setup, &disassembly);

	if (err)
		return err;
	made.bytes = function->end - function->start;
	made.exact = hash_bytes(binary_code(binary, function->start, function->end), made.bytes);
	made.instructions = disassembly_instructions(disassembly, &instructions);
	for (size_t i = 0; i < made.instructions; i++)
		made.masked = hash_instruction(&hashing, made.masked, &instructions[i]);
	text_release(&hashing.masked);
	*ret = made;
	return NULL;
}

struct error *code_masked_texts(struct binary *binary, const struct function *function, struct intern *strings,
				const char ***ret, size_t *count)
{
	static const struct disassembly_setup setup = { .without_symbols = true };
	cleanup(disassembly_guard) struct disassembly *disassembly = NULL;
	struct hashing hashing = { .binary = binary, .function = function, .machine = binary_elf_machine(binary) };
	const struct instruction *instructions;
	struct error *err = disassembly_create(binary, function->start, function->end, &setup, &disassembly);

	if (err)
		return err;
	*count = disassembly_instructions(disassembly, &instructions);
	*ret = memory_zeroed(*count + 1, sizeof(**ret));
	for (size_t i = 0; i < *count; i++) {
		mask_instruction(&hashing, &instructions[i]);
		(*ret)[i] = intern_text(strings, hashing.masked.bytes ? hashing.masked.bytes : "");
	}
	text_release(&hashing.masked);
	return NULL;
}
