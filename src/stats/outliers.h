/* Values far from the others: flagged, never dropped. */
#ifndef STATS_OUTLIERS_H
#define STATS_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>

/* How many have |0.6745 (x - median) / MAD| > 3.5; with a MAD of 0, how many differ from the median.
 * flags: [count], which ones; may be NULL.
 * Source: Iglewicz and Hoaglin 1993. */
size_t outliers_modified_z(const double *values, size_t count, bool *flags);

/* How many lie beyond three interquartile ranges from the quartiles (type 7). flags as above.
 * Source: Tukey 1977, the outer fences. */
size_t outliers_severe(const double *values, size_t count, bool *flags);

#endif
