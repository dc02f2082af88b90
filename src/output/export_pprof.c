/* One recording for pprof, Pyroscope and Parca. */
#include "output/export.h"
#include "output/pprof.h"

void export_pprof(const struct export *exported, struct text *out)
{
	const struct profile *profile = resolver_profile(exported->resolver);
	const struct perf_event_attr *attr = &profile->events[exported->event_number].attr;
	cleanup(pprof_guard) struct pprof *pprof = pprof_create();
	struct pprof_description about = {
		.event = exported->event, .unit = exported->is_time ? "nanoseconds" : "count", .command = exported->command,
		.sample_period = attr->freq ? 0 : attr->sample_period, .written_ns = exported->written_ns,
		.duration_ns = profile->last_ns - profile->first_ns, .hits = exported->hits,
	};

	pprof_add(pprof, exported);
	pprof_write(pprof, &about, out);
}
