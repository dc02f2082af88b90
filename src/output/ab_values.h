/* Cells and sentences of an A/B report, made of ab/wording.h, as every text format shows them. */
#ifndef OUTPUT_AB_VALUES_H
#define OUTPUT_AB_VALUES_H

#include "ab/analysis.h"
#include "base/text.h"

/* A value in its unit; "-" when there is none. */
void ab_append_value(struct text *out, const struct quantity *quantity, double value);
/* "1.030x [1.018, 1.043]"; for a difference of times or sizes with its unit: "+2.7 ms [-2.7, +9.4]". */
void ab_append_effect(struct text *out, const struct comparison *comparison, const struct estimate *estimate);
/* "+3.0 %", or nothing where a percentage says little. */
void ab_append_percent(struct text *out, const struct comparison *comparison, const struct estimate *estimate);
/* Of a gate "REGRESSED (>1 %)"; of other metrics what is settled: "worse", "better", "same", "-". */
void ab_append_verdict(struct text *out, const struct comparison *comparison);
void ab_append_explored(struct text *out, const struct comparison *comparison);
/* One sentence: how much, how sure, and what it means. */
void ab_append_sentence(struct text *out, const struct analysis *analysis, const struct comparison *comparison);

/* Comparisons of one arm under one condition stand together: the first of the next group. */
size_t ab_group_end(const struct analysis *analysis, size_t first);
/* "1 block", "20 blocks". */
void ab_append_count(struct text *out, size_t count, const char *noun);
/* Whether a row has anything to say: a gate, or something was counted. */
bool ab_is_shown(const struct comparison *comparison);

#endif
