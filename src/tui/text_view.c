/* Text, cut at its newlines. */
#include "tui/text_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tui/list.h"

struct text_list {
	struct list list;
	char *title, *text;
	char **lines; /* into text */
	size_t capacity;
};

static struct text_list *text_of(struct list *list)
{
	return (struct text_list *)list;
}

static void text_heads(struct list *list, const struct screen *screen, struct line *title, struct line *columns)
{
	(void)screen, (void)columns;
	text_append(&title->text, text_of(list)->title);
}

static void text_line(struct list *list, const struct screen *screen, size_t number, struct line *ret)
{
	(void)screen;
	text_append(&ret->text, text_of(list)->lines[number]);
}

static void text_destroy(struct list *list)
{
	struct text_list *text = text_of(list);

	free(text->title);
	free(text->text);
	free(text->lines);
	free(text);
}

static const struct list_class text_lines = { text_heads, text_line, NULL, text_destroy, NULL };
static const struct view_class text_class = LIST_VIEW_CLASS("q:back  /:search");

struct view *text_view_create(char *title, char *text)
{
	struct text_list *view = memory_zeroed(1, sizeof(*view));

	view->list.view.class = &text_class;
	view->list.class = &text_lines;
	view->title = title;
	view->text = text;
	for (char *line; (line = strsep(&text, "\n"));) {
		array_grow(&view->lines, view->list.count, &view->capacity);
		view->lines[view->list.count++] = line;
	}
	return &view->list.view;
}
