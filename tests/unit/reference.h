/* The reference tables of tests/unit/reference: values that R computed (gen.R there), read as text. */
#ifndef TESTS_UNIT_REFERENCE_H
#define TESTS_UNIT_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

struct reference {
	char *text;
	char **cells; /* [rows][columns], the header not among them */
	char **header;
	size_t rows, columns;
};

/* Fails the test when there is no such table. */
struct reference *reference_load(const char *name);
void reference_destroy(struct reference *table);

/* Fails the test for an unknown column. */
const char *reference_cell(const struct reference *table, size_t row, const char *column);
/* "NA" is NaN, "Inf" infinite. */
double reference_number(const struct reference *table, size_t row, const char *column);
/* The numbers of a column in the rows whose cell in `key` is `wanted` (all when key is NULL); the caller frees. */
double *reference_column(const struct reference *table, const char *column, const char *key, const char *wanted,
			 size_t *count);

/* Fails with place and both values unless they agree within a relative tolerance (both NaN, both the same
 * infinity agree). */
void reference_check(const char *place, double got, double expected, double tolerance);

#define RELATIVE 1e-9
#define RELATIVE_TAIL 1e-8

#endif
