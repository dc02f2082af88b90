/* Lists: only the lines in sight are made. */
#include "tui/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { SHIFT_STEP = 8, SHIFT_MAX = 4096 };

static struct list *list_of(struct view *view)
{
	return (struct list *)view;
}

/* The selected line exists and is in sight. */
static void settle(struct list *list)
{
	size_t page = list->page ? list->page : 1;

	if (list->selected >= list->count)
		list->selected = list->count ? list->count - 1 : 0;
	if (list->top > list->selected)
		list->top = list->selected;
	if (list->selected - list->top >= page)
		list->top = list->selected - page + 1;
	/* A window that grew shows what is above, not nothing below. */
	if (list->top + page > list->count)
		list->top = list->count > page ? list->count - page : 0;
}

void list_select(struct list *list, size_t number)
{
	list->selected = number;
	settle(list);
}

static int draw_heads(struct list *list, const struct screen *screen)
{
	struct line title = { 0 }, columns = { 0 };
	int rows = 1;

	list->class->heads(list, screen, &title, &columns);
	screen_row(screen, 0, &title, 0, ROLE_TITLE, true);
	if (columns.text.length && screen->rows > 4)
		screen_row(screen, rows++, &columns, list->shift, ROLE_HEADS, true);
	line_release(&title);
	line_release(&columns);
	return rows;
}

void list_draw(struct view *view, const struct screen *screen)
{
	struct list *list = list_of(view);
	int first = draw_heads(list, screen);
	struct line line = { 0 };

	list->page = screen->rows - 1 > first ? (size_t)(screen->rows - 1 - first) : 1;
	settle(list);
	for (size_t i = 0; i < list->page; i++) {
		size_t number = list->top + i;
		bool is_selected = number == list->selected && list->count;

		line_clear(&line);
		if (number < list->count)
			list->class->line(list, screen, number, &line);
		else if (!i && list->class->empty)
			text_append(&line.text, list->class->empty);
		screen_row(screen, first + (int)i, &line, list->shift, is_selected ? ROLE_SELECTED : ROLE_NORMAL,
			   is_selected);
	}
	line_release(&line);
}

static void move_by(struct list *list, long lines)
{
	if (lines < 0 && (size_t)-lines > list->selected)
		lines = -(long)list->selected;
	list_select(list, list->selected + (size_t)lines);
}

static bool has_capital(const char *text)
{
	while (*text && (*text < 'A' || *text > 'Z'))
		text++;
	return *text;
}

static bool holds(struct list *list, size_t number, const struct screen *screen, struct line *line)
{
	line_clear(line);
	list->class->line(list, screen, number, line);

	const char *text = line->text.bytes ? line->text.bytes : "";

	return has_capital(list->sought) ? strstr(text, list->sought) != NULL : strcasestr(text, list->sought) != NULL;
}

/* From the selected line on, around the end; the selected line itself last. */
static void search(struct list *list, bool forward, struct tui *tui)
{
	struct line line = { 0 };
	size_t found = SIZE_MAX;

	if (!list->sought) {
		tui_say(tui, "nothing was looked for yet: / looks for text");
		return;
	}
	for (size_t step = 1; step <= list->count && found == SIZE_MAX; step++) {
		size_t number = (list->selected + (forward ? step : list->count - step)) % list->count;

		if (holds(list, number, tui_screen(tui), &line))
			found = number;
	}
	line_release(&line);
	if (found == SIZE_MAX) {
		auto_text struct text shown = { 0 };

		text_append_escaped(&shown, list->sought);
		tui_say(tui, "no line holds '%s'", shown.bytes);
		return;
	}
	if (forward ? found < list->selected : found > list->selected)
		tui_say(tui, forward ? "from the top again" : "from the bottom again");
	list_select(list, found);
}

void list_answer(struct view *view, const char *text, struct tui *tui)
{
	struct list *list = list_of(view);

	if (!*text)
		return;
	free(list->sought);
	list->sought = memory_strdup(text);
	search(list, true, tui);
}

static bool move_request(struct list *list, enum request request)
{
	long page = (long)list->page, half = page / 2 ? page / 2 : 1;

	switch (request) {
	case REQUEST_DOWN: move_by(list, 1); return true;
	case REQUEST_UP: move_by(list, -1); return true;
	case REQUEST_PAGE_DOWN: move_by(list, page); return true;
	case REQUEST_PAGE_UP: move_by(list, -page); return true;
	case REQUEST_HALF_DOWN: move_by(list, half); return true;
	case REQUEST_HALF_UP: move_by(list, -half); return true;
	case REQUEST_FIRST: list_select(list, 0); return true;
	case REQUEST_LAST: list_select(list, list->count ? list->count - 1 : 0); return true;
	case REQUEST_LEFT: list->shift -= list->shift < SHIFT_STEP ? list->shift : SHIFT_STEP; return true;
	case REQUEST_RIGHT: list->shift += list->shift < SHIFT_MAX ? SHIFT_STEP : 0; return true;
	default: return false;
	}
}

bool list_act(struct view *view, enum request request, struct tui *tui)
{
	struct list *list = list_of(view);

	if (move_request(list, request))
		return true;
	switch (request) {
	case REQUEST_SEARCH:
		tui_ask(tui, "/");
		return true;
	case REQUEST_SEARCH_NEXT:
	case REQUEST_SEARCH_PREVIOUS:
		search(list, request == REQUEST_SEARCH_NEXT, tui);
		return true;
	default:
		return list->class->act && list->class->act(list, request, tui);
	}
}

void list_destroy(struct view *view)
{
	struct list *list = list_of(view);

	free(list->sought);
	list->class->destroy(list);
}
