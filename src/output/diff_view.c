/* What all forms of a diff share: the order of rows, and what names one. */
#include "output/diff.h"

#include <math.h>

#include "base/memory.h"

const struct pair_item *diff_row_item(const struct diff *diff, const struct diff_row *row)
{
	const struct pair *pair = row->pair;

	return pair->b_count ? &diff_side(diff, 1)->items[pair->b[0]] : &diff_side(diff, 0)->items[pair->a[0]];
}

double diff_row_value(const struct diff_view *view, const struct diff_row *row)
{
	if (view->compute == DIFF_WEIGHTED)
		return row->b * view->weights[1] - row->a * view->weights[0];
	return row->difference;
}

bool diff_row_hidden(const struct diff_view *view, const struct diff_row *row)
{
	double limit = view->percent_limit / 100;

	return !row->marked && row->a_share < limit && row->b_share < limit;
}

struct ordered {
	double key;
	size_t row;
};

static double order_key(const struct diff_view *view, const struct diff_row *row)
{
	if (view->compute == DIFF_RATIO)
		return isnan(row->ratio) ? -INFINITY : row->ratio;
	if (view->compute == DIFF_DELTA_ABS)
		return fabs(row->difference);
	return diff_row_value(view, row);
}

static int compare_ordered(const void *left, const void *right)
{
	const struct ordered *a = left, *b = right;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	return a->row < b->row ? -1 : 1;
}

size_t *diff_view_order(const struct diff_view *view)
{
	const struct diff_row *rows;
	size_t count = diff_rows(view->diff, &rows);
	auto_free struct ordered *ordered = memory_zeroed(count, sizeof(*ordered));
	size_t *order = memory_zeroed(count, sizeof(*order));

	for (size_t i = 0; i < count; i++)
		ordered[i] = (struct ordered){ order_key(view, &rows[i]), i };
	qsort(ordered, count, sizeof(*ordered), compare_ordered);
	for (size_t i = 0; i < count; i++)
		order[i] = ordered[i].row;
	return order;
}
