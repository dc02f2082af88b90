/* Resampling intervals of a mean. Not the default: their coverage at ten blocks is 82 to 92 % for a nominal 95 %. */
#ifndef STATS_BOOTSTRAP_H
#define STATS_BOOTSTRAP_H

#include <stddef.h>

#include "stats/interval.h"

struct random;

struct bootstrap {
	double sd;                       /* of the resampled means */
	struct interval percentile, bca; /* type-1 quantiles */
	double bias, acceleration;       /* z0 and a of BCa (Efron 1987) */
	double bca_low, bca_high;        /* the adjusted probabilities */
};

/* All count^count resamples to 6 values (46,656), beyond that `draws` random ones (random may be NULL to 6). */
struct bootstrap bootstrap_mean(const double *values, size_t count, double level, size_t draws,
				struct random *random);

#endif
