/* A report as one page: flame graph, and a table to filter and sort. */
#include "output/report_html.h"

#include <stdlib.h>

#include "base/memory.h"
#include "event/clock.h"
#include "output/export.h"
#include "output/html.h"

enum { MOST_ROWS = 2000 };

#define LEAST_SHARE 0.01 /* percent: the rest is one line */

void report_html_begin(const struct report_page *page, FILE *out)
{
	html_begin("perfmini report", out);
	fputs("<dl>\n", out);
	for (size_t i = 0; i < page->term_count; i++)
		html_term(page->terms[i].name, page->terms[i].value, out);
	fputs("</dl>\n", out);
}

static void put_flame(struct entries *entries, FILE *out)
{
	const struct profile *profile = resolver_profile(entries->resolver);
	size_t event = entries->setup->event;
	cleanup(flame_tree_guard) struct flame_tree *tree = flame_tree_create(entries->resolver, event);
	auto_text struct text svg = { 0 };
	struct export exported = { .tree = tree, .resolver = entries->resolver, .event_number = event,
				   .event = profile->events[event].name, .command = "flame graph",
				   .is_time = event_is_clock(&profile->events[event].attr) };

	if (tree->count < 3)
		return;
	flame_svg_draw(&exported, &svg);
	fputs("<div class=\"wide\">", out);
	fwrite(svg.bytes, 1, svg.length, out);
	fputs("</div>\n", out);
}

static void put_head(const struct entries *entries, const struct report_view *view, FILE *out)
{
	fputs("<input placeholder=\"filter (/)\" aria-label=\"filter the rows\">\n"
	      "<div class=\"scroll\"><table class=\"rows\"><thead><tr>", out);
	for (size_t i = 0; i < view->column_count; i++) {
		if (view->columns[i].is_hidden)
			continue;
		fputs(view->columns[i].kind == COLUMN_KEY ? "<th class=\"n\">" : "<th>", out);
		html_text(report_column_title(entries, &view->columns[i]), out);
		fputs("</th>", out);
	}
	fputs("</tr></thead><tbody>\n", out);
}

static void put_row(struct entries *entries, const struct report_view *view, size_t entry, FILE *out)
{
	auto_text struct text cell = { 0 };

	fputs("<tr>", out);
	for (size_t i = 0; i < view->column_count; i++) {
		const struct report_column *column = &view->columns[i];

		if (column->is_hidden)
			continue;
		text_clear(&cell);
		report_append_cell(entries, view, column, entry, &cell);
		if (column->kind == COLUMN_KEY)
			fputs("<td class=\"n\">", out);
		else
			fprintf(out, "<td data-v=\"%.6g\">", cell.bytes ? strtod(cell.bytes, NULL) : 0);
		html_text(cell.bytes ? cell.bytes : "", out);
		fputs("</td>", out);
	}
	fputs("</tr>\n", out);
}

void report_html_event(struct entries *entries, const struct report_view *view, FILE *out)
{
	auto_text struct text head = { 0 };
	double least = view->percent_limit > 0 ? view->percent_limit : LEAST_SHARE;
	size_t rows = 0, left_out = 0;

	report_text_head(entries, view, &head);
	for (char *at = head.bytes; at && *at; at++)
		if (*at == '#' || *at == '\n')
			*at = ' ';
	fputs("<h2>", out);
	html_text(head.bytes ? head.bytes : "", out);
	fputs("</h2>\n", out);
	put_flame(entries, out);
	put_head(entries, view, out);
	for (size_t i = 0; i < entries->shown; i++) {
		if (rows >= MOST_ROWS || report_share(entries, view, entries->order[i]) < least) {
			left_out++;
			continue;
		}
		put_row(entries, view, entries->order[i], out);
		rows++;
	}
	fputs("</tbody></table></div>\n", out);
	if (left_out)
		fprintf(out, "<p>%zu rows below %.4g %% are left out.</p>\n", left_out, least);
}

void report_html_end(const struct profile *profile, struct resolver *resolver, FILE *out)
{
	auto_text struct text notes = { 0 };

	report_unresolved(profile, resolver, &notes);
	if (notes.length) {
		fputs("<h2>Without symbols</h2><pre>", out);
		html_text(notes.bytes, out);
		fputs("</pre>\n", out);
	}
	html_rows_script(out);
	html_end(out);
}
