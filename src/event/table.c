/* Reading tab-separated tables. */
#include "event/table.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

static struct error *split_line(char *line, size_t columns, unsigned number, struct table *table)
{
	char **fields = memory_zeroed(columns, sizeof(*fields));
	size_t count = 0;

	array_grow(&table->rows, table->count, &table->capacity);
	table->rows[table->count++] = (struct table_row){ fields, number };
	for (char *field = line; field; count++) {
		char *tab = strchr(field, '\t');

		if (tab)
			*tab++ = '\0';
		if (count < columns)
			fields[count] = field;
		field = tab;
	}
	if (count != columns)
		return error_new(ERROR_FORMAT, "%s.tsv:%u: %zu columns, %zu wanted", table->name, number, count,
				 columns);
	for (size_t i = 0; i < columns; i++)
		if (!*fields[i])
			return error_new(ERROR_FORMAT, "%s.tsv:%u: column %zu is empty; write '-'", table->name,
					 number, i + 1);
	return NULL;
}

struct error *table_parse(const char *name, char *text, size_t columns, struct table *ret)
{
	struct table table = { .name = name, .text = text };
	struct error *err = NULL;
	unsigned number = 0;

	for (char *line = text, *next; line && !err; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		if (*line && *line != '#')
			err = split_line(line, columns, number, &table);
	}
	if (err)
		table_release(&table);
	else
		*ret = table;
	return err;
}

struct error *table_load(const char *directory, const char *name, const char *built_in, size_t columns,
			 struct table *ret)
{
	auto_free char *path = NULL;
	auto_free char *text = NULL;
	size_t size = 0;
	struct error *err;

	if (!directory)
		return table_parse(name, memory_strdup(built_in), columns, ret);
	path = memory_format("%s/%s.tsv", directory, name);
	err = file_read(path, &text, &size);
	if (err && error_kind(err) == ERROR_NOT_FOUND) {
		error_destroy(err);
		return table_parse(name, memory_strdup(built_in), columns, ret);
	}
	if (err)
		return err;
	if (strlen(text) != size)
		return error_new(ERROR_FORMAT, "%s: holds a NUL byte at %zu", path, strlen(text));
	return table_parse(name, take(text), columns, ret);
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->rows[i].fields);
	free(table->rows);
	free(table->text);
}

static bool glob_matches(const char *glob, const char *cpus)
{
	auto_free char *copy = memory_strdup(cpus);
	char *left = copy, *cpu;

	while ((cpu = strsep(&left, ",")))
		if (!fnmatch(glob, cpu, 0))
			return true;
	return false;
}

bool table_cpu_matches(const char *globs, const char *cpus)
{
	auto_free char *copy = memory_strdup(globs);
	char *left = copy, *glob;

	while ((glob = strsep(&left, ",")))
		if (glob_matches(glob, cpus))
			return true;
	return false;
}
