/* A report on a terminal: loaded in the background, then walked through. */
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "cmd/report.h"
#include "tui/loading.h"
#include "tui/report_view.h"

/* What the loading thread fills and the view shows. */
struct browse {
	struct report *report;
	struct entries *first;
	struct report_view_setup setup;
};

static bool pass_progress(void *data, uint64_t done, uint64_t all)
{
	struct loading *loading = data;

	loading_progress(loading, done, all);
	return loading_is_wanted(loading);
}

/* The first event that has samples, or the first. */
static size_t first_event(const struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; i < profile->event_count; i++)
		if (profile->events[i].samples)
			return profile_event_leader(profile, i, report->options.group);
	return 0;
}

static struct error *load(void *data, struct loading *loading)
{
	struct browse *browse = data;
	struct report *report = browse->report;

	report->progress = pass_progress;
	report->progress_data = loading;

	struct error *err = report_prepare(report);

	if (err || !loading_is_wanted(loading))
		return err;
	if (!report->profile->event_count)
		return error_new(ERROR_FORMAT, "%s: has no events", report->profile->path);
	report->entry_setup.event = first_event(report);
	browse->first = entries_create(report->resolver, &report->entry_setup);
	return NULL;
}

static void show_view(void *data, struct tui *tui)
{
	struct browse *browse = data;
	struct report *report = browse->report;
	const char *trouble = report->profile->losses.truncated ? "the end of the recording is missing" :
			      report->profile->damage		? "the recording is damaged" : NULL;

	browse->setup = (struct report_view_setup){ report->resolver, &report->view, &report->entry_setup };
	tui_push(tui, report_view_create(&browse->setup, take(browse->first)));
	if (trouble)
		tui_say(tui, "%s: what could be read is shown", trouble);
}

bool report_is_browsed(const struct report_options *chosen)
{
	bool is_text = chosen->stdio || chosen->json || chosen->csv || chosen->kprof || chosen->html || chosen->quiet || chosen->header ||
		       chosen->header_only || chosen->stats || chosen->tasks || chosen->mmaps || chosen->dump ||
		       chosen->separator || chosen->fold_unresolved;

	return !is_text && strcmp(chosen->recording.input, "-") != 0 && tui_is_possible();
}

struct error *report_browse(struct report *report)
{
	struct browse browse = { .report = report };
	struct error *err;

	{
		cleanup(tui_guard) struct tui *tui = NULL;
		struct loading_setup setup = { "Reading", report->options.recording.input, load, show_view, &browse };

		err = tui_open(&tui);
		if (err)
			return err;
		tui_push(tui, loading_create(&setup));
		err = tui_run(tui);
	}
	entries_destroy(browse.first);
	return err;
}
