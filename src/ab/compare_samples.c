/* Comparisons without common blocks: separate files, and builds or layouts inside the arms. */
#include "ab/compare.h"

#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/fieller.h"
#include "stats/t_test.h"

#define LEAST_LAYOUTS 4 /* an arm: 4 + 4 can reach p = .029, 3 + 3 only .1 */

/* The least runs a side for an exact statement. */
static size_t samples_minimum(double alpha)
{
	size_t count = 2;

	while (count < 50 && mann_whitney_least_p(count, count) > alpha)
		count++;
	return count;
}

static struct interval exponential(struct interval interval)
{
	return (struct interval){ exp(interval.low), exp(interval.high), interval.level };
}

static enum paired_mode samples_mode(const struct two_samples *s, bool is_count)
{
	size_t count = s->a_count + s->b_count;
	auto_free double *pooled = memory_zeroed(count, sizeof(*pooled));

	for (size_t i = 0; i < count; i++)
		pooled[i] = i < s->a_count ? s->a[i] : s->b[i - s->a_count];
	return (is_count ? paired_choose_mode : paired_measure_mode)(pooled, pooled, count);
}

static double *on_scale(const double *values, size_t count, enum paired_mode mode)
{
	double *result = memory_zeroed(count, sizeof(*result));

	for (size_t i = 0; i < count; i++)
		result[i] = mode == PAIRED_LOG_RATIO ? log(values[i]) : values[i];
	return result;
}

/* Of one b - a, had the runs been paired. */
static double difference_sd(const struct two_samples *scaled)
{
	return sqrt(descriptive_variance(scaled->a, scaled->a_count) + descriptive_variance(scaled->b, scaled->b_count));
}

static bool all_equal(const struct two_samples *s)
{
	for (size_t i = 0; i < s->a_count + s->b_count; i++)
		if ((i < s->a_count ? s->a[i] : s->b[i - s->a_count]) != s->a[0])
			return false;
	return true;
}

void compare_samples(struct comparison *c, const struct two_samples *s, const struct compare_rules *rules)
{
	struct two_samples scaled = { NULL, NULL, s->a_count, s->b_count };
	auto_free double *a = NULL, *b = NULL;
	struct compare_scale scale = { .minimum = samples_minimum(rules->alpha) };

	compare_start(c, rules->alpha);
	c->blocks = s->a_count < s->b_count ? s->a_count : s->b_count;
	c->minimum = scale.minimum;
	if (!c->blocks)
		return;
	c->mode = samples_mode(s, c->quantity->is_count);
	scaled.a = a = on_scale(s->a, s->a_count, c->mode);
	scaled.b = b = on_scale(s->b, s->b_count, c->mode);
	compare_describe(c, s);
	c->mean.interval = fieller_unpaired(s, 1 - rules->alpha);
	c->absolute = (struct estimate){ mann_whitney_shift(s), mann_whitney_interval(s, rules->alpha) };
	c->p = mann_whitney_test(s).p;
	c->is_identical = all_equal(s);
	scale.wide = mann_whitney_interval(&scaled, rules->alpha);
	scale.narrow = mann_whitney_interval(&scaled, 2 * rules->alpha);
	scale.spread = difference_sd(&scaled);
	/* Unequal sides can be enough together where the smaller alone is not. */
	scale.count = mann_whitney_least_p(s->a_count, s->b_count) <= rules->alpha && c->blocks < scale.minimum ?
			      scale.minimum : c->blocks;
	c->typical.value = mann_whitney_shift(&scaled);
	c->typical.interval = scale.wide;
	c->narrow = scale.narrow;
	if (c->mode == PAIRED_LOG_RATIO) {
		c->typical = (struct estimate){ exp(c->typical.value), exponential(scale.wide) };
		c->narrow = exponential(scale.narrow);
	}
	c->means_disagree = compare_disagree(c);
	compare_judge(c, &scale);
}

/* Layout numbers as they come from a file, made dense: group[i] < *groups. */
static size_t *dense_layouts(const struct pair_values *v, bool of_b, size_t *groups)
{
	size_t *group = memory_zeroed(v->count, sizeof(*group));
	auto_free uint32_t *seen = memory_zeroed(v->count, sizeof(*seen));

	*groups = 0;
	for (size_t i = 0; i < v->count; i++) {
		uint32_t layout = of_b ? v->pairs[i].b->layout : v->pairs[i].a->layout;
		size_t place = 0;

		while (place < *groups && seen[place] != layout)
			place++;
		if (place == *groups)
			seen[(*groups)++] = layout;
		group[i] = place;
	}
	return group;
}

static void judge_layouts(struct comparison *c, const struct two_samples *means, const struct compare_rules *rules)
{
	struct t_test test = t_test_welch(means);
	struct compare_scale scale = { t_test_interval(&test, 1 - rules->alpha),
				       t_test_interval(&test, 1 - 2 * rules->alpha), c->layouts, LEAST_LAYOUTS,
				       difference_sd(means) };

	c->p = test.p;
	c->typical = (struct estimate){ test.difference, scale.wide };
	c->narrow = scale.narrow;
	if (c->mode == PAIRED_LOG_RATIO) {
		c->typical = (struct estimate){ exp(test.difference), exponential(scale.wide) };
		c->narrow = exponential(scale.narrow);
	}
	c->p_equivalent = NAN;
	compare_judge(c, &scale);
}

void compare_layouts(struct comparison *c, const struct pair_values *v, const struct compare_rules *rules)
{
	size_t groups_a, groups_b;
	auto_free size_t *group_a = dense_layouts(v, false, &groups_a), *group_b = dense_layouts(v, true, &groups_b);

	c->layouts = groups_a < groups_b ? groups_a : groups_b;
	if (c->layouts < 2 || c->layouts == v->count || c->is_identical)
		return;

	auto_free double *a = on_scale(v->a, v->count, c->mode), *b = on_scale(v->b, v->count, c->mode);
	auto_free double *means_a = memory_zeroed(groups_a, sizeof(*means_a));
	auto_free double *means_b = memory_zeroed(groups_b, sizeof(*means_b));
	struct two_samples means = { means_a, means_b, groups_a, groups_b };

	c->layout_a = variance_components_fit(a, group_a, v->count, groups_a);
	c->layout_b = variance_components_fit(b, group_b, v->count, groups_b);
	variance_components_means(a, group_a, v->count, groups_a, means_a);
	variance_components_means(b, group_b, v->count, groups_b, means_b);
	c->run_p = c->p;
	judge_layouts(c, &means, rules);
}
