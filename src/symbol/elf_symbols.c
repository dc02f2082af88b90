/* Functions from .symtab and .dynsym. */
#include "symbol/elf_symbols.h"

#include <byteswap.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbol/elf_image.h"
#include "symbol/symbol_table.h"

/* One section, as symbols need it. */
struct section {
	uint64_t address, size; /* address: where st_value 0 lies for a relocatable file */
	bool is_text;
};

struct reading {
	struct symbol_table *table;
	const struct elf_image *image;
	struct section *sections;
	size_t section_count;
	const char *names;
	size_t name_bytes;      /* up to and with the last NUL */
	const uint64_t *descriptors; /* .opd of PowerPC64 ELFv1, or NULL */
	uint64_t descriptors_address, descriptors_size;
	uint64_t bias;
};

static bool is_relocatable(const struct elf_image *image)
{
	return image->header.e_type == ET_REL;
}

static const char *section_name(const struct elf_image *image, size_t names, const GElf_Shdr *header)
{
	const char *name = elf_strptr(image->elf, names, header->sh_name);

	return name ? name : "";
}

/* Source: kernel/module/main.c, layout_sections(): executable sections first, in file order, init ones apart. */
static void place_relocatable(struct reading *reading, size_t index, const char *name, const GElf_Shdr *header,
			      uint64_t *end)
{
	uint64_t align = header->sh_addralign ? header->sh_addralign : 1;
	struct section *section = &reading->sections[index];

	if (!section->is_text || text_starts_with(name, ".init")) {
		section->is_text = false;
		return;
	}
	*end = (*end + align - 1) / align * align;
	section->address = *end;
	*end += section->size;
}

static bool read_sections(struct reading *reading)
{
	const struct elf_image *image = reading->image;
	Elf_Scn *scn = NULL;
	size_t names = 0;
	uint64_t end = 0;

	if (elf_getshdrnum(image->elf, &reading->section_count) || elf_getshdrstrndx(image->elf, &names))
		return false;
	reading->sections = memory_zeroed(reading->section_count, sizeof(*reading->sections));
	while ((scn = elf_nextscn(image->elf, scn))) {
		size_t index = elf_ndxscn(scn);
		GElf_Shdr header;

		if (index >= reading->section_count || !gelf_getshdr(scn, &header))
			continue;
		reading->sections[index] = (struct section){ header.sh_addr, header.sh_size,
							     (header.sh_flags & SHF_EXECINSTR) != 0 };
		if (is_relocatable(image))
			place_relocatable(reading, index, section_name(image, names, &header), &header, &end);
	}
	return true;
}

static Elf_Scn *table_section(const struct elf_image *image, bool dynamic, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(image->elf, scn)))
		if (gelf_getshdr(scn, header) && header->sh_type == (dynamic ? SHT_DYNSYM : SHT_SYMTAB))
			return scn;
	return NULL;
}

bool elf_symbols_has_table(const struct elf_image *image)
{
	GElf_Shdr header;

	return table_section(image, false, &header) && header.sh_size > 0;
}

static bool read_names(struct reading *reading, const GElf_Shdr *table)
{
	Elf_Scn *scn = elf_getscn(reading->image->elf, table->sh_link);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	const char *last;

	if (!data || !data->d_buf || !data->d_size)
		return false;
	last = memrchr(data->d_buf, '\0', data->d_size);
	reading->names = data->d_buf;
	reading->name_bytes = last ? (size_t)(last - reading->names) + 1 : 0;
	return true;
}

static void read_descriptors(struct reading *reading)
{
	GElf_Shdr header;
	size_t size;

	if (reading->image->header.e_machine != EM_PPC64 || (reading->image->header.e_flags & 3) >= 2 ||
	    !elf_image_section(reading->image, ".opd", &header))
		return;
	reading->descriptors = elf_image_bytes(reading->image, ".opd", &size);
	reading->descriptors_address = header.sh_addr;
	reading->descriptors_size = reading->descriptors ? size : 0;
}

/* ELFv1 symbols name a descriptor, whose first word is the code's address. */
static uint64_t through_descriptor(const struct reading *reading, uint64_t value)
{
	uint64_t at = value - reading->descriptors_address, word;

	if (!reading->descriptors || at >= reading->descriptors_size || reading->descriptors_size - at < sizeof(word))
		return value;
	memcpy(&word, (const char *)reading->descriptors + at, sizeof(word));
	return elf_image_is_swapped(reading->image) ? bswap_64(word) : word;
}

/* Marks of code and data within functions, not functions: $x, $d, $a, $t, and the assembler's own labels. */
static bool is_mapping_symbol(const char *name)
{
	return name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

static const struct section *section_of(const struct reading *reading, const GElf_Sym *symbol)
{
	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE ||
	    symbol->st_shndx >= reading->section_count)
		return NULL;
	return &reading->sections[symbol->st_shndx];
}

static bool is_function(const struct reading *reading, const GElf_Sym *symbol, const struct section *section)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	if (is_relocatable(reading->image) && (!section || !section->is_text))
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return symbol->st_shndx != SHN_UNDEF;
	return type == STT_NOTYPE && section && section->is_text;
}

static enum symbol_rank rank_of(const GElf_Sym *symbol)
{
	int binding = GELF_ST_BIND(symbol->st_info);

	if (GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE && !symbol->st_size)
		return SYMBOL_LABEL;
	if (binding == STB_WEAK)
		return SYMBOL_WEAK;
	return binding == STB_LOCAL ? SYMBOL_LOCAL : SYMBOL_GLOBAL;
}

static uint64_t code_address(const struct reading *reading, const GElf_Sym *symbol, const struct section *section)
{
	uint64_t value = through_descriptor(reading, symbol->st_value);

	if (reading->image->header.e_machine == EM_ARM && GELF_ST_TYPE(symbol->st_info) == STT_FUNC)
		value &= ~1ull; /* the Thumb bit */
	return value + reading->bias + (is_relocatable(reading->image) ? section->address : 0);
}

static bool add(struct reading *reading, const GElf_Sym *symbol)
{
	const struct section *section = section_of(reading, symbol);
	const char *name = reading->names + symbol->st_name;
	uint64_t start;

	if (symbol->st_name >= reading->name_bytes || !*name || !is_function(reading, symbol, section) ||
	    is_mapping_symbol(name))
		return false;
	start = code_address(reading, symbol, section);
	symbol_table_add(reading->table, name, start, start + symbol->st_size, rank_of(symbol));
	if (!symbol->st_size && section)
		symbol_table_limit(reading->table, section->address + section->size + reading->bias);
	return true;
}

size_t elf_symbols_add(struct symbol_table *table, const struct elf_image *image, bool dynamic, uint64_t bias)
{
	struct reading reading = { .table = table, .image = image, .bias = bias };
	GElf_Shdr header;
	Elf_Scn *scn = table_section(image, dynamic, &header);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t added = 0, count;

	if (!data || !read_names(&reading, &header) || !read_sections(&reading))
		return 0;
	read_descriptors(&reading);
	count = data->d_size / (elf_image_is_64bit(image) ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
	symbol_table_reserve(table, count);
	for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
		GElf_Sym symbol;

		if (gelf_getsym(data, (int)i, &symbol))
			added += add(&reading, &symbol);
	}
	free(reading.sections);
	return added;
}
