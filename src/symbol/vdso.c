/* The vdso: a shared object the kernel maps into each process, without a file. */
#include <string.h>
#include <sys/auxv.h>

#include "base/memory.h"
#include "symbol/binary_private.h"
#include "symbol/elf_image.h"

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Ehdr native_header;
typedef Elf64_Phdr native_segment;
#else
typedef Elf32_Ehdr native_header;
typedef Elf32_Phdr native_segment;
#endif

/* Its bytes end with the section headers, or with the last segment. */
static size_t image_size(const char *bytes)
{
	native_header header;
	size_t size;

	memcpy(&header, bytes, sizeof(header));
	size = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
	for (size_t i = 0; i < header.e_phnum; i++) {
		native_segment segment;

		memcpy(&segment, bytes + header.e_phoff + i * header.e_phentsize, sizeof(segment));
		if (segment.p_type == PT_LOAD && segment.p_offset + segment.p_filesz > size)
			size = segment.p_offset + segment.p_filesz;
	}
	return size;
}

struct elf_image *vdso_image(void)
{
	const char *bytes = (const char *)getauxval(AT_SYSINFO_EHDR);
	struct elf_image *image = NULL;
	size_t size;
	struct error *err;

	if (!bytes)
		return NULL;
	size = image_size(bytes);
	err = elf_image_from_memory(memory_copy(bytes, size), size, &image);
	error_destroy(err);
	return image;
}
