/* Midranks: equal numbers share the mean of their places. */
#include "stats/ranks.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define TIE 1e-12

struct ranked {
	double value;
	size_t index;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return (a->value > b->value) - (a->value < b->value);
}

bool ranks_doubled(const double *values, size_t count, size_t *doubled)
{
	auto_free struct ranked *sorted = memory_zeroed(count, sizeof(*sorted));
	bool tied = false;

	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct ranked){ values[i], i };
	qsort(sorted, count, sizeof(*sorted), compare_ranked);
	for (size_t first = 0, end; first < count; first = end) {
		double reach = TIE * fabs(sorted[first].value);

		for (end = first + 1; end < count && sorted[end].value - sorted[first].value <= reach; end++)
			tied = true;
		for (size_t i = first; i < end; i++)
			doubled[sorted[i].index] = first + 1 + end; /* (first + 1) .. end, averaged and doubled */
	}
	return tied;
}
