/* Student's and Welch's t: one sample of differences, and two independent samples. */
#ifndef STATS_T_TEST_H
#define STATS_T_TEST_H

#include <stddef.h>

#include "stats/interval.h"
#include "stats/mann_whitney.h"

/* Every field NaN when a variance cannot be had or is zero: t is undefined then. */
struct t_test {
	double difference; /* mean, or mean(b) - mean(a) */
	double standard_error, t, df, p;
	double p_greater, p_less; /* one-sided */
};

struct t_test t_test_one(const double *differences, size_t count, double shift);
struct t_test t_test_welch(const struct two_samples *samples);
/* Of test->difference, at level. */
struct interval t_test_interval(const struct t_test *test, double level);
/* Schuirmann's two one-sided tests of |mean| < limit: the larger p. */
double t_test_equivalence(const double *differences, size_t count, double limit);

#endif
