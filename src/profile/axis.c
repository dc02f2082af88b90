/* Functions along an axis: rows of several diffs that share their first side, put together. */
#include "profile/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/adjust.h"
#include "stats/trend.h"

#define MINIMUM_SAMPLES 10
#define FALSE_DISCOVERIES 0.05

/* A row of one of the diffs, by the function it is of. */
struct entry {
	const struct pair_item *item;
	const struct diff_row *row;
	size_t diff;
};

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_functions(const struct entry *a, const struct entry *b)
{
	int order = compare_texts(a->item->shown, b->item->shown);

	if (!order)
		order = compare_texts(a->item->object, b->item->object);
	return order ? order : compare_texts(a->item->file, b->item->file);
}

static int by_function(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_functions(a, b);

	return order ? order : (a->diff > b->diff) - (a->diff < b->diff);
}

/* What a row is called: by the first recording, which all diffs share, if that has it. */
static const struct pair_item *item_of(const struct diff *diff, const struct diff_row *row)
{
	const struct pair *pair = row->pair;

	return pair->a_count ? &diff_side(diff, 0)->items[pair->a[0]] : &diff_side(diff, 1)->items[pair->b[0]];
}

static struct entry *list_entries(const struct diff *const *diffs, size_t count, size_t *ret)
{
	struct entry *entries = NULL;
	size_t used = 0, capacity = 0;

	for (size_t i = 0; i < count; i++) {
		const struct diff_row *rows;
		size_t row_count = diff_rows(diffs[i], &rows);

		for (size_t j = 0; j < row_count; j++) {
			array_grow(&entries, used, &capacity);
			entries[used++] = (struct entry){ item_of(diffs[i], &rows[j]), &rows[j], i };
		}
	}
	if (used)
		qsort(entries, used, sizeof(*entries), by_function);
	*ret = used;
	return entries;
}

/* Several rows of one diff may have one name: they are one function here. */
static void fill_row(struct axis *axis, struct axis_row *row, const struct entry *entries, size_t count)
{
	*row = (struct axis_row){ .item = entries[0].item, .events = memory_zeroed(axis->count, sizeof(double)),
				  .samples = memory_zeroed(axis->count, sizeof(double)), .z = NAN, .p = NAN, .q = NAN };
	for (size_t i = 0; i < count; i++) {
		const struct diff_row *from = entries[i].row;

		if (entries[i].diff == entries[0].diff) {
			row->events[0] += from->a;
			row->samples[0] += from->a_samples;
		}
		row->events[entries[i].diff + 1] += from->b;
		row->samples[entries[i].diff + 1] += from->b_samples;
	}
}

static void join_rows(struct axis *axis, const struct entry *entries, size_t count)
{
	axis->rows = memory_zeroed(count + 1, sizeof(*axis->rows));
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && !compare_functions(&entries[first], &entries[end]);)
			end++;
		fill_row(axis, &axis->rows[axis->row_count++], &entries[first], end - first);
	}
}

static void sum_up(struct axis *axis)
{
	for (size_t i = 0; i < axis->row_count; i++)
		for (size_t j = 0; j < axis->count; j++) {
			axis->events[j] += axis->rows[i].events[j];
			axis->samples[j] += axis->rows[i].samples[j];
		}
}

static void test_rows(struct axis *axis, const double *values)
{
	auto_free double *p = memory_zeroed(axis->row_count + 1, sizeof(*p));

	for (size_t i = 0; i < axis->row_count; i++) {
		struct axis_row *row = &axis->rows[i];
		double samples = 0;

		for (size_t j = 0; j < axis->count; j++)
			samples += row->samples[j];
		if (samples >= MINIMUM_SAMPLES) {
			struct trend trend = trend_of_shares(row->samples, axis->samples, values, axis->count);

			row->z = trend.z;
			row->p = trend.p;
		}
		p[i] = row->p;
	}
	adjust_benjamini_hochberg(p, axis->row_count, p);
	for (size_t i = 0; i < axis->row_count; i++) {
		axis->rows[i].q = p[i];
		axis->rows[i].marked = p[i] <= FALSE_DISCOVERIES;
		axis->tested += !isnan(p[i]);
		axis->marked += axis->rows[i].marked;
	}
}

double axis_largest_share(const struct axis *axis, const struct axis_row *row)
{
	double largest = 0;

	for (size_t i = 0; i < axis->count; i++)
		if (axis->samples[i] > 0)
			largest = fmax(largest, row->samples[i] / axis->samples[i]);
	return largest;
}

static int by_share(const void *left, const void *right, void *data)
{
	double a = axis_largest_share(data, left), b = axis_largest_share(data, right);

	return (a < b) - (a > b);
}

struct axis *axis_create(const struct diff *const *diffs, const double *values, size_t count)
{
	struct axis *axis = memory_zeroed(1, sizeof(*axis));
	size_t entry_count;
	auto_free struct entry *entries = list_entries(diffs, count - 1, &entry_count);

	axis->count = count;
	axis->events = memory_zeroed(count, sizeof(double));
	axis->samples = memory_zeroed(count, sizeof(double));
	join_rows(axis, entries, entry_count);
	sum_up(axis);
	test_rows(axis, values);
	qsort_r(axis->rows, axis->row_count, sizeof(*axis->rows), by_share, axis);
	return axis;
}

void axis_destroy(struct axis *axis)
{
	if (!axis)
		return;
	for (size_t i = 0; i < axis->row_count; i++) {
		free(axis->rows[i].events);
		free(axis->rows[i].samples);
	}
	free(axis->rows);
	free(axis->events);
	free(axis->samples);
	free(axis);
}
