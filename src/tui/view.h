/* A view: what fills the screen and takes the keys. Views lie on a stack; the top one is seen. */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include <stdbool.h>

#include "tui/request.h"
#include "tui/screen.h"

struct tui;
struct view;

struct view_class {
	/* Rows 0 to screen->rows - 2; the last one is the status line. */
	void (*draw)(struct view *view, const struct screen *screen);
	/* False: not for this view. */
	bool (*act)(struct view *view, enum request request, struct tui *tui);
	/* What tui_ask() asked for; may be NULL. */
	void (*answer)(struct view *view, const char *text, struct tui *tui);
	/* Called every 100 ms while on top; NULL: the view changes by keys only. */
	void (*tick)(struct view *view, struct tui *tui);
	void (*destroy)(struct view *view);
	const char *hint; /* for the status line: "q:back  h:help" */
};

/* Embedded first in each kind of view. */
struct view {
	const struct view_class *class;
};

#endif
