/* Looking at the data before the end without being fooled by it. */
#ifndef STATS_SEQUENTIAL_H
#define STATS_SEQUENTIAL_H

#include <stddef.h>

#include "stats/interval.h"

#define SEQUENTIAL_LOOKS 4

/* Looks at 10, 20, 40 and 80 blocks (scaled so that the last falls on most), each with its part of alpha: the
 * parts add up to alpha, so the union bound holds whatever the noise. */
struct look {
	size_t blocks;
	double alpha;
};

void sequential_plan(size_t most, double alpha, struct look plan[SEQUENTIAL_LOOKS]);

/* log E of the normal-mixture e-process for symmetric differences: E >= 1/alpha rejects, at any time.
 * tau: 1 / sd of a pilot. Source: de la Pena 1999. */
double sequential_log_e(const double *differences, size_t count, double tau);
/* The centres that the e-process has not rejected at alpha, around the mean; infinite when it cannot yet. */
struct interval sequential_confidence(const double *differences, size_t count, double tau, double alpha);

#endif
