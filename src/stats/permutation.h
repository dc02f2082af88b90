/* Sign-flip test: could the mean of these differences be chance if each sign were a coin toss? */
#ifndef STATS_PERMUTATION_H
#define STATS_PERMUTATION_H

#include <stddef.h>

struct random;

/* Two-sided p of the mean. All sign patterns to 20 values, beyond that 100,000 drawn ones (random; may be NULL to
 * 20), p = (1 + hits) / (1 + draws). 1 for none. */
double permutation_mean_p(const double *differences, size_t count, struct random *random);

#endif
