#include "arch/arch.h"

#include <elf.h>

/* Source: perf bits from asm/perf_regs.h of Linux's arm64; DWARF numbers from the AArch64 ABI's DWARF, where
 * x0-x30 are 0-30 and sp is 31; pc has none. */
static const struct arch_register registers[] = {
	{ "x0", 0, 0 }, { "x1", 1, 1 }, { "x2", 2, 2 }, { "x3", 3, 3 }, { "x4", 4, 4 }, { "x5", 5, 5 },
	{ "x6", 6, 6 }, { "x7", 7, 7 }, { "x8", 8, 8 }, { "x9", 9, 9 }, { "x10", 10, 10 },
	{ "x11", 11, 11 }, { "x12", 12, 12 }, { "x13", 13, 13 }, { "x14", 14, 14 }, { "x15", 15, 15 },
	{ "x16", 16, 16 }, { "x17", 17, 17 }, { "x18", 18, 18 }, { "x19", 19, 19 }, { "x20", 20, 20 },
	{ "x21", 21, 21 }, { "x22", 22, 22 }, { "x23", 23, 23 }, { "x24", 24, 24 }, { "x25", 25, 25 },
	{ "x26", 26, 26 }, { "x27", 27, 27 }, { "x28", 28, 28 }, { "x29", 29, 29 }, { "lr", 30, 30 },
	{ "sp", 31, 31 }, { "pc", 32, -1 },
};

const struct arch arch_aarch64 = {
	.name = "aarch64",
	.name_pattern = "aarch64*",
	.elf_machine = EM_AARCH64,
	.pointer_size = 8,
	.registers = registers,
	.register_count = sizeof(registers) / sizeof(registers[0]),
	.pc_bit = 32,
	.sp_bit = 31,
	.fp_bit = 29,
	.default_events = "task-clock,context-switches,page-faults,cycles,instructions,branches,branch-misses",
};
