/* Runs inside builds: how much of the spread is the build (its code layout), how much the run. */
#include "stats/variance_components.h"

#include <math.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"

struct group_sums {
	double sum, mean;
	size_t count;
};

static struct group_sums *sum_groups(const double *values, const size_t *group, size_t count, size_t group_count)
{
	struct group_sums *sums = memory_zeroed(group_count, sizeof(*sums));

	for (size_t i = 0; i < count; i++) {
		sums[group[i]].sum += values[i];
		sums[group[i]].count++;
	}
	for (size_t g = 0; g < group_count; g++)
		sums[g].mean = sums[g].sum / sums[g].count;
	return sums;
}

struct variance_components variance_components_fit(const double *values, const size_t *group, size_t count,
						   size_t group_count)
{
	auto_free struct group_sums *sums = sum_groups(values, group, count, group_count);
	struct variance_components fit = { .count = count };
	double mean = descriptive_mean(values, count), between = 0, within = 0, squares = 0, size;

	for (size_t g = 0; g < group_count; g++) {
		if (!sums[g].count)
			continue;
		fit.groups++;
		squares += (double)sums[g].count * sums[g].count;
		between += sums[g].count * (sums[g].mean - mean) * (sums[g].mean - mean);
	}
	for (size_t i = 0; i < count; i++)
		within += (values[i] - sums[group[i]].mean) * (values[i] - sums[group[i]].mean);
	fit.ms_between = fit.groups > 1 ? between / (fit.groups - 1.0) : NAN;
	fit.ms_within = count > fit.groups ? within / (count - (double)fit.groups) : NAN;
	size = (count - squares / count) / (fit.groups - 1.0);
	fit.var_run = fit.ms_within;
	fit.var_group = (fit.ms_between - fit.ms_within) / size;
	if (fit.var_group < 0)
		fit.var_group = 0;
	fit.group_share = fit.var_group / (fit.var_group + fit.var_run);
	fit.f = fit.ms_between / fit.ms_within;
	fit.p = f_upper(fit.f, fit.groups - 1.0, count - (double)fit.groups);
	return fit;
}

size_t variance_components_means(const double *values, const size_t *group, size_t count, size_t group_count,
				 double *means)
{
	auto_free struct group_sums *sums = sum_groups(values, group, count, group_count);
	size_t found = 0;

	for (size_t g = 0; g < group_count; g++)
		if (sums[g].count)
			means[found++] = sums[g].mean;
	return found;
}

double variance_components_repeats(const struct variance_components *fit, double cost_group, double cost_run)
{
	return fmax(1, ceil(sqrt(cost_group / cost_run * (fit->var_run / fit->var_group))));
}
