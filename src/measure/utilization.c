/* How CPUs spend their time. Source: proc_stat(5). */
#include "measure/utilization.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

const char *const utilization_names[UTILIZATION_KINDS] = { "user", "nice", "system", "idle",
							   "iowait", "irq", "softirq", "steal" };

/* "cpu7 1 2 3 4 5 6 7 8 …"; false for other lines, also for the sum of all CPUs. */
static bool parse_line(const char *line, struct utilization *ret)
{
	uint64_t *ticks = ret->ticks;

	return sscanf(line, "cpu%d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			    " %" SCNu64, &ret->cpu, &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5],
		      &ticks[6], &ticks[7]) == 1 + UTILIZATION_KINDS;
}

struct error *utilization_read(const struct facts_roots *roots, struct utilization *items, size_t count)
{
	auto_free char *path = facts_proc_path(roots, "stat"), *text = NULL;
	struct error *err = file_read(path, &text, NULL);
	struct utilization found;

	if (err)
		return err;
	for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL) {
		if (line[0] != 'c' || line[3] == ' ' || !parse_line(line, &found))
			continue;
		for (size_t i = 0; i < count; i++)
			if (items[i].cpu == found.cpu)
				items[i] = found;
	}
	return NULL;
}

void utilization_shares(const struct utilization *before, const struct utilization *after, size_t count,
			double ret[UTILIZATION_KINDS])
{
	double ticks[UTILIZATION_KINDS] = { 0 }, all = 0;

	for (size_t i = 0; i < count; i++)
		for (int kind = 0; kind < UTILIZATION_KINDS; kind++) {
			uint64_t then = before[i].ticks[kind], now = after[i].ticks[kind];

			/* The kernel lets iowait and idle fall now and then. */
			ticks[kind] += now > then ? (double)(now - then) : 0;
		}
	for (int kind = 0; kind < UTILIZATION_KINDS; kind++)
		all += ticks[kind];
	for (int kind = 0; kind < UTILIZATION_KINDS; kind++)
		ret[kind] = all > 0 ? 100 * ticks[kind] / all : NAN;
}
