/* The ratio of two means of paired values with its interval. */
#ifndef STATS_FIELLER_H
#define STATS_FIELLER_H

#include <stddef.h>

#include "stats/interval.h"
#include "stats/mann_whitney.h"

/* mean(b) / mean(a); infinite bounds where mean(a) could be zero; NaN for fewer than two pairs or a mean of a
 * that is not positive. Computed on b - a, which keeps the digits of counts of 1e15.
 * Source: Fieller 1954. */
struct interval fieller_interval(const double *a, const double *b, size_t count, double level);

/* The same for two independent samples, with Welch's degrees of freedom. */
struct interval fieller_unpaired(const struct two_samples *samples, double level);

#endif
