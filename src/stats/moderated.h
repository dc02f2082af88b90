/* Many small samples of one kind lend each other their variance: moderated t, and its scale for counts. */
#ifndef STATS_MODERATED_H
#define STATS_MODERATED_H

#include <stddef.h>

/* Freeman and Tukey's sqrt(y) + sqrt(y + 1): of a Poisson count the variance is 1 whatever its mean. */
double moderated_freeman_tukey(double count);

/* The Poisson variance of a difference of two such values: no run-to-run variance is below it. */
#define MODERATED_POISSON_FLOOR 2

/* What the variances of all rows say about one: an inverse chi-square of df (may be infinite) around variance. */
struct variance_prior {
	double df, variance;
	double pooled_df; /* the df of all rows together: no row is given more */
};

/* variances: [count], each with df degrees of freedom. No prior (df 0) from fewer than two rows.
 * Source: Smyth 2004, the moments of log variances. */
struct variance_prior moderated_prior(const double *variances, size_t count, double df);

/* One row: an estimate whose variance is unscaled x its variance per observation. */
struct moderated_row {
	double estimate;  /* mean difference */
	double variance;  /* of one observation */
	double df;        /* of variance */
	double unscaled;  /* 1/n for a mean of n, 1/na + 1/nb for a difference of means */
};

struct moderated {
	double variance; /* after lending, not below floor */
	double t, df, p, standard_error;
};

struct moderated moderated_test(const struct moderated_row *row, const struct variance_prior *prior, double floor);

#endif
