/* Made-up runs for the tests of analysis and reports: what the values are is known exactly. */
#ifndef TESTS_UNIT_SYNTHETIC_H
#define TESTS_UNIT_SYNTHETIC_H

#include <stddef.h>

#include "runs/runs.h"

/* Two arms "A" and "B" of different programs, one event "cycles", `blocks` blocks in alternating order. Wall times
 * and cycles are a[block] and b[block]. The caller destroys. */
struct runs *synthetic_pair(const double *a, const double *b, size_t blocks);
/* The same with a fixed at 1e9 and b = 1e9 exp(centre + half z), z spread so that the 95 % interval of ten blocks
 * is about centre -+ half. */
struct runs *synthetic_effect(double centre, double half, size_t blocks);
/* The run of an arm in a block. */
struct run *synthetic_run(struct runs *runs, size_t arm, size_t block);

#endif
