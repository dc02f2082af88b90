#include "unit/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "unit/test.h"

static size_t count_of(const char *text, char wanted)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == wanted;
	return count;
}

struct reference *reference_load(const char *name)
{
	struct reference *table = memory_zeroed(1, sizeof(*table));
	auto_free char *path = memory_format("%s/unit/reference/%s.tsv", TESTS, name);
	char *line, *rest, *end;

	assert_success(file_read(path, &table->text, NULL));
	end = strchr(table->text, '\n');
	*end = '\0';
	table->columns = count_of(table->text, '\t') + 1;
	table->header = memory_zeroed(table->columns, sizeof(*table->header));
	rest = table->text;
	for (size_t i = 0; i < table->columns; i++)
		table->header[i] = strsep(&rest, "\t");
	rest = end + 1;
	table->cells = memory_zeroed((count_of(rest, '\n') + 1) * table->columns, sizeof(*table->cells));
	while ((line = strsep(&rest, "\n")) && *line) {
		for (size_t i = 0; i < table->columns; i++)
			if (!(table->cells[table->rows * table->columns + i] = strsep(&line, "\t")))
				fail_msg("%s: row %zu is short", name, table->rows + 1);
		table->rows++;
	}
	return table;
}

void reference_destroy(struct reference *table)
{
	free(table->text);
	free(table->cells);
	free(table->header);
	free(table);
}

const char *reference_cell(const struct reference *table, size_t row, const char *column)
{
	for (size_t i = 0; i < table->columns; i++)
		if (strcmp(table->header[i], column) == 0)
			return table->cells[row * table->columns + i];
	fail_msg("no column '%s'", column);
	return NULL;
}

double reference_number(const struct reference *table, size_t row, const char *column)
{
	const char *cell = reference_cell(table, row, column);
	char *end;
	double number = strtod(cell, &end);

	if (strcmp(cell, "NA") == 0)
		return NAN;
	if (end == cell || *end)
		fail_msg("'%s' in column %s is no number", cell, column);
	return number;
}

double *reference_column(const struct reference *table, const char *column, const char *key, const char *wanted,
			 size_t *count)
{
	double *numbers = memory_zeroed(table->rows, sizeof(*numbers));

	*count = 0;
	for (size_t row = 0; row < table->rows; row++)
		if (!key || strcmp(reference_cell(table, row, key), wanted) == 0)
			numbers[(*count)++] = reference_number(table, row, column);
	return numbers;
}

void reference_check(const char *place, double got, double expected, double tolerance)
{
	if ((isnan(got) && isnan(expected)) || got == expected)
		return;
	if (!(fabs(got - expected) <= tolerance * fabs(expected)))
		fail_msg("%s: %.17g, expected %.17g", place, got, expected);
}
