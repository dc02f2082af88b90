/* One experiment over several machines: the machine is the sample, and the answer is meant for machines not tried. */
#include <math.h>

#include "ab/analysis_parts.h"
#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"
#include "stats/t_test.h"

enum { LEAST_MACHINES = 2 };

/* The pairs of one machine's parts in one metric. */
struct machine_values {
	double *a, *b;
	size_t count;
};

/* Everything one comparison is made of: values of all machines. */
struct gathered {
	struct machine_values *items; /* [count], machines */
	size_t count, total, scaled;
};

/* The pairs of every part, shared by all metrics of one arm and condition. */
struct part_pairs {
	struct pair_list *lists; /* parts of the first machine, then of the second, … */
	size_t count;
};

static void part_pairs_release(struct part_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++)
		free(pairs->lists[i].items);
	free(pairs->lists);
	*pairs = (struct part_pairs){ NULL, 0 };
}

static void gathered_release(struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->count; i++) {
		free(gathered->items[i].a);
		free(gathered->items[i].b);
	}
	free(gathered->items);
}

static struct part_pairs collect(const struct machine_list *list, size_t arm, const char *condition)
{
	struct part_pairs pairs = { NULL, 0 };
	size_t capacity = 0;

	for (size_t m = 0; m < list->count; m++)
		for (size_t p = 0; p < list->items[m].part_count; p++) {
			array_grow(&pairs.lists, pairs.count, &capacity);
			pairs.lists[pairs.count++] = pairs_collect(list->items[m].parts[p], arm, condition);
		}
	return pairs;
}

static void append_values(struct machine_values *to, const struct pair_values *v)
{
	size_t room = to->count + v->count;

	to->a = memory_resize(to->a, room + 1, sizeof(*to->a));
	to->b = memory_resize(to->b, room + 1, sizeof(*to->b));
	for (size_t i = 0; i < v->count; i++) {
		to->a[to->count + i] = v->a[i];
		to->b[to->count + i] = v->b[i];
	}
	to->count = room;
}

static struct gathered gather(const struct machine_list *list, const struct part_pairs *pairs,
			      const struct quantity *wanted)
{
	struct gathered all = { memory_zeroed(list->count, sizeof(*all.items)), list->count, 0, 0 };
	size_t next = 0;

	for (size_t m = 0; m < list->count; m++)
		for (size_t p = 0; p < list->items[m].part_count; p++) {
			auto_pair_values struct pair_values v = pair_values_collect(
				&pairs->lists[next++], list->items[m].parts[p], wanted, false);

			append_values(&all.items[m], &v);
			all.total += v.count;
			all.scaled += v.scaled;
		}
	return all;
}

static struct interval mapped(struct interval interval, enum paired_mode mode)
{
	if (mode == PAIRED_LOG_RATIO)
		return (struct interval){ exp(interval.low), exp(interval.high), interval.level };
	return interval;
}

static struct estimate mapped_estimate(double value, struct interval interval, enum paired_mode mode)
{
	return (struct estimate){ mode == PAIRED_LOG_RATIO ? exp(value) : value, mapped(interval, mode) };
}

/* Is the effect, on a scale where more is worse, without doubt on one side? */
static void judge_side(struct machine_effect *effect, const struct comparison *c, struct interval wide)
{
	bool turn = c->quantity->higher_is_better;

	effect->is_worse = turn ? wide.high < 0 : wide.low > 0;
	effect->is_better = turn ? wide.low > 0 : wide.high < 0;
}

static enum verdict verdict_of(const struct comparison *c, struct interval wide, struct interval narrow, size_t count)
{
	struct comparison alone = *c;
	struct compare_scale scale = { wide, narrow, count, 2, 0 };

	compare_judge(&alone, &scale);
	return alone.verdict;
}

/* One machine's mean difference, with Student's interval of its blocks. */
static struct machine_effect measure_machine(const struct comparison *c, const struct machine_values *v, size_t of)
{
	struct machine_effect effect = { .of = of, .blocks = v->count, .machines = 1, .scaled = NAN, .variance = NAN };
	auto_free double *d = memory_zeroed(v->count, sizeof(*d));
	struct t_test test;
	struct interval wide, narrow;

	effect.effect = (struct estimate){ NAN, { NAN, NAN, NAN } };
	if (!v->count)
		return effect;
	paired_differences(v->a, v->b, v->count, c->mode, d);
	test = t_test_one(d, v->count, 0);
	effect.scaled = descriptive_mean(d, v->count);
	wide = t_test_interval(&test, 1 - c->alpha);
	narrow = t_test_interval(&test, 1 - 2 * c->alpha);
	if (v->count > 1) {
		effect.variance = descriptive_variance(d, v->count) / (double)v->count;
		if (effect.variance == 0) /* all blocks alike: nothing is uncertain */
			wide = narrow = (struct interval){ effect.scaled, effect.scaled, 1 - c->alpha };
	}
	effect.effect = mapped_estimate(effect.scaled, wide, c->mode);
	effect.verdict = v->count > 1 ? verdict_of(c, wide, narrow, v->count) : VERDICT_INSUFFICIENT;
	judge_side(&effect, c, wide);
	return effect;
}

/* Machines that have a variance, of one class or (of NULL) of all. next: the interval for one more, at level; NULL when
 * it is not wanted. */
static struct random_effects fit(const struct machine_effects *effects, const struct machine_list *list,
				 const size_t *cpu_class, double level, struct interval *next)
{
	auto_free double *y = memory_zeroed(effects->count, sizeof(*y)), *v = memory_zeroed(effects->count, sizeof(*v));
	struct random_effects fitted;
	size_t count = 0;

	for (size_t i = 0; i < effects->count; i++) {
		const struct machine_effect *effect = &effects->items[i];

		if (isnan(effect->variance) || (cpu_class && list->items[effect->of].cpu_class != *cpu_class))
			continue;
		y[count] = effect->scaled;
		v[count++] = effect->variance;
	}
	fitted = random_effects_fit(y, v, count);
	if (next)
		*next = random_effects_prediction(&fitted, y, v, level);
	return fitted;
}

/* A class of one machine says what the machine says. */
static struct machine_effect measure_class(const struct comparison *c, const struct machine_effects *effects,
					   const struct machine_list *list, size_t cpu_class)
{
	struct machine_effect sum = { .of = cpu_class };
	const struct machine_effect *only = NULL;
	struct random_effects fitted = fit(effects, list, &cpu_class, 0, NULL);
	struct interval wide = random_effects_interval(&fitted, 1 - c->alpha);

	for (size_t i = 0; i < effects->count; i++)
		if (list->items[effects->items[i].of].cpu_class == cpu_class) {
			sum.machines++;
			sum.blocks += effects->items[i].blocks;
			only = &effects->items[i];
		}
	if (sum.machines == 1) {
		struct machine_effect same = *only;

		same.of = cpu_class;
		return same;
	}
	sum.scaled = fitted.mean;
	sum.variance = fitted.standard_error * fitted.standard_error;
	sum.effect = mapped_estimate(fitted.mean, wide, c->mode);
	sum.verdict = verdict_of(c, wide, random_effects_interval(&fitted, 1 - 2 * c->alpha), fitted.count);
	judge_side(&sum, c, wide);
	return sum;
}

static struct machine_effects *measure_machines(struct analysis *analysis, const struct comparison *c,
						const struct gathered *all)
{
	struct machine_effects *effects = arena_alloc(analysis->arena, sizeof(*effects));
	const struct machine_list *list = analysis->machines;

	effects->count = list->count;
	effects->items = arena_alloc(analysis->arena, list->count * sizeof(*effects->items));
	for (size_t m = 0; m < list->count; m++) {
		struct machine_effect *effect = &effects->items[m];

		*effect = measure_machine(c, &all->items[m], m);
		effects->better += effect->is_better;
		effects->worse += effect->is_worse;
	}
	effects->fit = fit(effects, list, NULL, 1 - c->alpha, c->is_gate ? &effects->next : NULL);
	effects->next = c->is_gate ? mapped(effects->next, c->mode) : (struct interval){ NAN, NAN, NAN };
	effects->class_count = list->class_count;
	effects->classes = arena_alloc(analysis->arena, list->class_count * sizeof(*effects->classes));
	for (size_t i = 0; i < list->class_count; i++)
		effects->classes[i] = measure_class(c, effects, list, i);
	return effects;
}

/* B - A in the quantity's unit, whatever the scale of the ratio. */
static struct estimate absolute(const struct gathered *all, double level)
{
	auto_free double *y = memory_zeroed(all->count, sizeof(*y)), *v = memory_zeroed(all->count, sizeof(*v));
	size_t count = 0;

	for (size_t m = 0; m < all->count; m++) {
		const struct machine_values *values = &all->items[m];
		auto_free double *d = memory_zeroed(values->count, sizeof(*d));

		if (values->count < 2)
			continue;
		paired_differences(values->a, values->b, values->count, PAIRED_DIFFERENCE, d);
		y[count] = descriptive_mean(d, values->count);
		v[count++] = descriptive_variance(d, values->count) / (double)values->count;
	}

	struct random_effects fitted = random_effects_fit(y, v, count);

	return (struct estimate){ fitted.mean, random_effects_interval(&fitted, level) };
}

/* Two one-sided t tests of |effect| < limit: the larger p. */
static double equivalence_p(const struct random_effects *fitted, double limit)
{
	return fmax(t_cdf((fitted->mean - limit) / fitted->standard_error, fitted->df),
		    t_cdf(-(fitted->mean + limit) / fitted->standard_error, fitted->df));
}

static bool all_equal(const struct gathered *all)
{
	for (size_t m = 0; m < all->count; m++)
		for (size_t i = 0; i < all->items[m].count; i++)
			if (all->items[m].a[i] != all->items[m].b[i])
				return false;
	return true;
}

static void judge_machines(struct comparison *c, const struct machine_effects *effects)
{
	const struct random_effects *fitted = &effects->fit;
	struct compare_scale scale = { random_effects_interval(fitted, 1 - c->alpha),
				       random_effects_interval(fitted, 1 - 2 * c->alpha), fitted->count, LEAST_MACHINES,
				       fitted->standard_error * sqrt((double)fitted->count) };

	c->machines = effects;
	c->p = fitted->p;
	c->p_equivalent = equivalence_p(fitted, c->limit);
	c->typical = mapped_estimate(fitted->mean, scale.wide, c->mode);
	c->narrow = mapped(scale.narrow, c->mode);
	compare_judge(c, &scale);
	if (fitted->count < LEAST_MACHINES && effects->count == 1) /* shown, never judged */
		c->typical = effects->items[0].effect;
}

static void compare_machines(struct analysis *analysis, struct comparison *c, const struct gathered *all,
			     const struct compare_rules *rules)
{
	struct machine_values pooled = { 0 };

	compare_start(c, rules->alpha);
	c->is_paired = true;
	c->blocks = all->total;
	c->is_scaled = all->scaled > 0;
	c->minimum = LEAST_MACHINES;
	if (!all->total)
		return;
	for (size_t m = 0; m < all->count; m++) {
		struct pair_values v = { .a = all->items[m].a, .b = all->items[m].b, .count = all->items[m].count };

		append_values(&pooled, &v);
	}
	c->mode = (c->quantity->is_count ? paired_choose_mode : paired_measure_mode)(pooled.a, pooled.b, pooled.count);
	compare_describe(c, &(struct two_samples){ pooled.a, pooled.b, pooled.count, pooled.count });
	free(pooled.a);
	free(pooled.b);
	c->mean.value = NAN; /* of unlike machines there is no one ratio of means */
	c->absolute = absolute(all, 1 - rules->alpha);
	c->is_identical = all_equal(all);
	judge_machines(c, measure_machines(analysis, c, all));
}

static void compare_all(struct analysis *analysis, const struct analysis_options *options)
{
	cleanup(part_pairs_release) struct part_pairs pairs = { NULL, 0 };

	for (size_t i = 0; i < analysis->comparison_count; i++) {
		struct comparison *c = &analysis->comparisons[i];
		struct compare_rules rules = analysis_rules(analysis, options, c);

		if (i % analysis->quantity_count == 0) {
			part_pairs_release(&pairs);
			pairs = collect(analysis->machines, c->arm, c->condition);
		}

		cleanup(gathered_release) struct gathered all = gather(analysis->machines, &pairs, c->quantity);

		compare_machines(analysis, c, &all, &rules);
	}
}

struct error *analysis_create_machines(const struct machine_list *list, const struct analysis_options *options,
				       struct analysis **ret)
{
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	const struct runs *first = list->items[0].parts[0];
	struct error *err;

	if (first->arm_count < 2)
		return error_new(ERROR_USAGE, "one command cannot be compared: give at least two");
	err = analysis_begin(first, options, &analysis);
	if (err)
		return err;
	analysis->is_paired = true;
	analysis->machines = list;
	analysis_list_arms(analysis, first);
	for (size_t m = 0; m < list->count; m++)
		for (size_t p = 0; p < list->items[m].part_count; p++)
			analysis_add_runs(analysis, list->items[m].parts[p]);
	analysis_list_comparisons(analysis, options);
	compare_all(analysis, options);
	analysis_adjust(analysis);
	analysis_set_exit_status(analysis, options);
	analysis_diagnose_machines(analysis);
	*ret = take(analysis);
	return NULL;
}
