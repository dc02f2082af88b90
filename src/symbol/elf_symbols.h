/* Functions from the symbol tables of an ELF file. */
#ifndef SYMBOL_ELF_SYMBOLS_H
#define SYMBOL_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct elf_image;
struct symbol_table;

/* True when the file has a .symtab. */
bool elf_symbols_has_table(const struct elf_image *image);
/* Add the functions of .symtab, or of .dynsym when dynamic; names are borrowed from image, addresses raised by bias.
 * A relocatable file (.ko) is laid out as the kernel loads it: addresses are offsets from the module's start.
 * Returns how many. */
size_t elf_symbols_add(struct symbol_table *table, const struct elf_image *image, bool dynamic, uint64_t bias);
/* Add the entries of the procedure linkage table as NAME@plt, by libbfd; returns how many. */
size_t elf_symbols_add_plt(struct symbol_table *table, struct arena *arena, const struct elf_image *image);
/* True when address lies in a section named .plt, .plt.sec, .plt.got or .iplt. */
bool elf_symbols_in_plt(const struct elf_image *image, uint64_t address);

#endif
