/* The annotation browser. */
#include "tui/annotate_view.h"

#include <stdlib.h>

#include "base/memory.h"
#include "output/annotate.h"
#include "output/jump_lanes.h"
#include "symbol/source_file.h"
#include "tui/list.h"

enum { LANES_MAX = 8, SHARE_WIDTH = 7 };

struct annotate_row {
	size_t item;
	enum { ROW_BODY, ROW_SOURCE, ROW_INSTRUCTION } kind;
};

struct annotate_list {
	struct list list;
	struct annotation *annotation;
	struct annotate_view view;
	struct jump_lanes *lanes;
	struct annotate_row *rows;
	size_t capacity;
	size_t *row_of;   /* [items] the instruction's row */
	size_t *hottest;  /* [items] by falling cost in the first event */
	size_t hot;       /* which of them H went to */
};

static struct annotate_list *annotate_of(struct list *list)
{
	return (struct annotate_list *)list;
}

static void add_row(struct annotate_list *annotate, size_t item, int kind)
{
	array_grow(&annotate->rows, annotate->list.count, &annotate->capacity);
	annotate->rows[annotate->list.count++] = (struct annotate_row){ item, kind };
}

static int compare_hot(const void *left, const void *right, void *data)
{
	const struct annotation *annotation = data;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	uint64_t from = annotation_totals(annotation, a)->period, to = annotation_totals(annotation, b)->period;

	return from != to ? (from > to ? -1 : 1) : (a < b ? -1 : a > b);
}

static void make_rows(struct annotate_list *annotate)
{
	const struct annotation *annotation = annotate->annotation;

	annotate->row_of = memory_zeroed(annotation->count + 1, sizeof(*annotate->row_of));
	annotate->hottest = memory_zeroed(annotation->count + 1, sizeof(*annotate->hottest));
	for (size_t i = 0; i < annotation->count; i++) {
		if (annotation_changes_body(annotation, i))
			add_row(annotate, i, ROW_BODY);
		if (annotation_changes_line(annotation, i))
			add_row(annotate, i, ROW_SOURCE);
		annotate->row_of[i] = annotate->list.count;
		annotate->hottest[i] = i;
		add_row(annotate, i, ROW_INSTRUCTION);
	}
	if (annotation->count && annotation->event_count)
		qsort_r(annotate->hottest, annotation->count, sizeof(*annotate->hottest), compare_hot,
			annotate->annotation);
}

static void annotate_heads(struct list *list, const struct screen *screen, struct line *title, struct line *columns)
{
	const struct annotation *annotation = annotate_of(list)->annotation;

	(void)screen;
	text_append_escaped(&title->text, annotation->function->shown);
	text_append(&title->text, "  [");
	text_append_escaped(&title->text, annotation->object);
	text_append_char(&title->text, ']');
	for (size_t i = 0; i < annotation->event_count; i++) {
		text_format(&title->text, "  %llu samples of ",
			    (unsigned long long)annotation->events[i].function.samples);
		text_append_escaped(&title->text, annotation->events[i].name);
		line_pad(columns, "Percent", SHARE_WIDTH, true);
	}
	text_append(&columns->text, "  Source and instructions");
}

static void draw_lanes(const struct annotate_list *annotate, const struct screen *screen, size_t item, bool between,
		       struct text *out)
{
	if (!jump_lanes_width(annotate->lanes))
		return;
	jump_lanes_draw(annotate->lanes, item, between, screen->is_utf8, out);
	text_append_char(out, ' ');
}

static void body_line(const struct annotate_list *annotate, size_t item, struct line *ret)
{
	const struct annotated *at = &annotate->annotation->items[item];

	for (size_t i = 0; i < at->frame_count; i++) {
		text_append(&ret->text, i ? ", inlined into " : "");
		text_append_escaped(&ret->text, at->frames[i].function ? at->frames[i].function->shown : "?");
	}
	text_append_char(&ret->text, ':');
	line_mark(ret, ROLE_HEADS);
}

static void source_row(const struct annotate_list *annotate, size_t item, struct line *ret)
{
	const struct frame *frame = annotate->annotation->items[item].frames;
	const char *line = source_line(annotate->view.sources, frame->file, frame->line);

	if (line) {
		text_format(&ret->text, "%-4u ", frame->line);
		annotate_append_source(line, &ret->text);
	} else {
		annotate_append_place(frame, false, &ret->text);
	}
	line_mark(ret, ROLE_DIM);
}

static void append_share(double share, struct line *ret)
{
	if (share > 0)
		text_format(&ret->text, "%*.2f", SHARE_WIDTH, share);
	else
		line_pad(ret, "", SHARE_WIDTH, false);
	line_mark(ret, share >= 5 ? ROLE_HOT : share >= 0.5 ? ROLE_WARM : ROLE_NORMAL);
}

static void instruction_row(const struct annotate_list *annotate, const struct screen *screen, size_t item,
			    struct line *ret)
{
	const struct annotation *annotation = annotate->annotation;
	const struct row_total *totals = annotation_totals(annotation, item);
	const struct instruction *instruction = annotation->items[item].instruction;

	for (size_t i = 0; i < annotation->event_count; i++)
		append_share(annotate_percent(&annotate->view, &totals[i], &annotation->events[i]), ret);
	text_append(&ret->text, "  ");
	draw_lanes(annotate, screen, item, false, &ret->text);
	text_format(&ret->text, "%llx: ", (unsigned long long)instruction->address);
	text_append_escaped(&ret->text, instruction->text);
}

static void annotate_line(struct list *list, const struct screen *screen, size_t number, struct line *ret)
{
	const struct annotate_list *annotate = annotate_of(list);
	const struct annotate_row *row = &annotate->rows[number];

	if (row->kind == ROW_INSTRUCTION) {
		instruction_row(annotate, screen, row->item, ret);
		return;
	}
	line_pad(ret, "", annotate->annotation->event_count * SHARE_WIDTH + 2, false);
	draw_lanes(annotate, screen, row->item, true, &ret->text);
	line_mark(ret, ROLE_NORMAL);
	if (row->kind == ROW_BODY)
		body_line(annotate, row->item, ret);
	else
		source_row(annotate, row->item, ret);
}

static void go_to_hottest(struct annotate_list *annotate, size_t number)
{
	const struct annotation *annotation = annotate->annotation;

	if (!annotation->count || !annotation->event_count)
		return;
	if (number >= annotation->count || !annotation_totals(annotation, annotate->hottest[number])->samples)
		number = 0;
	annotate->hot = number;
	list_select(&annotate->list, annotate->row_of[annotate->hottest[number]]);
}

static bool follow_jump(struct annotate_list *annotate, struct tui *tui)
{
	size_t item = annotate->list.count ? annotate->rows[annotate->list.selected].item : 0;
	size_t target = annotate->list.count ? annotate->annotation->items[item].jump : SIZE_MAX;

	if (target == SIZE_MAX)
		tui_say(tui, "no jump within the function");
	else
		list_select(&annotate->list, annotate->row_of[target]);
	return true;
}

static bool annotate_act(struct list *list, enum request request, struct tui *tui)
{
	struct annotate_list *annotate = annotate_of(list);

	if (request == REQUEST_OPEN)
		return follow_jump(annotate, tui);
	if (request != REQUEST_HOTTEST)
		return false;
	go_to_hottest(annotate, annotate->hot + 1);
	return true;
}

static void annotate_destroy(struct list *list)
{
	struct annotate_list *annotate = annotate_of(list);

	jump_lanes_destroy(annotate->lanes);
	source_files_destroy(annotate->view.sources);
	annotation_destroy(annotate->annotation);
	free(annotate->rows);
	free(annotate->row_of);
	free(annotate->hottest);
	free(annotate);
}

static const struct list_class annotate_lines = { annotate_heads, annotate_line, annotate_act, annotate_destroy,
						  "no instructions" };
static const struct view_class annotate_class = LIST_VIEW_CLASS("q:back  H:next hottest  Enter:jump  /:search");

struct view *annotate_view_create(struct annotation *annotation)
{
	struct annotate_list *annotate = memory_zeroed(1, sizeof(*annotate));
	const struct source_setup sources = { 0 };

	annotate->list.view.class = &annotate_class;
	annotate->list.class = &annotate_lines;
	annotate->annotation = annotation;
	annotate->view.sources = source_files_create(&sources);
	annotate->lanes = jump_lanes_create(annotation, LANES_MAX);
	annotate->list.page = 20; /* until it is drawn */
	make_rows(annotate);
	go_to_hottest(annotate, 0);
	return &annotate->list.view;
}
