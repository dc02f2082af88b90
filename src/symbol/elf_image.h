/* An ELF file opened for reading: its segments, sections and build id. Trusts nothing in it. */
#ifndef SYMBOL_ELF_IMAGE_H
#define SYMBOL_ELF_IMAGE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "symbol/binary.h"

struct elf_segment { /* a PT_LOAD */
	uint64_t offset, file_size, address, memory_size;
	bool is_executable;
};

struct elf_image {
	char *path;              /* NULL: from memory */
	int fd;                  /* -1: from memory */
	char *memory;            /* owned bytes, decompressed or copied; NULL: a plain file */
	size_t memory_size;
	Elf *elf;
	GElf_Ehdr header;
	struct elf_segment *segments;
	size_t segment_count;
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_size;    /* 0: has none */
};

/* Opens path; a name that ends in .xz, .zst or .gz is decompressed.
 * Errors: ERROR_NOT_FOUND, ERROR_PERMISSION, ERROR_OS, ERROR_FORMAT (not ELF, not a regular file). */
must_use struct error *elf_image_open(const char *path, struct elf_image **ret);
/* Takes bytes either way. Errors: ERROR_FORMAT. */
must_use struct error *elf_image_from_memory(char *bytes, size_t size, struct elf_image **ret);
void elf_image_destroy(struct elf_image *image);
DEFINE_GUARD(elf_image)

/* Bytes of a regular file, or 0. */
uint64_t elf_file_size(const char *path);

bool elf_image_is_64bit(const struct elf_image *image);
bool elf_image_is_swapped(const struct elf_image *image); /* the other byte order than this machine's */
/* File offset to ELF address by the PT_LOAD that holds it; without any (as in some JIT-made files) by section. */
bool elf_image_address(const struct elf_image *image, uint64_t file_offset, uint64_t *ret);
/* The lowest address of a PT_LOAD, or 0. */
uint64_t elf_image_base(const struct elf_image *image);
/* The section of that name, its header in *header; NULL when there is none. */
Elf_Scn *elf_image_section(const struct elf_image *image, const char *name, GElf_Shdr *header);
/* The bytes of a section as the file holds them; NULL when it has none. Borrowed from the image. */
const void *elf_image_bytes(const struct elf_image *image, const char *section, size_t *size);

#endif
