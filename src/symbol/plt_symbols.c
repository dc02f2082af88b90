/* Entries of the procedure linkage table, which no symbol table has: libbfd knows every linker's layout. */
#include "symbol/elf_symbols.h"

/* bfd.h demands a package to be named before it is included. */
#define PACKAGE "perfmini"
#include <bfd.h>
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbol/elf_image.h"
#include "symbol/symbol_table.h"

bool elf_symbols_in_plt(const struct elf_image *image, uint64_t address)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.got", ".iplt" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		GElf_Shdr header;

		if (elf_image_section(image, names[i], &header) && address - header.sh_addr < header.sh_size)
			return true;
	}
	return false;
}

static void quiet(const char *format unused, va_list args unused)
{
}

static void start_library(void)
{
	bfd_init();
	bfd_set_error_handler(quiet);
}

static void free_bfd(bfd **file)
{
	if (*file)
		bfd_close(*file);
}

/* The dynamic symbols as libbfd wants them; NULL when there are none. The caller frees. */
static asymbol **dynamic_symbols(bfd *file, long *count)
{
	long bytes = bfd_get_dynamic_symtab_upper_bound(file);
	asymbol **symbols;

	if (bytes <= 0)
		return NULL;
	symbols = memory_alloc((size_t)bytes);
	*count = bfd_canonicalize_dynamic_symtab(file, symbols);
	if (*count > 0)
		return symbols;
	free(symbols);
	return NULL;
}

static void add_entry(struct symbol_table *table, struct arena *arena, const asymbol *symbol)
{
	uint64_t start = bfd_asymbol_value(symbol);

	symbol_table_add(table, arena_strdup(arena, bfd_asymbol_name(symbol)), start, 0, SYMBOL_LABEL);
	symbol_table_limit(table, bfd_section_vma(symbol->section) + bfd_section_size(symbol->section));
}

size_t elf_symbols_add_plt(struct symbol_table *table, struct arena *arena, const struct elf_image *image)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!image->path || image->memory)
		return 0;
	pthread_once(&once, start_library);

	cleanup(free_bfd) bfd *file = bfd_openr(image->path, NULL);
	auto_free asymbol **symbols = NULL;
	auto_free asymbol *made = NULL;
	long count = 0, made_count;

	if (!file || !bfd_check_format(file, bfd_object))
		return 0;
	symbols = dynamic_symbols(file, &count);
	made_count = bfd_get_synthetic_symtab(file, count, symbols, count, symbols, &made);
	for (long i = 0; i < made_count; i++)
		add_entry(table, arena, &made[i]);
	return made_count > 0 ? (size_t)made_count : 0;
}
