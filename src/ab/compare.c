/* One metric of one arm against the first: estimates, intervals, verdict. */
#include "ab/compare.h"

#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/fieller.h"
#include "stats/signed_rank.h"
#include "stats/t_test.h"

#define NORMAL_MINIMUM 3
#define UNKNOWN ((struct interval){ NAN, NAN, NAN })

static struct interval turned(struct interval interval)
{
	return (struct interval){ -interval.high, -interval.low, interval.level };
}

static struct interval mapped(struct interval interval, enum paired_mode mode)
{
	if (mode == PAIRED_LOG_RATIO)
		return (struct interval){ exp(interval.low), exp(interval.high), interval.level };
	return interval;
}

static double to_scale(double value, enum paired_mode mode)
{
	return mode == PAIRED_LOG_RATIO ? exp(value) : value;
}

void compare_start(struct comparison *c, double alpha)
{
	c->alpha = alpha;
	c->typical = c->mean = c->absolute = c->unflagged = (struct estimate){ NAN, UNKNOWN };
	c->narrow = UNKNOWN;
	c->p = c->p_holm = c->q = c->p_equivalent = c->blocks_needed = c->smallest_change = c->run_p = NAN;
	c->verdict = c->unflagged_verdict = VERDICT_INSUFFICIENT;
}

void compare_describe(struct comparison *c, const struct two_samples *s)
{
	c->runs_a = s->a_count;
	c->runs_b = s->b_count;
	c->mean_a = descriptive_mean(s->a, s->a_count);
	c->mean_b = descriptive_mean(s->b, s->b_count);
	c->median_a = descriptive_median(s->a, s->a_count);
	c->median_b = descriptive_median(s->b, s->b_count);
	c->mean.value = c->mean_a > 0 ? c->mean_b / c->mean_a : NAN;
	c->limit = c->mode == PAIRED_LOG_RATIO ? log1p(c->quantity->threshold) :
						 c->quantity->threshold * fabs(c->mean_a);
}

static double half_width(const struct interval *interval)
{
	return (interval->high - interval->low) / 2;
}

static double needed(const struct comparison *c, const struct compare_scale *scale)
{
	double factor = half_width(&scale->wide) / c->limit, blocks = ceil(scale->count * factor * factor);

	if (verdict_is_decisive(c->verdict) || !(c->limit > 0) || !isfinite(blocks))
		return c->verdict == VERDICT_INSUFFICIENT ? (double)scale->minimum : NAN;
	return fmax(blocks, fmax(scale->minimum, scale->count + 1.0));
}

static bool outside(double value, const struct interval *interval)
{
	return value < interval->low || value > interval->high;
}

bool compare_disagree(const struct comparison *c)
{
	double apart = c->mode == PAIRED_LOG_RATIO ? log(c->mean.value / c->typical.value) :
						     c->mean_b - c->mean_a - c->typical.value;

	if (!(fabs(apart) > c->limit))
		return false;
	if (c->mode == PAIRED_DIFFERENCE)
		return outside(c->mean_b - c->mean_a, &c->typical.interval);
	return outside(c->mean.value, &c->typical.interval) || outside(c->typical.value, &c->mean.interval);
}

void compare_judge(struct comparison *c, const struct compare_scale *scale)
{
	bool turn = c->quantity->higher_is_better;
	struct verdict_case judged = { scale->count, scale->minimum, turn ? turned(scale->wide) : scale->wide,
				       turn ? turned(scale->narrow) : scale->narrow, c->limit };
	double change = 2.8 * scale->spread / sqrt(scale->count) * 1.02;

	c->minimum = scale->minimum;
	c->verdict = verdict_decide(&judged);
	c->not_worse = scale->count >= scale->minimum && judged.narrow.high <= c->limit;
	c->is_detectable = judged.wide.low > 0 || judged.wide.high < 0;
	c->blocks_needed = needed(c, scale);
	c->smallest_change = c->mode == PAIRED_LOG_RATIO ? expm1(change) : change;
}

static struct interval paired_t_interval(const double *d, size_t count, double alpha)
{
	struct t_test test = t_test_one(d, count, 0);

	if (isnan(test.standard_error)) /* all the same: nothing spreads */
		return (struct interval){ test.difference, test.difference, count > 1 ? 1 - alpha : NAN };
	return t_test_interval(&test, 1 - alpha);
}

/* On the scale of differences: what decides. */
static struct interval deciding(const struct comparison *c, const struct pair_values *v, const double *d,
				const struct compare_rules *rules, double alpha)
{
	struct interval ratio;

	if (!rules->gate_on_mean) {
		if (rules->assume_normal && v->count < signed_rank_minimum(rules->alpha))
			return paired_t_interval(d, v->count, alpha);
		return signed_rank_interval(d, v->count, alpha);
	}
	if (c->mode == PAIRED_DIFFERENCE)
		return paired_t_interval(d, v->count, alpha);
	ratio = fieller_interval(v->a, v->b, v->count, 1 - alpha);
	return (struct interval){ ratio.low > 0 ? log(ratio.low) : -INFINITY, log(ratio.high), ratio.level };
}

static size_t minimum_of(const struct compare_rules *rules)
{
	return rules->assume_normal ? NORMAL_MINIMUM : signed_rank_minimum(rules->alpha);
}

static bool all_zero(const double *d, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (d[i] != 0)
			return false;
	return count > 0;
}

static double equivalence_p(const double *d, size_t count, double limit)
{
	return fmax(signed_rank_test(d, count, -limit, ZEROS_RANKED_THEN_DROPPED).p_greater,
		    signed_rank_test(d, count, limit, ZEROS_RANKED_THEN_DROPPED).p_less);
}

static void estimate_pairs(struct comparison *c, const struct pair_values *v, const double *d,
			   const struct compare_rules *rules)
{
	auto_free double *plain = memory_zeroed(v->count, sizeof(*plain));
	struct compare_scale scale = { deciding(c, v, d, rules, rules->alpha),
				       deciding(c, v, d, rules, 2 * rules->alpha), v->count, minimum_of(rules),
				       descriptive_sd(d, v->count) };

	paired_differences(v->a, v->b, v->count, PAIRED_DIFFERENCE, plain);
	c->typical.value = to_scale(signed_rank_estimate(d, v->count), c->mode);
	c->typical.interval = mapped(rules->gate_on_mean ? signed_rank_interval(d, v->count, rules->alpha) : scale.wide,
				     c->mode);
	c->narrow = mapped(scale.narrow, c->mode);
	c->mean.interval = fieller_interval(v->a, v->b, v->count, 1 - rules->alpha);
	c->absolute = (struct estimate){ signed_rank_estimate(plain, v->count),
					 signed_rank_interval(plain, v->count, rules->alpha) };
	c->p = signed_rank_test(d, v->count, 0, ZEROS_RANKED_THEN_DROPPED).p;
	c->p_equivalent = equivalence_p(d, v->count, c->limit);
	c->is_identical = all_zero(d, v->count);
	compare_judge(c, &scale);
	c->means_disagree = compare_disagree(c);
}

/* The same without the blocks that carry a flag: shown beside the verdict, never in its place. */
static void compare_unflagged(struct comparison *c, const struct pair_list *pairs, const struct runs *runs,
			      const struct compare_rules *rules)
{
	auto_pair_values struct pair_values v = pair_values_collect(pairs, runs, c->quantity, true);
	auto_free double *d = memory_zeroed(v.count, sizeof(*d));
	struct comparison left = *c;
	struct compare_scale scale;

	paired_differences(v.a, v.b, v.count, c->mode, d);
	scale = (struct compare_scale){ deciding(c, &v, d, rules, rules->alpha),
					deciding(c, &v, d, rules, 2 * rules->alpha), v.count, minimum_of(rules),
					descriptive_sd(d, v.count) };
	compare_judge(&left, &scale);
	c->unflagged_verdict = left.verdict;
	if (v.count)
		c->unflagged = (struct estimate){ to_scale(signed_rank_estimate(d, v.count), c->mode),
						  mapped(scale.wide, c->mode) };
}

void compare_pairs(struct comparison *c, const struct pair_list *pairs, const struct runs *runs,
		   const struct compare_rules *rules)
{
	auto_pair_values struct pair_values v = pair_values_collect(pairs, runs, c->quantity, false);
	auto_free double *d = memory_zeroed(v.count, sizeof(*d));

	compare_start(c, rules->alpha);
	c->is_paired = true;
	c->blocks = v.count;
	c->flagged_blocks = v.flagged;
	c->is_scaled = v.scaled > 0;
	c->minimum = minimum_of(rules);
	if (!v.count)
		return;
	c->mode = (c->quantity->is_count ? paired_choose_mode : paired_measure_mode)(v.a, v.b, v.count);
	paired_differences(v.a, v.b, v.count, c->mode, d);
	compare_describe(c, &(struct two_samples){ v.a, v.b, v.count, v.count });
	estimate_pairs(c, &v, d, rules);
	if (v.flagged && v.flagged < v.count)
		compare_unflagged(c, pairs, runs, rules);
	compare_layouts(c, &v, rules);
}
