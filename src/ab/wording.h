/* Results in words: the factor is always B/A, the noun names what was counted, and the digits are those that the
 * interval allows. "3x slower" and "200 % slower" cannot be written with these. */
#ifndef AB_WORDING_H
#define AB_WORDING_H

#include "ab/analysis.h"
#include "base/text.h"

/* Digits after the point so that two digits of the half-width are seen; 4 for an interval of no width, 3 for none. */
int wording_decimals(const struct interval *interval);

/* "1.204 s", "12.3 MiB", "1,234,567", "?": value in the quantity's unit. */
void wording_value(struct text *text, double value, const char *unit);
/* "1.030x"; "1.030x [1.018, 1.043]"; "[unbounded]" for an infinite side. */
void wording_ratio(struct text *text, double ratio, const struct interval *interval);
void wording_ratio_interval(struct text *text, const struct estimate *ratio);
/* "+3.0 %", signed, of a ratio. */
void wording_percent(struct text *text, double ratio, const struct interval *interval);
/* As a column beside the ratio: nothing when the ratio is >= 2 or <= 0.5, where it says it better. */
void wording_percent_column(struct text *text, const struct estimate *ratio);
/* "+2.0 [0.5, 4.0]", a difference of counts; "+1.2 pp" for shares in 0..1. */
void wording_difference(struct text *text, const struct estimate *difference);
void wording_points(struct text *text, double share_difference);

/* "B takes 3.00x the time of A (+200 %)"; "B has 0.95x the rate of A (-5.0 %)";
 * "B has +2.0 [0.5, 4.0] page-faults a run against A". */
void wording_sentence(struct text *text, const struct analysis *analysis, const struct comparison *c);
/* "REGRESSED (>1 %)", as in a table. */
void wording_verdict(struct text *text, const struct comparison *c);
/* What the verdict means: "worse by at least 1.8 %", "no change larger than 1 % (detectable: yes)", ... */
void wording_meaning(struct text *text, const struct comparison *c);
/* "wall  A 1.204 s  B 1.240 s  B/A 1.030x [1.018, 1.043]  +3.0 %  REGRESSED (>1 %)  n=20 blocks". */
void wording_line(struct text *text, const struct analysis *analysis, const struct comparison *c);
/* "without the 3 flagged blocks: 1.028x [1.015, 1.041], REGRESSED"; nothing when none is flagged. */
void wording_sensitivity(struct text *text, const struct comparison *c);
/* "wall +3.2 % [1.1, 5.3] = instructions +0.3 % [..] + cycles per instruction +2.9 % [..] + ...". */
void wording_cause(struct text *text, const struct cause *cause);
/* "layout explains 89 % of the variance (A 90 %, B 88 %), 6 builds an arm"; nothing when not nested. */
void wording_layouts(struct text *text, const struct comparison *c);

#endif
