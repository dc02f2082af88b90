/* The report browser. */
#include "tui/report_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/annotation.h"
#include "tui/annotate_view.h"
#include "tui/report_view_private.h"

static void forget(struct report_list *report)
{
	report_lines_release(&report->lines);
	entries_destroy(report->entries);
	free(report->widths);
	report->entries = NULL;
	report->widths = NULL;
}

static void measure(struct report_list *report)
{
	report->widths = memory_zeroed(report->view.column_count + 1, sizeof(*report->widths));
	for (size_t i = 0; i < report->view.column_count; i++)
		report->widths[i] = report_column_width(report->entries, &report->view.columns[i]);
}

/* Takes entries. */
static void adopt(struct report_list *report, struct entries *entries)
{
	forget(report);
	report->entries = entries;
	measure(report);
	report_lines_init(&report->lines, entries, &report->view);
	report->list.count = report->lines.count;
	list_select(&report->list, 0);
}

static void rebuild(struct report_list *report)
{
	adopt(report, entries_create(report->setup.resolver, report->setup.entries));
}

static void relist(struct report_list *report)
{
	report_lines_build(&report->lines);
	report->list.count = report->lines.count;
	list_select(&report->list, report->list.selected);
}

static void collapse(struct report_list *report)
{
	size_t at = report->list.selected;

	if (!report->lines.items[at].is_open || !report->lines.items[at].has_children)
		at = report_lines_parent(&report->lines, at);
	report_lines_open(&report->lines, at, false);
	list_select(&report->list, at);
	relist(report);
}

static uint32_t selected_place(const struct report_list *report)
{
	const struct report_line *line = &report->lines.items[report->list.selected];
	const struct call_node *node = report_lines_node(&report->lines, line);

	return node ? node->place : report->entries->items[line->entry].place;
}

/* NULL: no sample fell into its own code. */
static const struct hot_function *hot_function(struct report_list *report, uint32_t place)
{
	if (!report->functions)
		report->functions = hot_functions_create(report->setup.resolver);
	for (size_t i = 0; i < report->functions->count; i++)
		if (report->functions->items[i].place == place)
			return &report->functions->items[i];
	return NULL;
}

static bool annotate(struct report_list *report, struct tui *tui)
{
	const struct disassembly_setup setup = { 0 };
	const struct hot_function *function = report->list.count ? hot_function(report, selected_place(report)) : NULL;
	struct annotation *annotation;
	cleanup(error_guard) struct error *err = NULL;
	auto_text struct text shown = { 0 };

	if (!function) {
		tui_say(tui, "nothing to annotate: no sample fell into the line's own code");
		return true;
	}
	err = annotation_create(report->functions, function, &setup, &annotation);
	if (!err) {
		tui_push(tui, annotate_view_create(annotation));
		return true;
	}
	text_append_escaped(&shown, error_message(err));
	tui_say(tui, "%s", shown.bytes);
	return true;
}

static bool open_request(struct report_list *report, enum request request, struct tui *tui)
{
	size_t at = report->list.selected;
	const struct report_line *line = &report->lines.items[at];

	if (request == REQUEST_OPEN && !line->has_children)
		return annotate(report, tui);
	if (!line->has_children && request != REQUEST_COLLAPSE && !line->node) {
		tui_say(tui, "no call chains here: record with -g");
		return true;
	}
	if (request == REQUEST_COLLAPSE) {
		collapse(report);
		return true;
	}
	if (report->live.next && !report->is_paused) {
		report->is_paused = true;
		tui_say(tui, "held, to be read: p goes on");
	}
	if (request == REQUEST_EXPAND_ALL)
		report_lines_open_all(&report->lines, at);
	else
		report_lines_open(&report->lines, at, request == REQUEST_EXPAND || !line->is_open);
	relist(report);
	return true;
}

static void next_event(struct report_list *report, struct tui *tui)
{
	const struct profile *profile = resolver_profile(report->setup.resolver);
	struct entry_setup *setup = report->setup.entries;

	for (size_t step = 1; step < profile->event_count; step++) {
		size_t event = (setup->event + step) % profile->event_count;

		if (profile_event_leader(profile, event, setup->group) != event || !profile->events[event].samples)
			continue;
		setup->event = event;
		rebuild(report);
		return;
	}
	tui_say(tui, "this recording has samples of no other event");
}

static void filter(struct report_list *report, enum request request, struct tui *tui)
{
	const struct report_line *line = report->list.count ? &report->lines.items[report->list.selected] : NULL;
	const struct entry *entry = line ? &report->entries->items[line->entry] : NULL;
	const struct call_node *node = line ? report_lines_node(&report->lines, line) : NULL;
	struct filter_choice choice = {
		.resolver = report->setup.resolver, .filter = &report->setup.entries->filter, .has_line = line != NULL,
		.row = entry ? entry->row : 0, .place = node ? node->place : entry ? entry->place : 0,
	};

	if (report_filter_toggle(&report->filter, request, &choice, tui))
		rebuild(report);
}

static bool filter_request(struct report_list *report, enum request request, struct tui *tui)
{
	switch (request) {
	case REQUEST_FILTER_THREAD:
	case REQUEST_FILTER_OBJECT:
	case REQUEST_FILTER_SYMBOL:
		filter(report, request, tui);
		return true;
	case REQUEST_FILTER_SHARE:
		report->view.relative = !report->view.relative;
		relist(report);
		tui_say(tui, "percentages are of %s", report->view.relative ? "what is shown" : "everything");
		return true;
	case REQUEST_NEXT_EVENT:
		next_event(report, tui);
		return true;
	default:
		return false;
	}
}

static bool live_request(struct report_list *report, enum request request)
{
	if (!report->live.next)
		return false;
	if (request == REQUEST_SORT)
		report->live.sort(report->live.data);
	report->is_paused = request == REQUEST_PAUSE && !report->is_paused;
	return true;
}

static bool report_act(struct list *list, enum request request, struct tui *tui)
{
	struct report_list *report = report_of(list);

	switch (request) {
	case REQUEST_PAUSE:
	case REQUEST_SORT:
		return live_request(report, request);
	case REQUEST_OPEN:
	case REQUEST_EXPAND:
	case REQUEST_COLLAPSE:
	case REQUEST_EXPAND_ALL:
		return !list->count || open_request(report, request, tui);
	case REQUEST_ANNOTATE:
		return annotate(report, tui);
	case REQUEST_COLLAPSE_ALL:
		report_lines_close_all(&report->lines);
		if (list->count)
			list_select(list, 0);
		relist(report);
		return true;
	default:
		return filter_request(report, request, tui);
	}
}

static void report_destroy(struct list *list)
{
	struct report_list *report = report_of(list);

	forget(report);
	hot_functions_destroy(report->functions);
	report_filter_release(&report->filter);
	free(report);
}

static const struct list_class report_lines_class = { report_draw_heads, report_draw_line, report_act, report_destroy,
						      "no samples pass: t, d or s lifts a filter" };
static const struct view_class report_class = LIST_VIEW_CLASS("q:back  Enter:chains  a:annotate  /:search  t,d,s:filter");

/* The function of a line by name, so that it can be found among other entries. */
struct remembered {
	char *function, *object;
};

static const struct place *place_of(const struct report_list *report, uint32_t entry)
{
	return resolver_place_at(report->setup.resolver, report->entries->items[entry].place);
}

static struct remembered remember(const struct report_list *report)
{
	const struct place *place;

	if (!report->list.count)
		return (struct remembered){ NULL, NULL };
	place = place_of(report, report->lines.items[report->list.selected].entry);
	return (struct remembered){ memory_strdup(place_name(place) ? place_name(place) : ""),
				    memory_strdup(place_object(report->setup.resolver, place)) };
}

static void select_remembered(struct report_list *report, const struct remembered *wanted)
{
	for (size_t i = 0; wanted->function && i < report->list.count; i++) {
		const struct place *place = place_of(report, report->lines.items[i].entry);
		const char *name = place_name(place) ? place_name(place) : "";

		if (!strcmp(name, wanted->function) &&
		    !strcmp(place_object(report->setup.resolver, place), wanted->object)) {
			list_select(&report->list, i);
			return;
		}
	}
}

/* Take what is new, and stay at the line's function; at the top the top stays. */
static void report_tick(struct view *view, struct tui *tui)
{
	struct report_list *report = (struct report_list *)view;
	struct report_view_setup setup = report->setup;

	if (!report->live.next(report->live.data, report->is_paused ? NULL : &setup, tui))
		return;

	struct remembered line = report->list.selected ? remember(report) : (struct remembered){ NULL, NULL };
	bool relative = report->view.relative;

	hot_functions_destroy(take(report->functions));
	report->setup = setup;
	report->view = *setup.view;
	report->view.relative = relative;
	report_filter_apply(&report->filter, &setup.entries->filter);
	rebuild(report);
	select_remembered(report, &line);
	free(line.function);
	free(line.object);
}

static const struct view_class live_class = {
	.draw = list_draw, .act = list_act, .answer = list_answer, .tick = report_tick, .destroy = list_destroy,
	.hint = "q:back  p:hold  o:columns  Enter:chains  a:annotate  /:search  t,d,s:filter",
};

struct view *report_view_create_live(const struct report_view_setup *setup, struct entries *first,
				     const struct report_view_live *live)
{
	struct view *view = report_view_create(setup, first);

	((struct report_list *)view)->live = *live;
	view->class = &live_class;
	return view;
}

struct view *report_view_create(const struct report_view_setup *setup, struct entries *first)
{
	struct report_list *report = memory_zeroed(1, sizeof(*report));

	report->list.view.class = &report_class;
	report->list.class = &report_lines_class;
	report->setup = *setup;
	report->view = *setup->view;
	report_filter_init(&report->filter, &setup->entries->filter);
	adopt(report, first);
	return &report->list.view;
}
