/* Whether two functions are the same machine code, wherever a linker put them. */
#ifndef SYMBOL_CODE_HASH_H
#define SYMBOL_CODE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "symbol/symbolizer.h"

struct code_hash {
	uint64_t exact;        /* of the bytes */
	uint64_t masked;       /* of the instructions, with what the linker filled in left out: addresses outside the
				* function; jumps within it count as offsets from its start */
	size_t instructions;
	size_t bytes;
};

/* Errors: those of disassembly_create(). */
must_use struct error *code_hash_of(struct binary *binary, const struct function *function, struct code_hash *ret);

struct intern;

/* The text of each instruction with what the linker filled in, and every address, as "@"; interned in strings. An array
 * the caller frees. Errors: those of disassembly_create(). */
must_use struct error *code_masked_texts(struct binary *binary, const struct function *function, struct intern *strings,
					 const char ***ret, size_t *count);

#endif
