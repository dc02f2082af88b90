/* Hartigan's dip: how far a sample is from having one mode. */
#ifndef STATS_DIP_H
#define STATS_DIP_H

#include <stddef.h>

struct random;

/* Largest distance of the empirical distribution to the nearest unimodal one, in [1/(2 count), 0.25]; 0 for fewer
 * than two values or when all are equal. Source: Hartigan 1985, algorithm AS 217. */
double dip_statistic(const double *values, size_t count);
/* Share of `draws` uniform samples of this size with at least this dip (the uniform is the hardest null). */
double dip_p(double dip, size_t count, size_t draws, struct random *random);

#endif
