/* The instructions of an address range as text, by libopcodes in this process. */
#ifndef SYMBOL_DISASSEMBLY_H
#define SYMBOL_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "symbol/symbolizer.h"

enum instruction_kind { INSTRUCTION_OTHER, INSTRUCTION_JUMP, INSTRUCTION_CALL };

struct instruction {
	uint64_t address;        /* ELF address */
	const uint8_t *bytes;
	size_t size;             /* of bytes */
	const char *text;        /* "callq  1139 <helper>" */
	enum instruction_kind kind;
	bool has_target;         /* an address stands among its operands */
	uint64_t target;         /* of a jump or call, else what it refers to relative to the pc */
};

struct disassembly_setup {
	bool intel;              /* x86: Intel's syntax instead of AT&T's */
	bool without_symbols;    /* addresses as "@" instead of "1139 <helper>": for comparing code */
};

struct disassembly;

/**
 * Disassemble [start, end) of a binary's ELF addresses; bytes that are no instruction appear as "(bad)" or ".byte".
 *
 * The binary must outlive the result, which the caller destroys.
 * Errors: ERROR_NOT_FOUND, the file does not hold the range or is gone; ERROR_UNSUPPORTED, libopcodes was built without
 * this architecture.
 */
must_use struct error *disassembly_create(struct binary *binary, uint64_t start, uint64_t end,
					  const struct disassembly_setup *setup, struct disassembly **ret);
/* All instructions by rising address. */
size_t disassembly_instructions(const struct disassembly *disassembly, const struct instruction **ret);
/* The instruction that holds address, or NULL. */
const struct instruction *disassembly_find(const struct disassembly *disassembly, uint64_t address);
void disassembly_destroy(struct disassembly *disassembly);
DEFINE_GUARD(disassembly)

/* The machine code at [start, end); NULL when the file does not hold it. Borrowed from the binary. */
const uint8_t *binary_code(struct binary *binary, uint64_t start, uint64_t end);
/* EM_* of elf.h; 0 without a file. */
uint16_t binary_elf_machine(struct binary *binary);
/* True when address is one of the running program's that a linker fixed: no PIE, so it may stand in instructions. */
bool binary_has_fixed_address(struct binary *binary, uint64_t address);

#endif
