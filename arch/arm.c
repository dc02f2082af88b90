#include "arch/arch.h"

#include <elf.h>

/* Source: perf bits from asm/perf_regs.h of Linux's arm; DWARF numbers from the Arm ABI's DWARF: both are the
 * register's own. */
static const struct arch_register registers[] = {
	{ "r0", 0, 0 }, { "r1", 1, 1 }, { "r2", 2, 2 }, { "r3", 3, 3 }, { "r4", 4, 4 }, { "r5", 5, 5 },
	{ "r6", 6, 6 }, { "r7", 7, 7 }, { "r8", 8, 8 }, { "r9", 9, 9 }, { "r10", 10, 10 },
	{ "fp", 11, 11 }, { "ip", 12, 12 }, { "sp", 13, 13 }, { "lr", 14, 14 }, { "pc", 15, 15 },
};

const struct arch arch_arm = {
	.name = "arm",
	.name_pattern = "armv*",
	.elf_machine = EM_ARM,
	.pointer_size = 4,
	.registers = registers,
	.register_count = sizeof(registers) / sizeof(registers[0]),
	.pc_bit = 15,
	.sp_bit = 13,
	.fp_bit = 11,
	.default_events = "task-clock,context-switches,page-faults,cycles,instructions,branches,branch-misses",
};
