/* Runs of several machines as one pair of means a machine. */
#include "profile/diff_machines.h"

#include <string.h>

#include "base/memory.h"

static size_t find_host(const struct diff_machines *machines, const char *host)
{
	size_t i = 0;

	while (i < machines->count && strcmp(machines->hosts[i], host))
		i++;
	return i;
}

static bool has_host(const struct gathering *gathering, const char *host)
{
	const struct recording *recordings;
	size_t count = gathering_recordings(gathering, &recordings);

	for (size_t i = 0; i < count; i++)
		if (recordings[i].host && !strcmp(recordings[i].host, host))
			return true;
	return false;
}

/* The hosts of one side into the list; false when one is unknown or not on the other side. */
static bool list_hosts(const struct gathering *side, const struct gathering *other, struct diff_machines *machines)
{
	const struct recording *recordings;
	size_t count = gathering_recordings(side, &recordings);

	for (size_t i = 0; i < count; i++) {
		const char *host = recordings[i].host;

		if (!host)
			return false;
		if (!has_host(other, host)) {
			machines->only_one = host;
			return false;
		}
		if (find_host(machines, host) < machines->count)
			continue;
		array_grow(&machines->hosts, machines->count, &machines->capacity);
		machines->hosts[machines->count++] = host;
	}
	return true;
}

/* [item][machine] from [item][run]. */
static double *means(const double *values, size_t items, size_t runs, const size_t *machine_of, size_t machines)
{
	double *result = memory_zeroed(items * machines + 1, sizeof(*result));
	auto_free double *counts = memory_zeroed(machines, sizeof(*counts));

	for (size_t run = 0; run < runs; run++)
		counts[machine_of[run]]++;
	for (size_t item = 0; item < items; item++)
		for (size_t run = 0; run < runs; run++)
			result[item * machines + machine_of[run]] += values[item * runs + run] / counts[machine_of[run]];
	return result;
}

static void collapse(struct diff_side *side, const struct gathering *gathering, struct diff_machines *machines,
		     double **kept)
{
	const struct recording *recordings;
	size_t count = gathering_recordings(gathering, &recordings);
	auto_free size_t *machine_of = memory_zeroed(count, sizeof(*machine_of));

	for (size_t i = 0; i < count; i++)
		machine_of[i] = find_host(machines, recordings[i].host);
	kept[0] = means(side->events, side->item_count, count, machine_of, machines->count);
	kept[1] = means(side->samples, side->item_count, count, machine_of, machines->count);
	side->events = kept[0];
	side->samples = kept[1];
	side->run_count = machines->count;
}

void diff_machines_pair(struct diff_side sides[2], const struct gathering *const gatherings[2],
			struct diff_machines *ret)
{
	bool are_same = list_hosts(gatherings[0], gatherings[1], ret) && list_hosts(gatherings[1], gatherings[0], ret);

	if (!are_same || ret->count < 2) {
		ret->count = 0;
		return;
	}
	collapse(&sides[0], gatherings[0], ret, &ret->values[0]);
	collapse(&sides[1], gatherings[1], ret, &ret->values[2]);
}

void diff_machines_release(struct diff_machines *machines)
{
	free(machines->hosts);
	for (size_t i = 0; i < ARRAY_SIZE(machines->values); i++)
		free(machines->values[i]);
	*machines = (struct diff_machines){ 0 };
}
