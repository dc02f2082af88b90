/* The report browser: what its lines look like. */
#include "tui/report_view_private.h"

enum { INDENT = 2, WIDTH_LEAST = 8 };

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

void report_draw_heads(struct list *list, const struct screen *screen, struct line *title, struct line *columns)
{
	const struct report_list *report = report_of(list);

	if (report->live.next) {
		text_append(&title->text, report->is_paused ? "held  " : "");
		report->live.head(report->live.data, &title->text);
	}
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

void report_draw_line(struct list *list, const struct screen *screen, size_t number, struct line *ret)
{
	const struct report_list *report = report_of(list);
	const struct report_line *line = &report->lines.items[number];

	if (line->node)
		node_line(report, screen, line, ret);
	else
		entry_line(report, screen, line, ret);
}
