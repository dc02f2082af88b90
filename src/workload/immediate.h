/* A condition that is an immediate operand in the instruction stream: no load decides it. */
#ifndef WORKLOAD_IMMEDIATE_H
#define WORKLOAD_IMMEDIATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "workload/asm.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define IMMEDIATE_IN_CODE 1
#else
#define IMMEDIATE_IN_CODE 0
#endif

/* Always false; the compiler does not know. */
static inline __attribute__((always_inline)) bool immediate_is_set(void)
{
#if defined(__x86_64__)
	__asm__ goto("movb $0, %%al\n\ttestb %%al, %%al\n\tjnz %l[set]" : : : "rax", "cc" : set);
	return false;
set:
	return true;
#elif defined(__aarch64__)
	__asm__ goto("mov w9, #0\n\tcbnz w9, %l[set]" : : : "x9" : set);
	return false;
set:
	return true;
#else
	uint64_t immediate = 0;

	keep(immediate);
	return immediate != 0;
#endif
}

/* Say where the portable form stands in for the assembler. */
static inline void immediate_note(void)
{
	if (!IMMEDIATE_IN_CODE)
		log_note("imm: no assembler for this CPU: the compiler puts a constant into a register");
}

#endif
