/* perf maps: found across namespaces and parsed. */
#include "symbol/perf_map.h"

#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "symbol/elf_image.h"
#include "symbol/symbol_table.h"

enum { MAP_MAX = 1 << 30 };

static bool is_perf_map(const char *path)
{
	const char *base = strrchr(path, '/');

	return base && text_starts_with(base, "/perf-") && text_ends_with(base, ".map");
}

bool perf_map_is_anonymous(const char *path)
{
	static const char *const starts[] = { "//anon", "[anon", "[heap]", "[stack", "/dev/zero", "/anon_hugepage",
					      "/memfd:", "/SYSV", "[uprobes]" };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (text_starts_with(path, starts[i]))
			return true;
	return is_perf_map(path);
}

/* The pid the process itself sees: the last number of NSpid; pid when that cannot be read. */
static uint32_t innermost_pid(uint32_t pid)
{
	auto_free char *path = memory_format("/proc/%u/status", pid), *status = NULL;
	struct error *err = file_read(path, &status, NULL);
	char *line = err ? NULL : strstr(status, "\nNSpid:"), *end, *last;

	error_destroy(err);
	if (!line)
		return pid;
	end = line + 1 + strcspn(line + 1, "\n");
	*end = '\0';
	last = end;
	while (last > line && isdigit((unsigned char)last[-1]))
		last--;
	return last < end ? (uint32_t)strtoul(last, NULL, 10) : pid;
}

/* Takes path. A FIFO or a device in /tmp must not stop us. */
static bool read_regular(char *path, char **text, size_t *size, char **file)
{
	auto_free char *owned = path;
	uint64_t bytes = elf_file_size(owned);
	struct error *err;

	if (!bytes || bytes > MAP_MAX)
		return false;
	err = file_read(owned, text, size);
	if (err) {
		error_destroy(err);
		return false;
	}
	*file = take(owned);
	return true;
}

bool perf_map_read(const char *path, uint32_t pid, char **text, size_t *size, char **file)
{
	if (is_perf_map(path) && read_regular(memory_strdup(path), text, size, file))
		return true;
	if (!pid)
		return false;
	return read_regular(memory_format("/proc/%u/root/tmp/perf-%u.map", pid, innermost_pid(pid)), text, size, file) ||
	       read_regular(memory_format("/tmp/perf-%u.map", pid), text, size, file);
}

/* Hexadecimal, with or without 0x, and one space behind it. */
static bool parse_number(char **at, uint64_t *ret)
{
	char *end;

	if (!isxdigit((unsigned char)**at))
		return false;
	*ret = strtoull(*at, &end, 16);
	if (*end != ' ')
		return false;
	*at = end + 1;
	return true;
}

size_t perf_map_add(struct symbol_table *table, char *text, size_t size)
{
	char *end = text + size;
	size_t added = 0;

	symbol_table_prefer_last(table);
	while (text < end) {
		char *newline = memchr(text, '\n', (size_t)(end - text)), *at = text;
		uint64_t start, length;

		if (newline)
			*newline = '\0';
		text = newline ? newline + 1 : end;
		if (!parse_number(&at, &start) || !parse_number(&at, &length) || !*at || !length)
			continue;
		symbol_table_add(table, at, start, start + length, SYMBOL_GLOBAL);
		added++;
	}
	return added;
}
