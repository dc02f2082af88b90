/* Aligned disassembly: A on the left, B on the right, cost and difference before them. */
#include "tui/aligned_view.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tui/list.h"

enum { COST_WIDTH = 9, COSTS_WIDTH = 3 * COST_WIDTH + 4, CODE_LEAST = 24 };

struct aligned_list {
	struct list list;
	struct annotation_diff *diff;
	const struct diff_view *view;
	size_t *largest; /* [rows] by falling difference */
	size_t at;       /* which of them H went to */
};

static struct aligned_list *aligned_of(struct list *list)
{
	return (struct aligned_list *)list;
}

static int compare_differences(const void *left, const void *right, void *data)
{
	const struct aligned_row *rows = data;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	double from = fabs(rows[a].difference), to = fabs(rows[b].difference);

	return from != to ? (from > to ? -1 : 1) : (a < b ? -1 : a > b);
}

static double scaled(const struct aligned_list *aligned, double events)
{
	return aligned->view->raw ? events : events * aligned->view->scale;
}

static void append_cost(const struct aligned_list *aligned, double events, const char *format, struct line *ret)
{
	auto_text struct text cell = { 0 };

	/* What rounds to nothing is left blank, so that the eye finds the rest. */
	if (fabs(scaled(aligned, events)) >= 0.05)
		text_format(&cell, format, scaled(aligned, events));
	line_pad(ret, cell.bytes ? cell.bytes : "", COST_WIDTH, true);
}

static size_t code_width(const struct screen *screen)
{
	size_t half = screen->columns > COSTS_WIDTH ? (size_t)(screen->columns - COSTS_WIDTH) / 2 : 0;

	return half > CODE_LEAST ? half : CODE_LEAST;
}

static void aligned_heads(struct list *list, const struct screen *screen, struct line *title, struct line *columns)
{
	const struct aligned_list *aligned = aligned_of(list);
	const struct annotation_diff *diff = aligned->diff;
	const struct pair_item *item = diff->sides[1].item ? diff->sides[1].item : diff->sides[0].item;

	text_append_escaped(&title->text, item->shown ? item->shown : item->name);
	text_append(&title->text, "  ");
	text_append_escaped(&title->text, aligned->view->event);
	text_format(&title->text, "  %zu same, %zu changed, %zu removed, %zu added", diff->kinds[ALIGNED_SAME],
		    diff->kinds[ALIGNED_CHANGED], diff->kinds[ALIGNED_REMOVED], diff->kinds[ALIGNED_ADDED]);
	text_format(&title->text, "  B - A %+.1f %s", scaled(aligned, diff->difference),
		    aligned->view->raw || !aligned->view->unit[0] ? "events" : aligned->view->unit);
	if (!isnan(diff->difference_interval.low))
		text_format(&title->text, " [%+.1f, %+.1f]", scaled(aligned, diff->difference_interval.low),
			    scaled(aligned, diff->difference_interval.high));
	line_pad(columns, "A", COST_WIDTH + 1, true);
	line_pad(columns, "B", COST_WIDTH, true);
	line_pad(columns, "B - A", COST_WIDTH, true);
	text_append(&columns->text, "   ");
	line_pad(columns, "code of A", code_width(screen), false);
	text_append(&columns->text, "code of B");
}

static void append_code(const struct instruction *instruction, struct text *out)
{
	if (!instruction)
		return;
	text_format(out, "%llx: ", (unsigned long long)instruction->address);
	text_append_escaped(out, instruction->text);
}

/* A's code gives way to B's where it is too long; scrolling does not bring it back, but the annotation of A does. */
static void append_left(const struct instruction *instruction, size_t width, struct line *ret)
{
	auto_text struct text code = { 0 };

	append_code(instruction, &code);
	if (code.length > width - 1) {
		code.length = width - 1;
		code.bytes[code.length] = '\0';
	}
	line_pad(ret, code.bytes ? code.bytes : "", width, false);
}

static void aligned_line(struct list *list, const struct screen *screen, size_t number, struct line *ret)
{
	static const char *const marks[] = { [ALIGNED_SAME] = "   ", [ALIGNED_CHANGED] = " ~ ",
					     [ALIGNED_REMOVED] = " - ", [ALIGNED_ADDED] = " + " };
	const struct aligned_list *aligned = aligned_of(list);
	const struct aligned_row *row = &aligned->diff->rows[number];

	text_append_char(&ret->text, row->marked ? '*' : ' ');
	append_cost(aligned, row->costs[0].mean, "%.1f", ret);
	append_cost(aligned, row->costs[1].mean, "%.1f", ret);
	line_mark(ret, ROLE_NORMAL);
	append_cost(aligned, row->difference, "%+.1f", ret);
	line_mark(ret, !row->marked ? ROLE_NORMAL : row->difference > 0 ? ROLE_HOT : ROLE_WARM);
	text_append(&ret->text, marks[row->kind]);
	line_mark(ret, ROLE_KEY);
	append_left(row->sides[0], code_width(screen), ret);
	line_mark(ret, row->kind == ALIGNED_SAME ? ROLE_NORMAL : ROLE_DIM);
	append_code(row->sides[1], &ret->text);
}

static void go_to_largest(struct aligned_list *aligned, size_t number)
{
	if (!aligned->diff->count)
		return;
	if (number >= aligned->diff->count || !(fabs(aligned->diff->rows[aligned->largest[number]].difference) > 0))
		number = 0;
	aligned->at = number;
	list_select(&aligned->list, aligned->largest[number]);
}

static bool aligned_act(struct list *list, enum request request, struct tui *tui)
{
	struct aligned_list *aligned = aligned_of(list);

	(void)tui;
	if (request != REQUEST_HOTTEST)
		return false;
	go_to_largest(aligned, aligned->at + 1);
	return true;
}

static void aligned_destroy(struct list *list)
{
	struct aligned_list *aligned = aligned_of(list);

	annotation_diff_destroy(aligned->diff);
	free(aligned->largest);
	free(aligned);
}

static const struct list_class aligned_lines = { aligned_heads, aligned_line, aligned_act, aligned_destroy,
						 "no instructions" };
static const struct view_class aligned_class = LIST_VIEW_CLASS("q:back  H:next largest difference  /:search");

struct view *aligned_view_create(struct annotation_diff *diff, const struct diff_view *view)
{
	struct aligned_list *aligned = memory_zeroed(1, sizeof(*aligned));

	aligned->list.view.class = &aligned_class;
	aligned->list.class = &aligned_lines;
	aligned->diff = diff;
	aligned->view = view;
	aligned->list.count = diff->count;
	aligned->list.page = 20; /* until it is drawn */
	aligned->largest = memory_zeroed(diff->count + 1, sizeof(*aligned->largest));
	for (size_t i = 0; i < diff->count; i++)
		aligned->largest[i] = i;
	if (diff->count)
		qsort_r(aligned->largest, diff->count, sizeof(*aligned->largest), compare_differences, diff->rows);
	go_to_largest(aligned, 0);
	return &aligned->list.view;
}
