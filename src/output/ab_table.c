/* A table of text cells in aligned columns. */
#include "output/ab_table.h"

#include <string.h>

#include "base/memory.h"

struct ab_row *ab_table_add(struct ab_table *table)
{
	array_grow(&table->rows, table->count, &table->capacity);
	table->rows[table->count] = (struct ab_row){ 0 };
	return &table->rows[table->count++];
}

void ab_table_release(struct ab_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		for (size_t c = 0; c < AB_TABLE_COLUMNS; c++)
			free(table->rows[i].cells[c]);
	free(table->rows);
}

static size_t cell_width(const struct ab_row *row, size_t column)
{
	return row->cells[column] ? text_width(row->cells[column]) : 0;
}

static size_t column_width(const struct ab_table *table, size_t column)
{
	size_t width = 0;

	for (size_t i = 0; i < table->count; i++)
		if (cell_width(&table->rows[i], column) > width)
			width = cell_width(&table->rows[i], column);
	return width;
}

static void append_spaces(struct text *out, size_t count)
{
	while (count--)
		text_append_char(out, ' ');
}

static void append_cell(struct text *line, const struct ab_row *row, size_t column, size_t width, bool right)
{
	const char *cell = row->cells[column] ? row->cells[column] : "";
	bool colored = row->start && column == AB_TABLE_COLUMNS - 1;

	if (right)
		append_spaces(line, width - cell_width(row, column));
	if (colored)
		text_append(line, row->start);
	text_append(line, cell);
	if (colored)
		text_append(line, row->stop);
	if (!right)
		append_spaces(line, width - cell_width(row, column));
}

void ab_table_print(const struct ab_table *table, const char *indent, FILE *out)
{
	size_t widths[AB_TABLE_COLUMNS];

	for (size_t c = 0; c < AB_TABLE_COLUMNS; c++)
		widths[c] = column_width(table, c);
	for (size_t i = 0; i < table->count; i++) {
		auto_text struct text line = { 0 };
		bool first = true;

		text_append(&line, indent);
		for (size_t c = 0; c < AB_TABLE_COLUMNS; c++) {
			if (!widths[c])
				continue;
			append_spaces(&line, first ? 0 : table->gap);
			append_cell(&line, &table->rows[i], c, widths[c], table->right[c] == 'r');
			first = false;
		}
		while (line.length && line.bytes[line.length - 1] == ' ')
			line.bytes[--line.length] = '\0';
		fprintf(out, "%s\n", line.bytes);
	}
}

void ab_print_wrapped(const char *text, const char *first, const char *indent, size_t width, FILE *out)
{
	size_t column = text_width(first);
	const char *separator = "";

	fputs(first, out);
	while (*text) {
		size_t length = strcspn(text, " ");
		auto_free char *word = memory_strndup(text, length);

		if (*separator && column + 1 + text_width(word) > width) {
			fprintf(out, "\n%s", indent);
			column = text_width(indent);
			separator = "";
		}
		fprintf(out, "%s%s", separator, word);
		column += strlen(separator) + text_width(word);
		separator = " ";
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

/* Length of the first word as a shell quotes it. */
static size_t word_length(const char *text)
{
	char quote = 0;
	size_t length = 0;

	for (; text[length] && (quote || text[length] != ' '); length++)
		if (quote ? text[length] == quote : text[length] == '\'' || text[length] == '"')
			quote = quote ? 0 : text[length];
	return length;
}

void ab_print_command(const char *command, const char *first, size_t width, FILE *out)
{
	size_t column = text_width(first);

	fputs(first, out);
	for (bool begun = false; *command; begun = true) {
		size_t length = word_length(command);
		auto_free char *word = memory_strndup(command, length);
		size_t columns = text_width(word);

		if (begun && column + 1 + columns + 2 > width) {
			fputs(" \\\n  ", out);
			column = 2;
		} else if (begun) {
			fputc(' ', out);
			column++;
		}
		fputs(word, out);
		column += columns;
		command += length;
		command += strspn(command, " ");
	}
	fputc('\n', out);
}
