/* A view of lines: moving, scrolling and searching, the same in all of them. */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "tui/tui.h"
#include "tui/view.h"

struct list;

/* What makes one kind of list. */
struct list_class {
	/* Title and column heads, which stay; a head without text takes no row. */
	void (*heads)(struct list *list, const struct screen *screen, struct line *title, struct line *columns);
	/* One line; the list clears it before. */
	void (*line)(struct list *list, const struct screen *screen, size_t number, struct line *ret);
	/* Requests beyond moving and searching; may be NULL. */
	bool (*act)(struct list *list, enum request request, struct tui *tui);
	void (*destroy)(struct list *list);
	const char *empty; /* what to say without lines */
};

/* Embedded first in each kind of list, whose view class is made by LIST_VIEW_CLASS. */
struct list {
	struct view view;
	const struct list_class *class;
	size_t count;            /* kept right by the kind */
	size_t selected, top;
	size_t shift;            /* columns scrolled to the right */
	size_t page;             /* lines that fit */
	char *sought;            /* NULL: nothing yet */
};

void list_draw(struct view *view, const struct screen *screen);
bool list_act(struct view *view, enum request request, struct tui *tui);
void list_answer(struct view *view, const char *text, struct tui *tui);
void list_destroy(struct view *view);
/* Select a line and bring it into sight. */
void list_select(struct list *list, size_t number);

#define LIST_VIEW_CLASS(hint_text)                                                                     \
	{ .draw = list_draw, .act = list_act, .answer = list_answer, .destroy = list_destroy, \
	  .hint = (hint_text) }

#endif
