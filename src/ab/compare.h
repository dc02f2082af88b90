/* One metric of one arm against the first: estimates, intervals, verdict. */
#ifndef AB_COMPARE_H
#define AB_COMPARE_H

#include "ab/analysis.h"
#include "ab/pairs.h"
#include "stats/mann_whitney.h"

/* Which kind of interval decides, and at which alpha. */
struct compare_rules {
	double alpha;
	bool gate_on_mean, assume_normal;
};

/* Fill in c, whose quantity, arm, condition and is_gate are set. */
void compare_pairs(struct comparison *c, const struct pair_list *pairs, const struct runs *runs,
		   const struct compare_rules *rules);
/* The same for two samples that share no blocks. */
void compare_samples(struct comparison *c, const struct two_samples *samples, const struct compare_rules *rules);

/* Everything unknown and INSUFFICIENT: what no data say. */
void compare_start(struct comparison *c, double alpha);
/* Counts, means and medians of both sides, and the threshold on the scale of differences; mode is set. */
void compare_describe(struct comparison *c, const struct two_samples *samples);

/* Are the typical and the average run further apart than the threshold, and one outside the other's interval? */
bool compare_disagree(const struct comparison *c);

/* Verdict, blocks needed and smallest change from the intervals on the scale of differences. */
struct compare_scale {
	struct interval wide, narrow; /* as measured; turned round here when more is better */
	size_t count, minimum;
	double spread; /* sd of one difference */
};
void compare_judge(struct comparison *c, const struct compare_scale *scale);

/* Builds or layouts inside the arms: replaces the intervals and the verdict by those of the layout means. */
void compare_layouts(struct comparison *c, const struct pair_values *values, const struct compare_rules *rules);

#endif
