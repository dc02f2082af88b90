/* All arms in one table, a row each: the values of a scan, or the machines of several files. */
#ifndef OUTPUT_AB_OVERVIEW_H
#define OUTPUT_AB_OVERVIEW_H

#include <stdio.h>

#include "ab/analysis.h"

/* The first gate and the CPU times of every arm under one condition (or NULL), with what the gate says. */
void ab_print_overview(const struct analysis *analysis, const char *condition, size_t gap, FILE *out);

#endif
