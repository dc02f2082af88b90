/* `perfmini stat -A -I`: how the time of each CPU went, beside its counts. */
#include <string.h>

#include "base/memory.h"
#include "cmd/stat.h"
#include "measure/topology.h"

static bool shows_cpu_time(const struct stat_session *session)
{
	const struct stat_options *options = session->options;

	return (options->per_cpu || !options->aggregate) && options->interval_ms && !options->metric_only &&
	       !options->quiet && session->place && target_is_cpus(session->place);
}

void stat_cpu_time_begin(struct stat_session *session)
{
	struct stat_cpu_time *time = &session->cpu_time;
	const struct place *places;
	size_t count;

	if (!shows_cpu_time(session))
		return;
	count = target_places(session->place, &places);
	time->first = memory_zeroed(count, sizeof(*time->first));
	for (size_t i = 0; i < count; i++)
		time->first[i].cpu = places[i].cpu;

	struct error *err = utilization_read(NULL, time->first, count);

	time->last = memory_copy(time->first, count * sizeof(*time->first));
	time->now = memory_copy(time->first, count * sizeof(*time->first));
	time->count = err ? 0 : count;
	error_destroy(err);
}

static void print_rows(const struct stat_session *session, const struct utilization *since, const uint64_t *interval_ns)
{
	const struct stat_cpu_time *time = &session->cpu_time;
	struct stat_utilization row = { .cpus = 1 };

	for (size_t i = 0; i < time->count; i++) {
		auto_free char *name = topology_name(TOPOLOGY_CPU, since[i].cpu);

		row.place = name;
		utilization_shares(&since[i], &time->now[i], 1, row.percent);
		stat_print_utilization(session, &row, interval_ns);
	}
	if (time->count < 2)
		return;
	row.place = "all";
	row.cpus = (uint32_t)time->count;
	utilization_shares(since, time->now, time->count, row.percent);
	stat_print_utilization(session, &row, interval_ns);
}

void stat_cpu_time_print_interval(struct stat_session *session, uint64_t now_ns)
{
	struct stat_cpu_time *time = &session->cpu_time;

	/* Without a new reading the ticks stay, and no share is shown. */
	error_destroy(time->count ? utilization_read(NULL, time->now, time->count) : NULL);
	print_rows(session, time->last, &now_ns);
	if (time->count)
		memcpy(time->last, time->now, time->count * sizeof(*time->now));
}

void stat_cpu_time_print_average(const struct stat_session *session)
{
	print_rows(session, session->cpu_time.first, NULL);
}

void stat_cpu_time_release(struct stat_cpu_time *time)
{
	free(time->first);
	free(time->last);
	free(time->now);
}
