/* Two profiles compared function by function: rows, their cost, their order. */
#include "profile/diff.h"

#include <math.h>

#include "base/memory.h"
#include "profile/diff_table.h"

bool diff_has_replicates(const struct diff *diff)
{
	return diff->sides[0].run_count > 1 && diff->sides[1].run_count > 1;
}

const double *diff_counts(const struct diff *diff, size_t side, size_t row)
{
	return diff->counts[side] + row * diff->sides[side].run_count;
}

static double side_sum(const struct diff_side *side, const double *values)
{
	double sum = 0;

	for (size_t i = 0; i < side->item_count * side->run_count; i++)
		sum += values[i];
	return sum;
}

/* Events a sample stands for, on average. */
static double mean_period(const struct diff_side *side)
{
	double samples = side_sum(side, side->samples);

	return samples > 0 ? side_sum(side, side->events) / samples : 0;
}

static double operations(const struct diff *diff, size_t side)
{
	return diff->setup.operations[side] > 0 ? diff->setup.operations[side] : 1;
}

/* Counts are events over one unit for both sides, the coarser one, so that their Poisson variance is never
 * understated; for the same reason the side that did more work is scaled down. */
static void choose_scale(struct diff *diff)
{
	double a = operations(diff, 0), b = operations(diff, 1), least = fmin(a, b);

	diff->unit = fmax(mean_period(&diff->sides[0]), mean_period(&diff->sides[1]));
	if (!(diff->unit > 0))
		diff->unit = 1;
	diff->scale[0] = least / a;
	diff->scale[1] = least / b;
}

/* Sum of an item array over the items of a row and all runs. */
static double row_sum(const struct diff_side *side, const double *values, const size_t *items, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t run = 0; run < side->run_count; run++)
			sum += values[items[i] * side->run_count + run];
	return sum;
}

static void count_row(struct diff *diff, size_t side_index, size_t row, const size_t *items, size_t count)
{
	const struct diff_side *side = &diff->sides[side_index];
	double *counts = diff->counts[side_index] + row * side->run_count;

	for (size_t i = 0; i < count; i++)
		for (size_t run = 0; run < side->run_count; run++)
			counts[run] += side->events[items[i] * side->run_count + run] / diff->unit *
				       diff->scale[side_index];
}

static double per_run(const struct diff *diff, size_t side, double events)
{
	return events / (double)diff->sides[side].run_count / operations(diff, side);
}

static void fill_row(struct diff *diff, size_t index, const struct pair *pair)
{
	struct diff_row *row = &diff->rows[index];
	const struct diff_side *a = &diff->sides[0], *b = &diff->sides[1];
	static const struct interval unknown = { NAN, NAN, NAN };

	*row = (struct diff_row){
		.pair = pair,
		.a = per_run(diff, 0, row_sum(a, a->events, pair->a, pair->a_count)),
		.b = per_run(diff, 1, row_sum(b, b->events, pair->b, pair->b_count)),
		.a_samples = row_sum(a, a->samples, pair->a, pair->a_count),
		.b_samples = row_sum(b, b->samples, pair->b, pair->b_count),
		.difference_interval = unknown,
		.ratio_interval = unknown,
		.p = NAN,
		.q = NAN,
		.probably_inlined_into = SIZE_MAX,
	};
	row->difference = row->b - row->a;
	row->ratio = row->a > 0 ? row->b / row->a : row->b > 0 ? INFINITY : NAN;
}

static int compare_rows(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;
	double x = fabs(a->difference), y = fabs(b->difference);

	if (x != y)
		return x > y ? -1 : 1;
	if (a->b != b->b)
		return a->b > b->b ? -1 : 1;
	return a->pair < b->pair ? -1 : a->pair > b->pair;
}

/* Rows in their order, then the counts in the order of the rows. */
static void build_rows(struct diff *diff)
{
	const struct pair *pairs;
	size_t count = pairing_pairs(diff->pairing, &pairs);

	diff->rows = memory_zeroed(count, sizeof(*diff->rows));
	diff->row_count = count;
	for (size_t i = 0; i < count; i++)
		fill_row(diff, i, &pairs[i]);
	qsort(diff->rows, count, sizeof(*diff->rows), compare_rows);
	for (size_t side = 0; side < 2; side++)
		diff->counts[side] = memory_zeroed(count * diff->sides[side].run_count, sizeof(double));
	for (size_t i = 0; i < count; i++) {
		const struct pair *pair = diff->rows[i].pair;

		count_row(diff, 0, i, pair->a, pair->a_count);
		count_row(diff, 1, i, pair->b, pair->b_count);
	}
}

static void sum_totals(struct diff *diff)
{
	struct diff_totals *totals = &diff->totals;

	for (size_t i = 0; i < diff->row_count; i++) {
		totals->a += diff->rows[i].a;
		totals->b += diff->rows[i].b;
		totals->a_samples += diff->rows[i].a_samples;
		totals->b_samples += diff->rows[i].b_samples;
	}
	for (size_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->rows[i];

		row->a_share = totals->a > 0 ? row->a / totals->a : 0;
		row->b_share = totals->b > 0 ? row->b / totals->b : 0;
	}
}

struct error *diff_create(const struct diff_side *a, const struct diff_side *b, const struct diff_setup *setup,
			  struct diff **ret)
{
	if (!a->run_count || !b->run_count)
		return error_new(ERROR_USAGE, "%s has no run to compare", (a->run_count ? b : a)->label);
	if (setup->paired_runs && a->run_count != b->run_count)
		return error_new(ERROR_USAGE, "%s has %zu runs and %s %zu: they cannot be paired", a->label,
				 a->run_count, b->label, b->run_count);

	struct diff *diff = memory_zeroed(1, sizeof(*diff));

	diff->sides[0] = *a;
	diff->sides[1] = *b;
	diff->setup = *setup;
	diff->pairing = pairing_create(a->items, a->item_count, b->items, b->item_count, &setup->pairing);
	choose_scale(diff);
	build_rows(diff);
	sum_totals(diff);
	diff_test_rows(diff);
	diff_note_rows(diff);
	*ret = diff;
	return NULL;
}

size_t diff_rows(const struct diff *diff, const struct diff_row **ret)
{
	*ret = diff->rows;
	return diff->row_count;
}

const struct diff_totals *diff_totals(const struct diff *diff)
{
	return &diff->totals;
}

const struct diff_control *diff_control(const struct diff *diff)
{
	return &diff->control;
}

const struct diff_side *diff_side(const struct diff *diff, size_t side)
{
	return &diff->sides[side];
}

void diff_destroy(struct diff *diff)
{
	if (!diff)
		return;
	pairing_destroy(diff->pairing);
	free(diff->rows);
	free(diff->counts[0]);
	free(diff->counts[1]);
	free(diff);
}
