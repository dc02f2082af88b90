/* Looking up in kallsyms text by halves: the kernel writes its own symbols by rising address, "%016lx T name\n". */
#include "symbol/kallsyms_lookup.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/memory.h"
#include "symbol/demangle.h"
#include "symbol/kallsyms.h"
#include "symbol/symbolizer.h"

enum { DIGITS = 16, NAME_AT = DIGITS + 3, GAP = 1 << 20, FIRST_SLOTS = 512 };

struct kallsyms_lookup {
	const char *text;          /* mapped */
	size_t size;
	const char *begin, *end;   /* of the kernel's own functions: lines by rising address, the last line left out */
	uint64_t moved;            /* address in the recording - address in the text */
	struct arena *arena;
	bool demangle;
	struct function **made;    /* by start; open addressing */
	size_t made_count, made_slots;
};

/* The kernel's functions that lie at one address. */
struct found {
	uint64_t start, next; /* next: where another begins */
	const char *name;
	size_t length;
};

static uint64_t address_at(const char *line)
{
	uint64_t address = 0;

	for (int i = 0; i < DIGITS; i++)
		address = address << 4 | (uint64_t)(line[i] <= '9' ? line[i] - '0' : line[i] - 'a' + 10);
	return address;
}

static bool is_digits(const char *line)
{
	for (int i = 0; i < DIGITS; i++)
		if (!((line[i] >= '0' && line[i] <= '9') || (line[i] >= 'a' && line[i] <= 'f')))
			return false;
	return true;
}

/* Hexadecimal of equal length is ordered as text is. */
static bool is_rising(const char *before, const char *line)
{
	return memcmp(before, line, DIGITS) <= 0;
}

static const char *line_end(const char *line, const char *end)
{
	const char *newline = memchr(line, '\n', (size_t)(end - line));

	return newline ? newline + 1 : NULL;
}

static bool is_function_line(const char *line)
{
	return kallsyms_is_function(line[DIGITS + 1]);
}

/* Bound the kernel's own lines. */
static bool find_bounds(struct kallsyms_lookup *lookup)
{
	const char *at = lookup->text, *end = at + lookup->size, *before = NULL, *next;

	for (; at < end; before = at, at = next) {
		next = line_end(at, end);
		if (!next || next - at < NAME_AT + 2 || at[DIGITS] != ' ' || at[DIGITS + 2] != ' ' || !is_digits(at))
			return false;
		if (memchr(at + NAME_AT, '\t', (size_t)(next - at - NAME_AT)))
			break;
		if (before && !is_rising(before, at))
			return false;
		if (!is_function_line(at))
			continue;
		if (!lookup->begin && address_at(at))
			lookup->begin = at;
		lookup->end = at;
	}
	return lookup->begin && lookup->begin < lookup->end;
}

static void find_displacement(struct kallsyms_lookup *lookup, const struct kernel_reference *reference)
{
	const char *at = NULL;

	if (reference->address)
		at = kallsyms_find(lookup->begin, (size_t)(lookup->end - lookup->begin), reference->symbol);
	if (at)
		lookup->moved = reference->address - address_at(at);
}

static bool map_file(struct kallsyms_lookup *lookup, const char *path)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat file;
	void *text;

	if (fd < 0 || fstat(fd, &file) || !S_ISREG(file.st_mode) || file.st_size <= 0)
		return false;
	text = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (text == MAP_FAILED)
		return false;
	lookup->text = text;
	lookup->size = (size_t)file.st_size;
	return true;
}

struct kallsyms_lookup *kallsyms_lookup_open(const char *path, const struct kernel_reference *reference,
					     struct arena *arena, bool demangle)
{
	cleanup(kallsyms_lookup_guard) struct kallsyms_lookup *lookup = memory_zeroed(1, sizeof(*lookup));

	lookup->arena = arena;
	lookup->demangle = demangle;
	if (!map_file(lookup, path) || !find_bounds(lookup))
		return NULL;
	find_displacement(lookup, reference);
	lookup->made_slots = FIRST_SLOTS;
	lookup->made = memory_zeroed(lookup->made_slots, sizeof(struct function *));
	return take(lookup);
}

void kallsyms_lookup_destroy(struct kallsyms_lookup *lookup)
{
	if (!lookup)
		return;
	if (lookup->text)
		munmap((void *)lookup->text, lookup->size);
	free(lookup->made);
	free(lookup);
}

static const char *line_start(const struct kallsyms_lookup *lookup, const char *at)
{
	while (at > lookup->begin && at[-1] != '\n')
		at--;
	return at;
}

/* The last line of the kernel's own whose address is not above. */
static const char *last_line_until(const struct kallsyms_lookup *lookup, uint64_t address)
{
	const char *low = lookup->begin, *high = lookup->end;

	/* low: not above; high: above, or the end. Both are starts of lines. */
	while (low < high) {
		const char *middle = line_start(lookup, low + (high - low) / 2), *next;

		if (middle == low) {
			next = line_end(low, lookup->end);
			if (!next || next >= high || address_at(next) > address)
				return low;
			low = next;
		} else if (address_at(middle) <= address) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

static struct found read_line(const char *line, const char *next)
{
	return (struct found){ address_at(line), 0, line + NAME_AT, (size_t)(next - line - NAME_AT - 1) };
}

/* The function at or before a line, of its names the last, as in symbol_table_prefer_last(). */
static bool find_function(const struct kallsyms_lookup *lookup, const char *line, struct found *ret)
{
	const char *text_end = lookup->text + lookup->size;
	bool is_found = false;

	while (line > lookup->begin && !is_function_line(line))
		line = line_start(lookup, line - 1);
	for (uint64_t start = address_at(line); line > lookup->begin; line = line_start(lookup, line - 1))
		if (address_at(line_start(lookup, line - 1)) != start)
			break;
	for (const char *next; line <= lookup->end && (next = line_end(line, text_end)); line = next) {
		if (!is_function_line(line))
			continue;

		struct found candidate = read_line(line, next);

		if (is_found && candidate.start != ret->start) {
			ret->next = candidate.start;
			return true;
		}
		*ret = candidate;
		is_found = true;
	}
	return false;
}

static size_t slot_of(const struct kallsyms_lookup *lookup, uint64_t start)
{
	size_t at = hash_word(start) & (lookup->made_slots - 1);

	while (lookup->made[at] && lookup->made[at]->start != start)
		at = (at + 1) & (lookup->made_slots - 1);
	return at;
}

static void make_room(struct kallsyms_lookup *lookup)
{
	struct function **old = lookup->made;
	size_t slots = lookup->made_slots;

	if (++lookup->made_count * 2 < slots)
		return;
	lookup->made_slots = slots * 2;
	lookup->made = memory_zeroed(lookup->made_slots, sizeof(struct function *));
	for (size_t i = 0; i < slots; i++)
		if (old[i])
			lookup->made[slot_of(lookup, old[i]->start)] = old[i];
	free(old);
}

static const struct function *function_of(struct kallsyms_lookup *lookup, const struct found *found, uint64_t end)
{
	size_t slot = slot_of(lookup, found->start + lookup->moved);
	struct function *function = lookup->made[slot];
	char *name;

	if (function)
		return function;
	name = arena_alloc(lookup->arena, found->length + 1);
	memcpy(name, found->name, found->length);
	function = arena_alloc(lookup->arena, sizeof(*function));
	*function = (struct function){ .name = name, .start = found->start + lookup->moved, .end = end + lookup->moved };
	function->shown = lookup->demangle ? demangle(lookup->arena, name) : name;
	lookup->made[slot] = function;
	make_room(lookup);
	return function;
}

const struct function *kallsyms_lookup_find(struct kallsyms_lookup *lookup, uint64_t address)
{
	uint64_t here = address - lookup->moved, end;
	struct found found = { 0 };

	if (here < address_at(lookup->begin) || here >= address_at(lookup->end))
		return NULL;
	if (!find_function(lookup, last_line_until(lookup, here), &found))
		return NULL;
	end = found.next - found.start > GAP ? kallsyms_page_end(found.start) : found.next;
	return here < end ? function_of(lookup, &found, end) : NULL;
}
