/* Opening ELF files: segments, sections, build id. */
#include "symbol/elf_image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbol/decompress.h"

enum { SEGMENTS_MAX = 65536 };

uint64_t elf_file_size(const char *path)
{
	struct stat file;

	if (stat(path, &file) || !S_ISREG(file.st_mode) || file.st_size < 0)
		return 0;
	return (uint64_t)file.st_size;
}

bool elf_image_is_64bit(const struct elf_image *image)
{
	return image->header.e_ident[EI_CLASS] == ELFCLASS64;
}

bool elf_image_is_swapped(const struct elf_image *image)
{
	bool is_big = image->header.e_ident[EI_DATA] == ELFDATA2MSB;

	return is_big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static void read_notes(struct elf_image *image, uint64_t offset, uint64_t size)
{
	Elf_Data *data;

	if (image->build_id_size || size > INT32_MAX)
		return;
	data = elf_getdata_rawchunk(image->elf, (int64_t)offset, size, ELF_T_BYTE);
	if (data && data->d_buf)
		build_id_in_notes(data->d_buf, data->d_size, elf_image_is_swapped(image), image->build_id,
				  &image->build_id_size);
}

static void read_segments(struct elf_image *image)
{
	size_t count = 0, capacity = 0;

	if (elf_getphdrnum(image->elf, &count) || count > SEGMENTS_MAX)
		return;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(image->elf, (int)i, &segment))
			return;
		if (segment.p_type == PT_NOTE)
			read_notes(image, segment.p_offset, segment.p_filesz);
		if (segment.p_type != PT_LOAD)
			continue;
		array_grow(&image->segments, image->segment_count, &capacity);
		image->segments[image->segment_count++] = (struct elf_segment){
			segment.p_offset, segment.p_filesz, segment.p_vaddr, segment.p_memsz,
			segment.p_flags & PF_X
		};
	}
}

/* Relocatable files (.ko) and some made by JITs have no segments. */
static void read_note_sections(struct elf_image *image)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (!image->build_id_size && (section = elf_nextscn(image->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE)
			read_notes(image, header.sh_offset, header.sh_size);
}

static struct error *start(struct elf_image *image, const char *shown)
{
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF || !gelf_getehdr(image->elf, &image->header))
		return error_new(ERROR_FORMAT, "%s: not an ELF file", shown);
	read_segments(image);
	read_note_sections(image);
	return NULL;
}

static struct error *open_regular(const char *path, int *ret)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat file;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return error_new(ERROR_NOT_FOUND, "open %s: %s", path, strerror(errno));
	if (fd < 0)
		return error_os(errno, "open %s", path);
	if (fstat(fd, &file))
		return error_os(errno, "stat %s", path);
	if (!S_ISREG(file.st_mode))
		return error_new(ERROR_FORMAT, "%s: not a regular file", path);
	*ret = fd;
	fd = -1;
	return NULL;
}

static struct elf_image *image_create(const char *path)
{
	struct elf_image *image = memory_zeroed(1, sizeof(*image));

	elf_version(EV_CURRENT);
	image->fd = -1;
	image->path = path ? memory_strdup(path) : NULL;
	return image;
}

struct error *elf_image_from_memory(char *bytes, size_t size, struct elf_image **ret)
{
	cleanup(elf_image_guard) struct elf_image *image = image_create(NULL);
	struct error *err;

	image->memory = bytes;
	image->memory_size = size;
	image->elf = elf_memory(bytes, size);
	err = start(image, "image in memory");
	if (!err)
		*ret = take(image);
	return err;
}

static struct error *open_compressed(const char *path, enum compression compression, struct elf_image **ret)
{
	char *bytes;
	size_t size;
	struct error *err = decompress_file(path, compression, &bytes, &size);

	if (!err)
		err = elf_image_from_memory(bytes, size, ret);
	if (err)
		return error_wrap(err, "%s", path);
	(*ret)->path = memory_strdup(path);
	return NULL;
}

struct error *elf_image_open(const char *path, struct elf_image **ret)
{
	enum compression compression = compression_of_name(path);
	struct error *err;

	if (compression != COMPRESSION_NONE)
		return open_compressed(path, compression, ret);

	cleanup(elf_image_guard) struct elf_image *image = image_create(path);

	err = open_regular(path, &image->fd);
	if (err)
		return err;
	image->elf = elf_begin(image->fd, ELF_C_READ_MMAP, NULL);
	err = start(image, path);
	if (!err)
		*ret = take(image);
	return err;
}

void elf_image_destroy(struct elf_image *image)
{
	if (!image)
		return;
	elf_end(image->elf);
	if (image->fd >= 0)
		close(image->fd);
	free(image->memory);
	free(image->segments);
	free(image->path);
	free(image);
}

static bool address_by_section(const struct elf_image *image, uint64_t offset, uint64_t *ret)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
		    offset - header.sh_offset >= header.sh_size)
			continue;
		*ret = offset - header.sh_offset + header.sh_addr;
		return true;
	}
	return false;
}

/* The kernel maps whole pages, so an offset may lie just outside what the segment says it holds. */
static bool segment_holds(const struct elf_segment *segment, uint64_t offset, uint64_t slack)
{
	uint64_t begin = segment->offset - (segment->offset & slack);
	uint64_t end = segment->offset + segment->file_size;

	return offset >= begin && offset < ((end + slack) | slack) - slack;
}

bool elf_image_address(const struct elf_image *image, uint64_t file_offset, uint64_t *ret)
{
	static const struct { bool executable; uint64_t slack; } tries[] = { { true, 0 }, { false, 0 }, { true, 4095 } };

	if (!image->segment_count)
		return address_by_section(image, file_offset, ret);
	for (size_t try = 0; try < ARRAY_SIZE(tries); try++)
		for (size_t i = 0; i < image->segment_count; i++) {
			const struct elf_segment *segment = &image->segments[i];

			if (tries[try].executable && !segment->is_executable)
				continue;
			if (!segment_holds(segment, file_offset, tries[try].slack))
				continue;
			*ret = file_offset - segment->offset + segment->address;
			return true;
		}
	return false;
}

uint64_t elf_image_base(const struct elf_image *image)
{
	uint64_t base = UINT64_MAX;

	for (size_t i = 0; i < image->segment_count; i++)
		if (image->segments[i].address < base)
			base = image->segments[i].address;
	return image->segment_count ? base : 0;
}

Elf_Scn *elf_image_section(const struct elf_image *image, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names))
		return NULL;
	while ((section = elf_nextscn(image->elf, section))) {
		const char *found;

		if (!gelf_getshdr(section, header))
			continue;
		found = elf_strptr(image->elf, names, header->sh_name);
		if (found && !strcmp(found, name))
			return section;
	}
	return NULL;
}

const void *elf_image_bytes(const struct elf_image *image, const char *name, size_t *size)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_image_section(image, name, &header);
	Elf_Data *data;

	if (!section || header.sh_type == SHT_NOBITS)
		return NULL;
	data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf)
		return NULL;
	*size = data->d_size;
	return data->d_buf;
}
