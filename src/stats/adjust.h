/* Many tests at once: adjusted p-values. */
#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include <stddef.h>

/* NaN is a test that was not made: it stays NaN and does not count. adjusted: [count], in the order of p. */
void adjust_bonferroni(const double *p, size_t count, double *adjusted);
void adjust_holm(const double *p, size_t count, double *adjusted);
void adjust_benjamini_hochberg(const double *p, size_t count, double *adjusted);
void adjust_benjamini_yekutieli(const double *p, size_t count, double *adjusted); /* any dependence */

/* The level for the intervals of rows that were selected by q: 1 - q selected / tested.
 * Source: Benjamini and Yekutieli 2005. */
double adjust_selected_level(double q, size_t selected, size_t tested);

#endif
