/* Disassembly by libopcodes. */
#include "symbol/disassembly.h"

/* bfd.h demands a package to be named before it is included. */
#define PACKAGE "perfmini"
#include <dis-asm.h>
#undef ARRAY_SIZE
#include <elf.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

struct disassembly {
	struct binary *binary;
	struct disassembly_setup setup;
	struct arena *arena;
	struct instruction *items;
	size_t count, capacity;
	/* the instruction at hand */
	struct text text;
	bool has_target;
	uint64_t target;
};

/* An ELF machine as libopcodes names it, and how its jumps and calls begin. */
struct machine {
	uint16_t elf;
	enum bfd_architecture arch;
	unsigned long mach;
	bool is_big_endian;
	const char *jumps, *calls; /* mnemonics between spaces; "j*" stands for all that begin so */
};

static const struct machine machines[] = {
	{ EM_X86_64, bfd_arch_i386, bfd_mach_x86_64, false, " j* loop* xbegin ", " call* " },
	{ EM_386, bfd_arch_i386, bfd_mach_i386_i386, false, " j* loop* xbegin ", " call* " },
	{ EM_AARCH64, bfd_arch_aarch64, bfd_mach_aarch64, false, " b b.* cbz cbnz tbz tbnz ", " bl " },
	{ EM_ARM, bfd_arch_arm, bfd_mach_arm_unknown, false, " b beq* bne* bcs* bcc* bmi* bpl* bvs* bvc* bhi* bls* "
	  "bge* blt* bgt* ble* b.* cbz cbnz ", " bl blx " },
	{ EM_RISCV, bfd_arch_riscv, bfd_mach_riscv64, false, " j b* c.j c.b* ", " jal " },
	{ EM_S390, bfd_arch_s390, bfd_mach_s390_64, true, " j* cg*j* cl*j* cr*j* brc* brct* ", " brasl bras " },
	{ EM_PPC64, bfd_arch_powerpc, bfd_mach_ppc64, false, " b b*- b*+ beq* bne* blt* bgt* ble* bge* bdnz* ", " bl " },
};

static const struct machine *machine_of(uint16_t elf)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].elf == elf)
			return &machines[i];
	return NULL;
}

static bool is_among(const char *mnemonic, size_t length, const char *words)
{
	for (const char *word = words + strspn(words, " "); *word; word += strspn(word, " ")) {
		size_t size = strcspn(word, " ");
		bool is_start = word[size - 1] == '*';

		if (is_start ? length >= size - 1 && !memcmp(mnemonic, word, size - 1)
			     : length == size && !memcmp(mnemonic, word, size))
			return true;
		word += size;
	}
	return false;
}

static enum instruction_kind kind_of(const struct machine *machine, const char *text)
{
	/* "bnd jmp", "notrack jmp", "lock …": the mnemonic follows. */
	static const char *const prefixes[] = { "bnd ", "notrack ", "data16 ", "rex.W " };
	size_t length;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (text_starts_with(text, prefixes[i]))
			text += strlen(prefixes[i]);
	length = strcspn(text, " \t,");
	if (is_among(text, length, machine->calls))
		return INSTRUCTION_CALL;
	return is_among(text, length, machine->jumps) ? INSTRUCTION_JUMP : INSTRUCTION_OTHER;
}

static __attribute__((__format__(__printf__, 2, 3))) int print(void *stream, const char *format, ...)
{
	struct disassembly *disassembly = stream;
	char part[512];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(part, sizeof(part), format, args);
	va_end(args);
	text_append(&disassembly->text, part);
	return length;
}

static __attribute__((__format__(__printf__, 3, 4))) int print_styled(void *stream,
								       enum disassembler_style style unused,
								       const char *format, ...)
{
	struct disassembly *disassembly = stream;
	char part[512];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(part, sizeof(part), format, args);
	va_end(args);
	text_append(&disassembly->text, part);
	return length;
}

static void print_address(bfd_vma address, struct disassemble_info *info)
{
	struct disassembly *disassembly = info->stream;
	const struct function *function;

	disassembly->has_target = true;
	disassembly->target = address;
	if (disassembly->setup.without_symbols) {
		text_append(&disassembly->text, "@");
		return;
	}
	text_format(&disassembly->text, "%llx", (unsigned long long)address);
	function = binary_function(disassembly->binary, address);
	if (!function)
		return;
	text_format(&disassembly->text, " <%s", function->shown);
	if (address != function->start)
		text_format(&disassembly->text, "+0x%llx", (unsigned long long)(address - function->start));
	text_append(&disassembly->text, ">");
}

/* Running off the end of the range: libopcodes then prints what it has. */
static void on_memory_error(int status unused, bfd_vma address unused, struct disassemble_info *info unused)
{
}

static void add_instruction(struct disassembly *disassembly, const struct machine *machine, uint64_t address,
			    const uint8_t *bytes, size_t size)
{
	struct instruction *instruction;
	const char *text = disassembly->text.bytes ? disassembly->text.bytes : "(bad)";
	size_t length = strlen(text);

	while (length && strchr(" \t", text[length - 1]))
		length--;
	array_grow(&disassembly->items, disassembly->count, &disassembly->capacity);
	instruction = &disassembly->items[disassembly->count++];
	*instruction = (struct instruction){ .address = address, .bytes = bytes, .size = size,
					     .has_target = disassembly->has_target, .target = disassembly->target };
	char *copy = arena_alloc(disassembly->arena, length + 1);

	memcpy(copy, text, length);
	instruction->text = copy;
	instruction->kind = kind_of(machine, copy);
}

static void disassemble(struct disassembly *disassembly, const struct machine *machine, disassembler_ftype decode,
			struct disassemble_info *info)
{
	uint64_t at = info->buffer_vma, end = at + info->buffer_length;

	while (at < end) {
		const uint8_t *bytes = info->buffer + (at - info->buffer_vma);
		int size;

		text_clear(&disassembly->text);
		disassembly->has_target = false;
		disassembly->target = 0;
		size = decode(at, info);
		if (size <= 0 || (uint64_t)size > end - at) {
			text_clear(&disassembly->text);
			text_format(&disassembly->text, ".byte 0x%02x", *bytes);
			disassembly->has_target = false;
			size = 1;
		}
		add_instruction(disassembly, machine, at, bytes, (size_t)size);
		at += (uint64_t)size;
	}
}

static void set_up(struct disassemble_info *info, struct disassembly *disassembly, const struct machine *machine)
{
	init_disassemble_info(info, disassembly, print, print_styled);
	info->arch = machine->arch;
	info->mach = machine->mach;
	info->endian = info->endian_code = machine->is_big_endian ? BFD_ENDIAN_BIG : BFD_ENDIAN_LITTLE;
	info->print_address_func = print_address;
	info->memory_error_func = on_memory_error;
	info->read_memory_func = buffer_read_memory;
	if (machine->arch == bfd_arch_i386)
		info->disassembler_options = disassembly->setup.intel ? "intel" : "att";
	disassemble_init_for_target(info);
}

static struct error *run(struct disassembly *disassembly, uint64_t start, uint64_t end)
{
	uint16_t elf = binary_elf_machine(disassembly->binary);
	const uint8_t *bytes = binary_code(disassembly->binary, start, end);
	const struct machine *machine = machine_of(elf);
	disassembler_ftype decode;
	struct disassemble_info info;

	if (!bytes)
		return error_new(ERROR_NOT_FOUND, "no machine code at 0x%llx-0x%llx in %s", (unsigned long long)start,
				 (unsigned long long)end,
				 binary_file(disassembly->binary) ? binary_file(disassembly->binary) : "the missing file");
	decode = machine ? disassembler(machine->arch, machine->is_big_endian, machine->mach, NULL) : NULL;
	if (!decode)
		return error_hint(error_new(ERROR_UNSUPPORTED, "this libopcodes disassembles no code of ELF machine %u", elf),
				  "install the package binutils-multiarch");
	set_up(&info, disassembly, machine);
	info.buffer = (bfd_byte *)bytes;
	info.buffer_vma = start;
	info.buffer_length = end - start;
	disassemble(disassembly, machine, decode, &info);
	disassemble_free_target(&info);
	return NULL;
}

struct error *disassembly_create(struct binary *binary, uint64_t start, uint64_t end,
				 const struct disassembly_setup *setup, struct disassembly **ret)
{
	cleanup(disassembly_guard) struct disassembly *disassembly = memory_zeroed(1, sizeof(*disassembly));
	struct error *err;

	disassembly->binary = binary;
	disassembly->setup = *setup;
	disassembly->arena = arena_create();
	err = run(disassembly, start, end);
	if (!err)
		*ret = take(disassembly);
	return err;
}

size_t disassembly_instructions(const struct disassembly *disassembly, const struct instruction **ret)
{
	*ret = disassembly->items;
	return disassembly->count;
}

const struct instruction *disassembly_find(const struct disassembly *disassembly, uint64_t address)
{
	size_t low = 0, high = disassembly->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (disassembly->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - disassembly->items[low - 1].address >= disassembly->items[low - 1].size)
		return NULL;
	return &disassembly->items[low - 1];
}

void disassembly_destroy(struct disassembly *disassembly)
{
	if (!disassembly)
		return;
	text_release(&disassembly->text);
	arena_destroy(disassembly->arena);
	free(disassembly->items);
	free(disassembly);
}
