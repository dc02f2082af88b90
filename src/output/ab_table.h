/* A table of text cells in aligned columns. */
#ifndef OUTPUT_AB_TABLE_H
#define OUTPUT_AB_TABLE_H

#include <stdio.h>

#include "base/text.h"

enum { AB_TABLE_COLUMNS = 6 };

/* One row: cells that are not NULL are the row's, freed with the table. */
struct ab_row {
	char *cells[AB_TABLE_COLUMNS];
	const char *start, *stop; /* terminal colour around the last cell, or NULL; static */
};

struct ab_table {
	const char *right; /* one letter a column: 'l' or 'r' */
	size_t gap;        /* spaces between columns */
	struct ab_row *rows;
	size_t count, capacity;
};

/* A row to fill; valid until the next call. */
struct ab_row *ab_table_add(struct ab_table *table);
/* Each line starts with indent. Columns that are empty in every row take no room. */
void ab_table_print(const struct ab_table *table, const char *indent, FILE *out);
void ab_table_release(struct ab_table *table);

/* text in lines of at most width columns, each after indent, the first after first. */
void ab_print_wrapped(const char *text, const char *first, const char *indent, size_t width, FILE *out);

/* A shell command, broken only between its words, with " \\" at the end of a line that goes on. */
void ab_print_command(const char *command, const char *first, size_t width, FILE *out);

#endif
