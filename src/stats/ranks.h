/* Midranks: equal numbers share the mean of their places. */
#ifndef STATS_RANKS_H
#define STATS_RANKS_H

#include <stdbool.h>
#include <stddef.h>

/* Twice the midrank of each value, so that it is whole. Values within a relative 1e-12 of the smallest of their
 * group are equal. doubled: [count]. Returns whether any were tied. */
bool ranks_doubled(const double *values, size_t count, size_t *doubled);

#endif
