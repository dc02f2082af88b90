/* The functions of one binary: a sorted array, searched by halves; names demangled only when a function is asked for. */
#include "symbol/symbol_table.h"

#include <string.h>

#include "base/memory.h"
#include "symbol/demangle.h"
#include "symbol/symbolizer.h"

struct symbol {
	uint64_t start, end;
	const char *name;
	struct function *function; /* NULL: not asked for yet */
	uint32_t parent;           /* the nearest symbol before that ends behind our start; NO_PARENT: none */
	uint32_t order;            /* in which it was added */
	uint8_t rank;
	bool has_size;
};

enum { NO_PARENT = UINT32_MAX, PARENTS_MAX = 64 };

struct symbol_table {
	struct symbol *symbols;
	size_t count, capacity;
	size_t limited;             /* symbols before it have their limit */
	const struct function **functions;
	struct arena *arena;
	bool demangles, prefers_last, is_ready;
};

struct symbol_table *symbol_table_create(struct arena *arena, bool demangle)
{
	struct symbol_table *table = memory_zeroed(1, sizeof(*table));

	table->arena = arena;
	table->demangles = demangle;
	return table;
}

void symbol_table_destroy(struct symbol_table *table)
{
	if (!table)
		return;
	free(table->functions);
	free(table->symbols);
	free(table);
}

void symbol_table_reserve(struct symbol_table *table, size_t count)
{
	if (table->capacity - table->count >= count)
		return;
	table->capacity = table->count + count;
	table->symbols = memory_resize(table->symbols, table->capacity, sizeof(*table->symbols));
}

void symbol_table_add(struct symbol_table *table, const char *name, uint64_t start, uint64_t end,
		      enum symbol_rank rank)
{
	if (table->count >= NO_PARENT)
		return;
	array_grow(&table->symbols, table->count, &table->capacity);
	table->symbols[table->count] = (struct symbol){ .start = start, .end = end > start ? end : UINT64_MAX,
							.name = name, .order = (uint32_t)table->count,
							.rank = (uint8_t)rank, .has_size = end > start };
	table->count++;
	table->is_ready = false;
}

void symbol_table_limit(struct symbol_table *table, uint64_t limit)
{
	for (; table->limited < table->count; table->limited++) {
		struct symbol *symbol = &table->symbols[table->limited];

		if (!symbol->has_size && limit > symbol->start)
			symbol->end = limit;
	}
}

void symbol_table_prefer_last(struct symbol_table *table)
{
	table->prefers_last = true;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Below 0: a is the better name of their address. */
static int compare_names(const struct symbol *a, const struct symbol *b)
{
	size_t a_length, b_length;

	if (a->has_size != b->has_size)
		return a->has_size ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) < underscores(b->name) ? -1 : 1;
	a_length = strlen(a->name);
	b_length = strlen(b->name);
	if (a_length != b_length)
		return a_length > b_length ? -1 : 1;
	return 0;
}

static int by_start(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* The kernel's symbol table comes almost sorted: sort only what is behind the first place out of order. */
static void sort(struct symbol_table *table)
{
	struct symbol *symbols = table->symbols;
	size_t sorted = 1, begin;

	while (sorted < table->count && symbols[sorted - 1].start <= symbols[sorted].start)
		sorted++;
	if (sorted >= table->count)
		return;
	begin = sorted;
	for (size_t i = sorted; i < table->count && begin; i++)
		while (begin && symbols[begin - 1].start >= symbols[i].start)
			begin--;
	qsort(symbols + begin, table->count - begin, sizeof(*symbols), by_start);
}

static void drop_aliases(struct symbol_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		struct symbol *last = kept ? &table->symbols[kept - 1] : NULL;
		const struct symbol *symbol = &table->symbols[i];

		if (!last || last->start != symbol->start)
			table->symbols[kept++] = *symbol;
		else if (table->prefers_last || compare_names(symbol, last) < 0)
			*last = *symbol;
	}
	table->count = kept;
}

static void end_by_next(struct symbol_table *table)
{
	for (size_t i = 0; i + 1 < table->count; i++) {
		struct symbol *symbol = &table->symbols[i];

		if (!symbol->has_size && symbol[1].start < symbol->end)
			symbol->end = symbol[1].start;
	}
}

/* Symbols may lie within others: each knows the one around it. */
static void link_parents(struct symbol_table *table)
{
	uint32_t open = NO_PARENT;

	for (size_t i = 0; i < table->count; i++) {
		struct symbol *symbol = &table->symbols[i];

		while (open != NO_PARENT && table->symbols[open].end <= symbol->start)
			open = table->symbols[open].parent;
		symbol->parent = open;
		open = (uint32_t)i;
	}
}

static void make_ready(struct symbol_table *table)
{
	if (table->is_ready)
		return;
	sort(table);
	drop_aliases(table);
	end_by_next(table);
	link_parents(table);
	table->limited = table->count;
	table->is_ready = true;
}

static struct function *function_of(struct symbol_table *table, struct symbol *symbol)
{
	struct function *function = symbol->function;

	if (function)
		return function;
	function = arena_alloc(table->arena, sizeof(*function));
	function->name = symbol->name;
	function->shown = table->demangles ? demangle(table->arena, symbol->name) : symbol->name;
	function->start = symbol->start;
	function->end = symbol->end;
	symbol->function = function;
	return function;
}

const struct function *symbol_table_find(struct symbol_table *table, uint64_t address)
{
	size_t low = 0, high;
	uint32_t at;

	make_ready(table);
	high = table->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	at = (uint32_t)(low - 1);
	for (int climbed = 0; at != NO_PARENT && climbed < PARENTS_MAX; climbed++) {
		if (address < table->symbols[at].end)
			return function_of(table, &table->symbols[at]);
		at = table->symbols[at].parent;
	}
	return NULL;
}

size_t symbol_table_functions(struct symbol_table *table, const struct function *const **ret)
{
	make_ready(table);
	table->functions = memory_resize(table->functions, table->count, sizeof(*table->functions));
	for (size_t i = 0; i < table->count; i++)
		table->functions[i] = function_of(table, &table->symbols[i]);
	*ret = table->functions;
	return table->count;
}

size_t symbol_table_count(const struct symbol_table *table)
{
	return table->count;
}

bool symbol_table_start_of(const struct symbol_table *table, const char *name, uint64_t *ret)
{
	for (size_t i = 0; i < table->count; i++)
		if (!strcmp(table->symbols[i].name, name)) {
			*ret = table->symbols[i].start;
			return true;
		}
	return false;
}
