/* The arms of one experiment, paired by block. */
#include <math.h>
#include <string.h>

#include "ab/analysis_parts.h"
#include "base/memory.h"

static bool same_text(const char *one, const char *other)
{
	return one && other && strcmp(one, other) == 0;
}

/* The same bytes called with the same arguments. */
static bool same_program(const struct run_arm *one, const struct run_arm *other)
{
	const char *const *a = one->command, *const *b = other->command;

	if (!same_text(one->content_hash, other->content_hash) || !a || !b || !a[0] || !b[0])
		return false;
	for (a++, b++; *a && *b; a++, b++)
		if (strcmp(*a, *b) != 0)
			return false;
	return !*a && !*b;
}

void analysis_list_arms(struct analysis *analysis, const struct runs *runs)
{
	analysis->arm_count = runs->arm_count;
	analysis->arms = memory_zeroed(runs->arm_count, sizeof(*analysis->arms));
	analysis->is_same_program = true;
	for (size_t i = 0; i < runs->arm_count; i++) {
		analysis->arms[i].name = runs->arms[i].name;
		analysis->arms[i].is_control = same_program(&runs->arms[0], &runs->arms[i]);
		analysis->is_same_program &= analysis->arms[i].is_control;
	}
}

static void list_conditions(struct analysis *analysis, const struct runs *runs)
{
	size_t capacity = analysis->condition_count;

	for (size_t i = 0; i < runs->count; i++) {
		size_t known = 0;

		while (known < analysis->condition_count &&
		       !pairs_same_condition(analysis->conditions[known], runs->items[i].condition))
			known++;
		if (known < analysis->condition_count)
			continue;
		array_grow(&analysis->conditions, analysis->condition_count, &capacity);
		analysis->conditions[analysis->condition_count++] = runs->items[i].condition;
	}
}

static int by_number(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void count_blocks(struct analysis *analysis, const struct runs *runs)
{
	auto_free uint64_t *blocks = memory_zeroed(runs->count, sizeof(*blocks));

	for (size_t i = 0; i < runs->count; i++) /* a void run first in its block */
		blocks[i] = (uint64_t)runs->items[i].block << 1 | !runs->items[i].is_void;
	qsort(blocks, runs->count, sizeof(*blocks), by_number);
	for (size_t i = 0; i < runs->count; i++) {
		if (i && blocks[i] >> 1 == blocks[i - 1] >> 1)
			continue;
		if (blocks[i] & 1)
			analysis->blocks++;
		else
			analysis->void_blocks++;
	}
}

void analysis_add_runs(struct analysis *analysis, const struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		if (runs->items[i].arm < runs->arm_count)
			analysis->arms[runs->items[i].arm].void_runs += runs->items[i].is_void;
	list_conditions(analysis, runs);
	count_blocks(analysis, runs);
}

void analysis_list_comparisons(struct analysis *analysis, const struct analysis_options *options)
{
	size_t arms = analysis->arm_count - 1;

	analysis->comparisons = memory_zeroed(analysis->condition_count * arms * analysis->quantity_count,
					      sizeof(*analysis->comparisons));
	for (size_t condition = 0; condition < analysis->condition_count; condition++)
		for (size_t arm = 1; arm <= arms; arm++)
			for (size_t i = 0; i < analysis->quantity_count; i++) {
				struct comparison *c = &analysis->comparisons[analysis->comparison_count++];

				c->quantity = &analysis->quantities[i];
				c->arm = arm;
				c->condition = analysis->conditions[condition];
				c->is_control = analysis->arms[arm].is_control && !analysis->is_same_program;
				c->is_gate = !c->is_control && analysis_is_gate(options, c->quantity);
			}
}

/* The comparisons of one arm and condition share their pairs. */
static void compare_all(struct analysis *analysis, const struct runs *runs, const struct analysis_options *options)
{
	struct pair_list pairs = { NULL, 0 };

	for (size_t i = 0; i < analysis->comparison_count; i++) {
		struct comparison *c = &analysis->comparisons[i];
		struct compare_rules rules = analysis_rules(analysis, options, c);

		if (i % analysis->quantity_count == 0) {
			free(pairs.items);
			pairs = pairs_collect(runs, c->arm, c->condition);
		}
		compare_pairs(c, &pairs, runs, &rules);
	}
	free(pairs.items);
}

static void find_causes(struct analysis *analysis, const struct runs *runs, double level)
{
	analysis->causes = memory_zeroed(analysis->condition_count * (analysis->arm_count - 1),
					 sizeof(*analysis->causes));
	for (size_t condition = 0; condition < analysis->condition_count; condition++)
		for (size_t arm = 1; arm < analysis->arm_count; arm++)
			analysis->causes[analysis->cause_count++] =
				cause_find(runs, arm, analysis->conditions[condition], level);
}

struct error *analysis_create(const struct runs *runs, const struct analysis_options *options, struct analysis **ret)
{
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	struct error *err;

	if (runs->arm_count < 2)
		return error_new(ERROR_USAGE, "one command cannot be compared: give at least two");
	err = analysis_begin(runs, options, &analysis);
	if (err)
		return err;
	analysis->is_paired = true;
	analysis_list_arms(analysis, runs);
	analysis_add_runs(analysis, runs);
	analysis_list_comparisons(analysis, options);
	compare_all(analysis, runs, options);
	analysis_adjust(analysis);
	find_causes(analysis, runs, 1 - analysis_alpha(options));
	analysis_set_exit_status(analysis, options);
	analysis_diagnose(analysis, runs);
	*ret = take(analysis);
	return NULL;
}
