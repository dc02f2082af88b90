/* The symbol diffs of a bundle: each arm's recordings against the first arm's. */
#include "cmd/ab_symbols.h"

#include "base/memory.h"
#include "cmd/bundle.h"
#include "event/clock.h"
#include "profile/diff_gather.h"

struct ab_symbols_sides {
	struct gathering *a, *b;
	struct diff *diff;
};

static struct error *gather(struct symbolizer *symbolizer, const struct runs *runs,
			    const struct bundle_recordings *recordings, size_t arm, struct gathering **ret)
{
	struct gather_setup setup = { .label = runs->arms[arm].name, .paths = bundle_recordings_of(recordings, arm),
				      .path_count = recordings->count, .symbolizer = symbolizer };

	return gathering_create(&setup, ret);
}

/* A software clock is shown as time. */
static void fill_view(const struct gathered_event *event, struct diff_view *view)
{
	bool is_clock = event_is_clock(&event->attr);

	view->event = event->name;
	view->unit = is_clock ? "ms" : "";
	view->scale = is_clock ? 1e-6 : 1;
	view->percent_limit = 0.05;
}

static struct error *compare_sides(struct ab_symbols_sides *sides, struct ab_symbols *ret)
{
	const struct gathered_event *events;
	struct diff_setup setup = { .pairing = { .last_rule = PAIR_AMBIGUOUS }, .alpha = 0.05, .overdispersion = 1,
				    .minimum_samples = 10 };
	size_t event;

	if (!gathering_events(sides->a, &events))
		return error_new(ERROR_FORMAT, "the recordings hold no samples");
	event = gathering_find_event(sides->b, &events[0]);
	if (event == SIZE_MAX)
		return error_new(ERROR_FORMAT, "the recordings of the arms have no common event");
	gatherings_split_inlined(sides->a, sides->b, 0, event);

	struct diff_side a = gathering_side(sides->a, sides->b, 0), b = gathering_side(sides->b, sides->a, event);

	setup.paired_runs = a.run_count > 1;
	fill_view(&events[0], &ret->view);

	struct error *err = diff_create(&a, &b, &setup, &sides->diff);

	ret->view.diff = sides->diff;
	return err;
}

struct error *ab_symbols_create(const char *directory, const struct runs *runs, struct ab_symbols_list *ret)
{
	cleanup(bundle_recordings_release) struct bundle_recordings recordings;
	auto_free char *binaries = bundle_binaries(directory);
	struct symbolizer_setup symbols = { .cache = binaries, .demangle = true, .inlines = true, .lines = true };
	struct error *err;

	bundle_recordings(directory, runs, &recordings);
	if (!recordings.count || runs->arm_count < 2)
		return NULL;
	ret->items = memory_zeroed(runs->arm_count - 1, sizeof(*ret->items));
	ret->sides = memory_zeroed(runs->arm_count - 1, sizeof(*ret->sides));
	err = symbolizer_create(&symbols, &ret->symbolizer);
	for (size_t arm = 1; arm < runs->arm_count && !err; arm++) {
		struct ab_symbols_sides *sides = &ret->sides[ret->count];

		ret->items[ret->count].arm = arm;
		err = gather(ret->symbolizer, runs, &recordings, 0, &sides->a);
		if (!err)
			err = gather(ret->symbolizer, runs, &recordings, arm, &sides->b);
		ret->count++;
		if (!err)
			err = compare_sides(sides, &ret->items[ret->count - 1]);
	}
	return err;
}

void ab_symbols_release(struct ab_symbols_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		diff_destroy(list->sides[i].diff);
		gathering_destroy(list->sides[i].a);
		gathering_destroy(list->sides[i].b);
	}
	symbolizer_destroy(list->symbolizer);
	free(list->items);
	free(list->sides);
	*list = (struct ab_symbols_list){ 0 };
}
