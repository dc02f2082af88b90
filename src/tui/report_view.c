/* The report browser. */
#include "tui/report_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/annotation.h"
#include "tui/annotate_view.h"
#include "tui/list.h"
#include "tui/report_filter.h"
#include "tui/report_lines.h"

enum { INDENT = 2, WIDTH_LEAST = 8 };

struct report_list {
	struct list list;
	struct report_view_setup setup;
	struct report_view view;     /* the setup's, with the shares the user chose */
	struct report_filter filter;
	struct entries *entries;
	struct report_lines lines;
	size_t *widths;              /* [columns] */
	struct hot_functions *functions; /* NULL: nothing annotated yet */
};

static struct report_list *report_of(struct list *list)
{
	return (struct report_list *)list;
}

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

/* The columns of a screen are shared out: names give way on a narrow one, the last column has what is left. */
static size_t shown_width(const struct report_list *report, const struct screen *screen, size_t column)
{
	size_t width = report->widths[column], most = (size_t)screen->columns / 5;

	if (report->view.columns[column].kind != COLUMN_KEY)
		return width;
	if (most < WIDTH_LEAST)
		most = WIDTH_LEAST;
	return width < most ? width : most;
}

static bool is_last(const struct report_list *report, size_t column)
{
	for (size_t i = column + 1; i < report->view.column_count; i++)
		if (!report->view.columns[i].is_hidden)
			return false;
	return true;
}

/* A cell in its column, cut where it does not fit. */
static void add_cell(struct line *line, const char *cell, size_t width, bool right)
{
	auto_text struct text cut = { 0 };

	text_append(&cut, cell);
	while (text_width(cut.bytes ? cut.bytes : "") > width) {
		do
			cut.length--;
		while (cut.length && ((unsigned char)cut.bytes[cut.length] & 0xc0) == 0x80);
		cut.bytes[cut.length] = '\0';
	}
	line_pad(line, cut.bytes ? cut.bytes : "", width, right);
}

static void report_columns(const struct report_list *report, const struct screen *screen, struct line *columns)
{
	const struct report_view *view = &report->view;

	text_append(&columns->text, "  ");
	for (size_t i = 0; i < view->column_count; i++) {
		bool is_number = view->columns[i].kind != COLUMN_KEY;
		const char *title = report_column_title(report->entries, &view->columns[i]);

		if (view->columns[i].is_hidden)
			continue;
		if (is_last(report, i))
			text_append(&columns->text, title);
		else
			add_cell(columns, title, shown_width(report, screen, i), is_number);
		text_append(&columns->text, "  ");
	}
}

/* As report_text_head() prints it, in one line. */
static void report_title(const struct report_list *report, struct text *title)
{
	auto_text struct text head = { 0 };
	bool is_start = true;

	report_text_head(report->entries, &report->view, &head);
	for (const char *at = head.bytes; *at; at++) {
		if (*at == '#' && is_start && at[1] == ' ')
			at++;
		else if (*at == '\n')
			text_append(title, at[1] == '#' && at[2] == ' ' ? ", " : "");
		else if (*at != '#' || !is_start)
			text_append_char(title, *at);
		is_start = *at == '\n';
	}
	report_filter_describe(&report->filter, title);
}

static void report_heads(struct list *list, const struct screen *screen, struct line *title, struct line *columns)
{
	const struct report_list *report = report_of(list);

	report_title(report, &title->text);
	report_columns(report, screen, columns);
}

static enum role role_of_share(double share)
{
	return share >= 5 ? ROLE_HOT : share >= 0.5 ? ROLE_WARM : ROLE_NORMAL;
}

static const char *marker(const struct screen *screen, const struct report_line *line)
{
	if (!line->has_children)
		return "  ";
	if (screen->is_utf8)
		return line->is_open ? "▾ " : "▸ ";
	return line->is_open ? "- " : "+ ";
}

static void entry_line(const struct report_list *report, const struct screen *screen, const struct report_line *line,
		       struct line *ret)
{
	const struct report_view *view = &report->view;
	enum role role = role_of_share(report_share(report->entries, view, line->entry));
	auto_text struct text cell = { 0 };

	text_append(&ret->text, marker(screen, line));
	line_mark(ret, ROLE_NORMAL);
	for (size_t i = 0; i < view->column_count; i++) {
		const struct report_column *column = &view->columns[i];

		if (column->is_hidden)
			continue;
		text_clear(&cell);
		report_append_cell(report->entries, view, column, line->entry, &cell);
		if (is_last(report, i))
			text_append(&ret->text, cell.bytes ? cell.bytes : "");
		else
			add_cell(ret, cell.bytes ? cell.bytes : "", shown_width(report, screen, i),
				 column->kind != COLUMN_KEY);
		text_append(&ret->text, "  ");
		line_mark(ret, column->kind == COLUMN_CHILDREN || column->kind == COLUMN_OVERHEAD ? role : ROLE_NORMAL);
	}
}

static void append_place(const struct report_list *report, uint32_t number, struct text *out)
{
	const struct place *place = resolver_place_at(report->setup.resolver, number);

	if (!place->function) {
		text_format(out, "%#llx", (unsigned long long)place->address);
		return;
	}
	text_append_escaped(out, place_name(place));
	text_append(out, place->is_inlined ? " (inlined)" : "");
}

static void append_share(const struct report_list *report, const struct report_line *line, const struct call_node *node,
			 struct line *ret)
{
	const struct report_view *view = &report->view;
	uint64_t whole = view->graph == CALL_GRAPH_FRACTAL ? line->of : report_whole(report->entries, view, 0);
	double share = whole ? 100 * (double)node->total / (double)whole : 0;

	if (view->value == CALL_VALUE_PERIOD)
		text_format(&ret->text, "%llu ", (unsigned long long)node->total);
	else if (view->value == CALL_VALUE_COUNT)
		text_format(&ret->text, "%llu ", (unsigned long long)node->samples);
	else
		text_format(&ret->text, "%.2f%% ", share);
	line_mark(ret, role_of_share(share));
}

static void node_line(const struct report_list *report, const struct screen *screen, const struct report_line *line,
		      struct line *ret)
{
	const struct call_node *node = report_lines_node(&report->lines, line);
	size_t indent = line->level * INDENT + INDENT, most = (size_t)screen->columns / 2;

	line_pad(ret, "", indent < most ? indent : most, false);
	text_append(&ret->text, marker(screen, line));
	line_mark(ret, ROLE_NORMAL);
	if (line->is_branch)
		append_share(report, line, node, ret);
	append_place(report, node->place, &ret->text);
}

static void report_line(struct list *list, const struct screen *screen, size_t number, struct line *ret)
{
	const struct report_list *report = report_of(list);
	const struct report_line *line = &report->lines.items[number];

	if (line->node)
		node_line(report, screen, line, ret);
	else
		entry_line(report, screen, line, ret);
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

static bool report_act(struct list *list, enum request request, struct tui *tui)
{
	struct report_list *report = report_of(list);

	switch (request) {
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
	free(report);
}

static const struct list_class report_lines_class = { report_heads, report_line, report_act, report_destroy,
						      "no samples pass: t, d or s lifts a filter" };
static const struct view_class report_class = LIST_VIEW_CLASS("q:back  Enter:chains  a:annotate  /:search  t,d,s:filter");

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
