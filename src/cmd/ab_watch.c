/* perfmini ab: progress without a verdict, looks of the stopping rule, Ctrl-C. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "ab/analysis.h"
#include "ab/runner.h"
#include "base/text.h"
#include "cmd/ab.h"
#include "cmd/ab_record.h"
#include "stats/descriptive.h"
#include "stats/sequential.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* An analysis that cannot be made (too few blocks of a condition) is not enough. */
static bool enough(void *context, const struct runs *runs, unsigned look)
{
	const struct ab_watch *watch = context;
	cleanup(judge_rules_guard) struct judge_rules *rules = NULL;
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	struct error *err = judge_rules_create(watch->judge, runs, &rules);

	(void)look; /* the rules find it from the number of blocks, as `compare` does */
	if (!err)
		err = analysis_create(runs, judge_rules_options(rules), &analysis);
	if (err) {
		error_destroy(err);
		return false;
	}
	if (watch->plan->until == UNTIL_PRECISE)
		return analysis_precision(analysis) <= watch->plan->precision;
	return analysis_is_decided(analysis);
}

enum { MOST_RATIOS = 512, PILOT = 6 };

/* The second arm's time over the first's in each of the last blocks, newest first; returns how many. */
static size_t ratios_so_far(const struct runs *runs, double ratios[MOST_RATIOS])
{
	size_t count = 0;

	for (size_t i = runs->count; i-- > 0 && count < MOST_RATIOS;) {
		const struct run *b = &runs->items[i];

		if (b->arm != 1 || b->is_void)
			continue;
		for (size_t j = i > runs->arm_count ? i - runs->arm_count : 0; j < runs->count; j++)
			if (runs->items[j].block == b->block && !runs->items[j].arm && runs->items[j].wall_ns)
				ratios[count++] = (double)b->wall_ns / (double)runs->items[j].wall_ns;
			else if (runs->items[j].block > b->block)
				break;
	}
	return count;
}

/* " [0.98, 1.07] at any time": of the blocks after the pilot, whose spread sets the scale. */
static void show_anytime(const double *ratios, size_t count)
{
	double logs[MOST_RATIOS];
	struct interval interval;
	size_t later = count > PILOT ? count - PILOT : 0;

	for (size_t i = 0; i < count; i++)
		logs[i] = log(ratios[i]);
	interval = sequential_confidence(logs, later, 1 / descriptive_sd(logs + later, PILOT), 0.05);
	if (later && isfinite(interval.low) && isfinite(interval.high))
		fprintf(stderr, " [%.3f, %.3f] at any time", exp(interval.low), exp(interval.high));
}

static void progress(void *context, const struct runs *runs, uint64_t done, uint64_t wanted)
{
	struct ab_watch *watch = context;
	double seconds = 1e-9 * (double)(now_ns() - watch->started_ns);
	double left = done > watch->first_slot ?
			      seconds / (double)(done - watch->first_slot) * (double)(wanted - done) : NAN;
	double ratios[MOST_RATIOS];
	size_t count = ratios_so_far(runs, ratios);
	double ratio = descriptive_median(ratios, count);

	if (watch->quiet || !isatty(STDERR_FILENO))
		return;
	watch->shown = true;
	fprintf(stderr, "\r\033[Kblock %llu of %s%llu", (unsigned long long)done,
		watch->plan->until == UNTIL_BLOCKS ? "" : "at most ", (unsigned long long)wanted);
	if (isfinite(ratio))
		fprintf(stderr, "   wall B/A so far about %.3fx", ratio);
	if (watch->anytime && count < MOST_RATIOS) /* else the pilot is no longer among them */
		show_anytime(ratios, count);
	if (isfinite(left))
		fprintf(stderr, "   %.0f s left", left);
	fflush(stderr);
}

static bool interrupted(void *context)
{
	const struct ab_watch *watch = context;

	return live_runner_signal(watch->live) || (watch->recording && ab_recording_signal(watch->recording));
}

struct watcher ab_watcher(struct ab_watch *watch)
{
	watch->started_ns = now_ns();
	return (struct watcher){ enough, progress, interrupted, watch };
}

void ab_watch_end(struct ab_watch *watch)
{
	if (watch->shown)
		fputs("\r\033[K", stderr);
}
