/* A report as a table in perf's stdio form. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/report.h"

enum { OVERHEAD_WIDTH = 8, COUNT_WIDTH = 12 };

uint64_t report_whole(const struct entries *entries, const struct report_view *view, size_t member)
{
	return view->relative ? entries->shown_sums[member].period : entries->sums[member].period;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

double report_share(const struct entries *entries, const struct report_view *view, size_t entry)
{
	const struct entry_total *total = entry_totals(entries, entry);
	double greatest = 0;

	for (size_t i = 0; i < entries->members; i++) {
		double share = percent(entries->setup->children ? total[i].children : total[i].period,
				       report_whole(entries, view, i));

		greatest = share > greatest ? share : greatest;
	}
	return greatest;
}

const char *report_column_title(const struct entries *entries, const struct report_column *column)
{
	switch (column->kind) {
	case COLUMN_CHILDREN:
		return "Children";
	case COLUMN_OVERHEAD:
		return entries->setup->children ? "Self" : "Overhead";
	case COLUMN_SAMPLES:
		return "Samples";
	case COLUMN_PERIOD:
		return "Period";
	case COLUMN_KEY:
		break;
	}
	return entries->setup->keys[column->key]->header;
}

static size_t number_width(const struct entries *entries, const struct report_column *column)
{
	bool is_share = column->kind == COLUMN_CHILDREN || column->kind == COLUMN_OVERHEAD;

	return (is_share ? OVERHEAD_WIDTH : COUNT_WIDTH) * entries->members;
}

static void append_key(const struct entries *entries, const struct report_column *column, size_t entry,
		       struct text *out)
{
	sort_key_append(entries->setup->keys[column->key], entries->resolver,
			entry_values(entries, entry)[column->key], out);
}

/* As perf: an object column is no narrower than an address when some row has one. */
enum { ADDRESS_DIGITS = 16 };

static bool has_addresses(const struct entries *entries)
{
	for (size_t i = 0; i < entries->shown && !entries->setup->filter.object_count; i++)
		if (!resolver_place_at(entries->resolver, entries->items[entries->order[i]].place)->function)
			return true;
	return false;
}

static size_t key_width(const struct entries *entries, const struct report_column *column)
{
	size_t width = text_width(entries->setup->keys[column->key]->header);

	if (!strcmp(entries->setup->keys[column->key]->name, "dso") && width < ADDRESS_DIGITS &&
	    has_addresses(entries))
		width = ADDRESS_DIGITS;

	auto_text struct text cell = { 0 };

	for (size_t i = 0; i < entries->shown; i++) {
		text_clear(&cell);
		append_key(entries, column, entries->order[i], &cell);
		if (text_width(cell.bytes) > width)
			width = text_width(cell.bytes);
	}
	return width;
}

size_t report_column_width(const struct entries *entries, const struct report_column *column)
{
	return column->kind == COLUMN_KEY ? key_width(entries, column) : number_width(entries, column);
}

static size_t *column_widths(const struct entries *entries, const struct report_view *view)
{
	size_t *widths = memory_zeroed(view->column_count + 1, sizeof(*widths));

	for (size_t i = 0; i < view->column_count; i++)
		widths[i] = report_column_width(entries, &view->columns[i]);
	return widths;
}

static void append_padded(struct text *out, const char *cell, size_t width, bool right)
{
	size_t taken = text_width(cell);

	for (size_t i = taken; right && i < width; i++)
		text_append_char(out, ' ');
	text_append(out, cell);
	for (size_t i = taken; !right && i < width; i++)
		text_append_char(out, ' ');
}

static void append_between(const struct report_view *view, bool is_first, struct text *out)
{
	if (!is_first)
		text_append(out, view->separator ? view->separator : "  ");
}

static void append_titles(const struct entries *entries, const struct report_view *view, const size_t *widths,
			  struct text *out)
{
	bool is_first = true;

	text_append(out, "# ");
	for (size_t i = 0; i < view->column_count; i++) {
		if (view->columns[i].is_hidden)
			continue;
		append_between(view, is_first, out);
		is_first = false;
		append_padded(out, report_column_title(entries, &view->columns[i]), view->separator ? 0 : widths[i],
			      view->columns[i].kind != COLUMN_KEY);
	}
	if (view->separator) {
		text_append(out, "\n");
		return;
	}
	text_append(out, "\n# ");
	is_first = true;
	for (size_t i = 0; i < view->column_count; i++) {
		if (view->columns[i].is_hidden)
			continue;
		append_between(view, is_first, out);
		is_first = false;
		for (size_t k = 0; k < widths[i]; k++)
			text_append_char(out, '.');
	}
	text_append(out, "\n#\n");
}

static void append_number(const struct entries *entries, const struct report_view *view,
			  const struct report_column *column, size_t entry, struct text *out)
{
	const struct entry_total *total = entry_totals(entries, entry);
	bool plain = view->separator != NULL;

	for (size_t i = 0; i < entries->members; i++) {
		uint64_t whole = report_whole(entries, view, i);

		if (plain && i)
			text_append(out, view->separator);
		switch (column->kind) {
		case COLUMN_CHILDREN:
			text_format(out, plain ? "%.2f%%" : "%7.2f%%", percent(total[i].children, whole));
			break;
		case COLUMN_OVERHEAD:
			text_format(out, plain ? "%.2f%%" : "%7.2f%%", percent(total[i].period, whole));
			break;
		case COLUMN_SAMPLES:
			text_format(out, plain ? "%llu" : "%12llu", (unsigned long long)total[i].samples);
			break;
		default:
			text_format(out, plain ? "%llu" : "%12llu",
				    (unsigned long long)(entries->setup->children ? total[i].children : total[i].period));
			break;
		}
	}
}

void report_append_cell(const struct entries *entries, const struct report_view *view,
			const struct report_column *column, size_t entry, struct text *out)
{
	if (column->kind == COLUMN_KEY)
		append_key(entries, column, entry, out);
	else
		append_number(entries, view, column, entry, out);
}

static bool last_visible(const struct report_view *view, size_t column)
{
	for (size_t i = column + 1; i < view->column_count; i++)
		if (!view->columns[i].is_hidden)
			return false;
	return true;
}

static void append_row(const struct entries *entries, const struct report_view *view, const size_t *widths,
		       size_t entry, struct text *out)
{
	auto_text struct text cell = { 0 };
	bool is_first = true;

	if (!view->separator)
		text_append(out, "  ");
	for (size_t i = 0; i < view->column_count; i++) {
		const struct report_column *column = &view->columns[i];

		if (column->is_hidden)
			continue;
		append_between(view, is_first, out);
		is_first = false;
		if (column->kind != COLUMN_KEY) {
			append_number(entries, view, column, entry, out);
			continue;
		}
		text_clear(&cell);
		append_key(entries, column, entry, &cell);

		/* perf pads names at the end of a line, but no symbols and lines. */
		const struct sort_key *key = entries->setup->keys[column->key];
		bool pads = !last_visible(view, i) || !strcmp(key->name, "comm") || !strcmp(key->name, "dso");

		append_padded(out, cell.bytes, view->separator || !pads ? 0 : widths[i],
			      key->kind == KEY_NUMBER);
	}
	text_append_char(out, '\n');
}

static void append_group_name(const struct profile *profile, size_t leader, size_t members, struct text *out)
{
	const char *name = profile->events[leader].group_name;

	text_append_escaped(out, name && *name && strcmp(name, "{anon_group}") != 0 ? name : "anon group");
	text_append(out, " { ");
	for (size_t i = 0; i < members; i++) {
		text_append(out, i ? ", " : "");
		text_append_escaped(out, profile->events[leader + i].name);
	}
	text_append(out, " }");
}

/* 1234 is "1K", as perf counts thousands. */
static void append_rough(struct text *out, uint64_t number)
{
	static const char units[] = { ' ', 'K', 'M', 'G' };
	size_t unit = 0;

	while (number > 1000 && unit + 1 < sizeof(units)) {
		number /= 1000;
		unit++;
	}
	text_format(out, "%llu%c", (unsigned long long)number, units[unit]);
}

void report_text_head(const struct entries *entries, const struct report_view *view, struct text *out)
{
	const struct profile *profile = resolver_profile(entries->resolver);
	const struct entry_total *sums = view->relative ? entries->shown_sums : entries->sums;
	uint64_t samples = 0, period = 0;

	for (size_t i = 0; i < entries->members; i++) {
		samples += sums[i].samples;
		period += sums[i].period;
	}
	text_append(out, "# Samples: ");
	append_rough(out, samples);
	text_format(out, " of event%s '", entries->members > 1 ? "s" : "");
	if (entries->members > 1)
		append_group_name(profile, entries->setup->event, entries->members, out);
	else
		text_append_escaped(out, profile->events[entries->setup->event].name);
	text_format(out, "'\n# Event count (approx.): %llu\n#\n", (unsigned long long)period);
}

/* Entries of one object without symbol, put together as one row. */
static void append_folded(const struct entries *entries, const struct report_view *view, struct text *out)
{
	struct object_rest {
		uint64_t period;
		size_t rows;
	};
	const struct profile *profile = resolver_profile(entries->resolver);
	auto_free struct object_rest *rest = memory_zeroed(profile->objects->count, sizeof(*rest));

	for (size_t i = 0; i < entries->shown; i++) {
		const struct place *place =
			resolver_place_at(entries->resolver, entries->items[entries->order[i]].place);

		if (place->function)
			continue;
		rest[place->object].period += entry_totals(entries, entries->order[i])->period;
		rest[place->object].rows++;
	}
	for (size_t i = 0; i < profile->objects->count; i++) {
		double share = percent(rest[i].period, report_whole(entries, view, 0));

		if (!rest[i].rows || share < view->percent_limit)
			continue;
		text_format(out, "  %7.2f%%  %zu unresolved in ", share, rest[i].rows);
		text_append_escaped(out, profile->objects->items[i].shown);
		text_append_char(out, '\n');
	}
}

void report_text(struct entries *entries, const struct report_view *view, struct text *out)
{
	auto_free size_t *widths = column_widths(entries, view);

	if (!view->quiet) {
		report_text_head(entries, view, out);
		append_titles(entries, view, widths, out);
	}
	for (size_t i = 0; i < entries->shown; i++) {
		size_t entry = entries->order[i];

		if (report_share(entries, view, entry) < view->percent_limit)
			continue;
		if (view->fold_unresolved &&
		    !resolver_place_at(entries->resolver, entries->items[entry].place)->function)
			continue;
		append_row(entries, view, widths, entry, out);
		if (view->graph != CALL_GRAPH_NONE)
			report_call_graph(entries, view, entry, out);
	}
	if (view->fold_unresolved)
		append_folded(entries, view, out);
	if (!view->quiet)
		text_append(out, "\n\n");
}
