#include "arch/arch.h"

#include <elf.h>

/* Source: perf bits from asm/perf_regs.h of Linux's x86; DWARF numbers from the System V i386 psABI, figure 2.14. */
static const struct arch_register registers[] = {
	{ "eax", 0, 0 }, { "ebx", 1, 3 }, { "ecx", 2, 1 }, { "edx", 3, 2 }, { "esi", 4, 6 },
	{ "edi", 5, 7 }, { "ebp", 6, 5 }, { "esp", 7, 4 }, { "eip", 8, 8 },
};

const struct arch arch_i386 = {
	.name = "i686",
	.name_pattern = "i[3456]86",
	.elf_machine = EM_386,
	.pointer_size = 4,
	.registers = registers,
	.register_count = sizeof(registers) / sizeof(registers[0]),
	.pc_bit = 8,
	.sp_bit = 7,
	.fp_bit = 6,
	.default_events = "task-clock,context-switches,page-faults,cycles,instructions,branches,branch-misses",
};
