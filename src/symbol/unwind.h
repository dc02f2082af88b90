/* Unwind a user stack from sampled registers and a copy of the stack, with libdwfl. */
#ifndef SYMBOL_UNWIND_H
#define SYMBOL_UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct arch;
struct symbolizer;
struct unwinder;

struct stack_snapshot {
	const uint64_t *registers; /* [popcount(register_mask)], by rising perf bit */
	uint64_t register_mask;    /* attr.sample_regs_user */
	const void *bytes;         /* memory from the stack pointer up */
	size_t size;               /* bytes */
};

/* One unwinder a process epoch. arch: of the process; a 32-bit process of a 64-bit machine has its own.
 * symbolizer: finds the files; borrowed. Errors: ERROR_UNSUPPORTED when arch has no registers described. */
must_use struct error *unwinder_create(const struct arch *arch, struct symbolizer *symbolizer, struct unwinder **ret);
struct binary;
/* A mapping of the process, in the order of the recording; a later one replaces what it overlaps. binary: borrowed. */
void unwinder_map(struct unwinder *unwinder, struct binary *binary, uint64_t start, uint64_t end, uint64_t file_offset);
/* addresses: [limit], innermost first: the sampled ip, then the last byte of each call (the return address less one, as
 * perf has it), or where a signal interrupted. Returns how many. A stack that breaks off gives fewer, at least one when
 * the pc was sampled. */
size_t unwind(struct unwinder *unwinder, const struct stack_snapshot *stack, uint64_t *addresses, size_t limit);
void unwinder_destroy(struct unwinder *unwinder);
DEFINE_GUARD(unwinder)

#endif
