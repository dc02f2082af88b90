/* Where recorded runs of two arms differ: the functions under a verdict of `ab`, in a few lines. */
#ifndef OUTPUT_AB_SYMBOLS_H
#define OUTPUT_AB_SYMBOLS_H

#include <stdio.h>

#include "ab/analysis.h"
#include "output/diff.h"

/* The profile of one arm against the first arm's. */
struct ab_symbols {
	size_t arm;
	struct diff_view view;
};

/* The counter that the samples stand for, and how much it differs, in the unit of the view. */
struct ab_counted {
	const char *metric; /* NULL: it was not counted */
	double difference;  /* mean of B - mean of A */
};
struct ab_counted ab_counted_find(const struct analysis *analysis, const struct ab_symbols *symbols);

/* A table of the largest differences and how much of the counted one they explain; lines of width columns. */
void ab_symbols_print(const struct analysis *analysis, const struct ab_symbols *symbols, size_t width, FILE *out);
struct json_t *ab_symbols_json(const struct analysis *analysis, const struct ab_symbols *symbols);

#endif
