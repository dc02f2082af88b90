/* Pairs of positive counts as one difference each. */
#ifndef STATS_PAIRED_H
#define STATS_PAIRED_H

#include <stdbool.h>
#include <stddef.h>

enum paired_mode {
	PAIRED_LOG_RATIO,  /* log(b / a) */
	PAIRED_DIFFERENCE, /* b - a: a value is <= 0, or the median of all is below 20, where a ratio says little */
};

/* For whole counts; measures (times, ratios, rates) have no small median: their unit is anyone's choice. */
enum paired_mode paired_choose_mode(const double *a, const double *b, size_t count);
enum paired_mode paired_measure_mode(const double *a, const double *b, size_t count);
/* differences: [count]. log1p((b - a) / a) keeps the digits of counts of 1e15 that differ by 1e-6. */
void paired_differences(const double *a, const double *b, size_t count, enum paired_mode mode,
			double *differences);

#endif
