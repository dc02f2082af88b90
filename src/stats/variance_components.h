/* Runs inside builds: how much of the spread is the build (its code layout), how much the run. */
#ifndef STATS_VARIANCE_COMPONENTS_H
#define STATS_VARIANCE_COMPONENTS_H

#include <stddef.h>

struct variance_components {
	size_t groups, count;
	double ms_between, ms_within;
	double var_run, var_group; /* var_group is not below zero */
	double group_share;        /* var_group / (var_group + var_run) */
	double f, p;               /* of "all groups alike" */
};

/* group[i] < group_count says where values[i] belongs; empty groups are allowed. NaN where there is one group,
 * or no group of two. Unequal groups use the usual n0 in place of their size. */
struct variance_components variance_components_fit(const double *values, const size_t *group, size_t count,
						   size_t group_count);
/* Means of the groups that are not empty: means[], room for group_count. Returns how many. */
size_t variance_components_means(const double *values, const size_t *group, size_t count, size_t group_count,
				 double *means);

/* How often to repeat the inner level per outer one, given what each costs.
 * Source: Kalibera and Jones 2013, ceil(sqrt(cost_outer / cost_inner x var_inner / var_outer)). */
double variance_components_repeats(const struct variance_components *fit, double cost_group, double cost_run);

#endif
