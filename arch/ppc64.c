#include "arch/arch.h"

#include <elf.h>

/* Source: perf bits from asm/perf_regs.h of Linux's powerpc; DWARF numbers from the OpenPOWER ELFv2 ABI, table 2.24,
 * where the link register is 65 and the count register 66. */
static const struct arch_register registers[] = {
	{ "r0", 0, 0 }, { "r1", 1, 1 }, { "r2", 2, 2 }, { "r3", 3, 3 }, { "r4", 4, 4 }, { "r5", 5, 5 },
	{ "r6", 6, 6 }, { "r7", 7, 7 }, { "r8", 8, 8 }, { "r9", 9, 9 }, { "r10", 10, 10 },
	{ "r11", 11, 11 }, { "r12", 12, 12 }, { "r13", 13, 13 }, { "r14", 14, 14 }, { "r15", 15, 15 },
	{ "r16", 16, 16 }, { "r17", 17, 17 }, { "r18", 18, 18 }, { "r19", 19, 19 }, { "r20", 20, 20 },
	{ "r21", 21, 21 }, { "r22", 22, 22 }, { "r23", 23, 23 }, { "r24", 24, 24 }, { "r25", 25, 25 },
	{ "r26", 26, 26 }, { "r27", 27, 27 }, { "r28", 28, 28 }, { "r29", 29, 29 }, { "r30", 30, 30 },
	{ "r31", 31, 31 }, { "nip", 32, -1 }, { "ctr", 35, 66 }, { "link", 36, 65 },
};

const struct arch arch_ppc64 = {
	.name = "ppc64le",
	.name_pattern = "ppc64*",
	.elf_machine = EM_PPC64,
	.pointer_size = 8,
	.registers = registers,
	.register_count = sizeof(registers) / sizeof(registers[0]),
	.pc_bit = 32,
	.sp_bit = 1,
	.fp_bit = 31,
	.default_events = "task-clock,context-switches,page-faults,cycles,instructions,branches,branch-misses",
};
