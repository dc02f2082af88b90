/* The k-th smallest of many numbers that are never written out, such as all averages of two values. */
#ifndef STATS_SELECT_H
#define STATS_SELECT_H

#include <stddef.h>

/* How many of the numbers are <= x; must not fall as x rises. */
typedef size_t select_count(const void *context, double x);

/* The k-th smallest (from 1) of the numbers counted; all of them lie in [low, high]. Exact: bisection over the
 * doubles themselves, at most 64 counts. */
double select_kth(select_count *count, const void *context, double low, double high, size_t k);

#endif
