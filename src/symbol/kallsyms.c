/* Parsing kallsyms: "ffffffff81000000 T _text", a module's lines with "\t[name]" behind. */
#include "symbol/kallsyms.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbol/symbol_table.h"

struct line {
	uint64_t address;
	char type;
	char *name;
	const char *module; /* NULL: the kernel's */
};

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static char *parse_address(char *at, uint64_t *ret)
{
	uint64_t address = 0;
	int value;

	for (; (value = digit(*at)) >= 0; at++)
		address = address << 4 | (uint64_t)value;
	*ret = address;
	return at;
}

/* at: one line, NUL-terminated. False for what is no kallsyms line. */
static bool parse_line(char *at, struct line *ret)
{
	char *tab;

	at = parse_address(at, &ret->address);
	if (at[0] != ' ' || !at[1] || at[2] != ' ' || !at[3])
		return false;
	ret->type = at[1];
	ret->name = at + 3;
	ret->module = NULL;
	tab = strchr(ret->name, '\t');
	if (!tab)
		return true;
	*tab = '\0';
	if (tab[1] == '[') {
		tab[1 + strcspn(tab + 1, "]")] = '\0';
		ret->module = tab + 2;
	}
	return true;
}

bool kallsyms_is_function(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W' || type == 'i' || type == 'I';
}

static bool is_builtin(const char *module)
{
	return !strcmp(module, "bpf") || text_starts_with(module, "__builtin__");
}

static bool is_selected(const struct line *line, const struct kallsyms_selection *selection, bool is_moved)
{
	if (!kallsyms_is_function(line->type) || !line->address)
		return false;
	if (selection->module)
		return line->module && !strcmp(line->module, selection->module);
	return !line->module || (!is_moved && is_builtin(line->module));
}

/* Nothing tells the last function's size: to the end of its page. */
uint64_t kallsyms_page_end(uint64_t address)
{
	return (address | 4095) + 1;
}

const char *kallsyms_find(const char *text, size_t size, const char *symbol)
{
	auto_free char *name = memory_format(" %s\n", symbol);
	const char *at = memmem(text, size, name, strlen(name));

	while (at && at > text && at[-1] != '\n')
		at--;
	return at;
}

/* The distance from where this text has the recording's reference to where the recording had it. */
static uint64_t displacement(const char *text, size_t size, const struct kernel_reference *reference)
{
	const char *at = reference->address ? kallsyms_find(text, size, reference->symbol) : NULL;
	uint64_t here;

	if (!at)
		return 0;
	parse_address((char *)at, &here);
	return here ? reference->address - here : 0;
}

size_t kallsyms_add(struct symbol_table *table, char *text, size_t size, const struct kallsyms_selection *selection,
		    bool *all_zero)
{
	uint64_t moved = displacement(text, size, &selection->reference), last = 0, shift;
	char *end = text + size;
	size_t added = 0, parsed = 0, zero = 0;

	shift = selection->module ? -selection->load_address : moved;
	symbol_table_reserve(table, size / 36);
	symbol_table_prefer_last(table);
	while (text < end) {
		char *newline = memchr(text, '\n', (size_t)(end - text));
		struct line line;
		bool is_line;

		if (newline)
			*newline = '\0';
		is_line = parse_line(text, &line);
		text = newline ? newline + 1 : end;
		if (!is_line)
			continue;
		parsed++;
		zero += !line.address;
		if (!is_selected(&line, selection, moved != 0))
			continue;
		/* Behind a gap another area begins: the function before it does not reach that far. */
		if (last && (line.address < last || line.address - last > 1 << 20))
			symbol_table_limit(table, kallsyms_page_end(last) + shift);
		last = line.address;
		symbol_table_add(table, line.name, line.address + shift, 0, SYMBOL_GLOBAL);
		added++;
	}
	if (last)
		symbol_table_limit(table, kallsyms_page_end(last) + shift);
	*all_zero = parsed && zero == parsed;
	return added;
}
