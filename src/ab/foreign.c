/* Other load beside the runs of an experiment: what stands out among them, not what is always there. */
#include "ab/foreign.h"

#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"

/* Iglewicz and Hoaglin 1993: 3.5 of the MAD scaled to a standard deviation. */
static const double most_deviations = 3.5, mad_scale = 1.4826;

static double share_of(const struct run *run)
{
	return run->wall_ns ? (double)run->foreign_ns / (double)run->wall_ns : 0;
}

/* Shares of the runs that count; the caller frees. known: some run has one. */
static double *shares(const struct runs *runs, size_t *count, bool *known)
{
	double *values = memory_zeroed(runs->count + 1, sizeof(*values));

	*count = 0;
	*known = false;
	for (size_t i = 0; i < runs->count; i++) {
		if (runs->items[i].is_void)
			continue;
		*known |= runs->items[i].foreign_ns != 0;
		values[(*count)++] = share_of(&runs->items[i]);
	}
	return values;
}

double foreign_median(const struct runs *runs)
{
	size_t count;
	bool known;
	auto_free double *values = shares(runs, &count, &known);

	return known ? descriptive_median(values, count) : NAN;
}

void foreign_judge(struct runs *runs)
{
	size_t count;
	bool known;
	auto_free double *values = shares(runs, &count, &known);
	double limit;

	if (!known)
		return;
	limit = descriptive_median(values, count) + most_deviations * mad_scale * descriptive_mad(values, count);
	for (size_t i = 0; i < runs->count; i++)
		if (share_of(&runs->items[i]) <= limit)
			runs->items[i].flags &= ~(uint32_t)RUN_FOREIGN_LOAD;
}
