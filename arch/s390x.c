#include "arch/arch.h"

#include <elf.h>

/* Source: perf bits from asm/perf_regs.h of Linux's s390; DWARF numbers from the s390x ELF ABI supplement. */
static const struct arch_register registers[] = {
	{ "r0", 0, 0 }, { "r1", 1, 1 }, { "r2", 2, 2 }, { "r3", 3, 3 }, { "r4", 4, 4 }, { "r5", 5, 5 },
	{ "r6", 6, 6 }, { "r7", 7, 7 }, { "r8", 8, 8 }, { "r9", 9, 9 }, { "r10", 10, 10 },
	{ "r11", 11, 11 }, { "r12", 12, 12 }, { "r13", 13, 13 }, { "r14", 14, 14 }, { "r15", 15, 15 },
	{ "f0", 16, 16 }, { "f1", 17, 20 }, { "f2", 18, 17 }, { "f3", 19, 21 }, { "f4", 20, 18 },
	{ "f5", 21, 22 }, { "f6", 22, 19 }, { "f7", 23, 23 }, { "f8", 24, 24 }, { "f9", 25, 28 },
	{ "f10", 26, 25 }, { "f11", 27, 29 }, { "f12", 28, 26 }, { "f13", 29, 30 }, { "f14", 30, 27 },
	{ "f15", 31, 31 }, { "mask", 32, 64 }, { "pc", 33, 65 },
};

const struct arch arch_s390x = {
	.name = "s390x",
	.elf_machine = EM_S390,
	.pointer_size = 8,
	.registers = registers,
	.register_count = sizeof(registers) / sizeof(registers[0]),
	.pc_bit = 33,
	.sp_bit = 15,
	.fp_bit = 11,
	.default_events = "task-clock,context-switches,page-faults,cycles,instructions",
};
