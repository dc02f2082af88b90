/* Costs of one operation, where a run makes a known number of them. */
#ifndef OUTPUT_AB_OPERATION_H
#define OUTPUT_AB_OPERATION_H

#include "base/text.h"
#include "output/ab_report.h"

/* value of a run, of one operation if operations are known and this quantity adds up over them. */
double ab_per_operation(const struct ab_report *report, const struct quantity *quantity, double value);
/* c->typical, where it is a difference that of one operation likewise; ratios are the same of both. */
struct estimate ab_typical_per_operation(const struct ab_report *report, const struct comparison *c);

/* "new over old, an operation: user +12.6 ns [+10.1, +14.9]; instructions +2.000 [+2.000, +2.000]": the first arm
 * subtracted block by block, for the comparisons [first, end) of one arm. Nothing without operations. */
void ab_append_over_first(struct text *out, const struct ab_report *report, size_t first, size_t end);

#endif
