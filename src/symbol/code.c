/* The machine code of a binary, by ELF address. */
#include <string.h>

#include "symbol/binary_private.h"
#include "symbol/disassembly.h"
#include "symbol/elf_image.h"

/* The image with code, and how far its addresses are moved: a debug file has none. */
static const struct elf_image *code_image(struct binary *binary, uint64_t *bias)
{
	binary_load_runtime(binary);
	*bias = 0;
	if (binary->kind != BINARY_KERNEL)
		return binary->runtime;
	binary_load_symbols(binary);
	if (!binary->debug)
		binary_find_vmlinux(binary);
	*bias = binary->debug_bias;
	return binary->debug;
}

static const struct elf_segment *segment_of(const struct elf_image *image, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct elf_segment *segment = &image->segments[i];

		if (start >= segment->address && start - segment->address < segment->file_size &&
		    end - start <= segment->file_size - (start - segment->address))
			return segment;
	}
	return NULL;
}

const uint8_t *binary_code(struct binary *binary, uint64_t start, uint64_t end)
{
	uint64_t bias, at;
	const struct elf_image *image = code_image(binary, &bias);
	const struct elf_segment *segment;
	const char *bytes;
	size_t size;

	if (!image || end <= start)
		return NULL;
	segment = segment_of(image, start - bias, end - bias);
	bytes = segment ? elf_rawfile(image->elf, &size) : NULL;
	if (!bytes)
		return NULL;
	at = segment->offset + (start - bias - segment->address);
	return at < size && end - start <= size - at ? (const uint8_t *)bytes + at : NULL;
}

uint16_t binary_elf_machine(struct binary *binary)
{
	uint64_t bias;
	const struct elf_image *image = code_image(binary, &bias);

	return image ? image->header.e_machine : 0;
}

bool binary_has_fixed_address(struct binary *binary, uint64_t address)
{
	uint64_t bias;
	const struct elf_image *image = code_image(binary, &bias);

	if (!image || image->header.e_type != ET_EXEC)
		return false;
	for (size_t i = 0; i < image->segment_count; i++)
		if (address - image->segments[i].address < image->segments[i].memory_size)
			return true;
	return false;
}
