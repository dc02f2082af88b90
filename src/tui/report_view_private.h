/* The report browser as its files see it. */
#ifndef TUI_REPORT_VIEW_PRIVATE_H
#define TUI_REPORT_VIEW_PRIVATE_H

#include "tui/list.h"
#include "tui/report_filter.h"
#include "tui/report_lines.h"
#include "tui/report_view.h"

struct report_list {
	struct list list;
	struct report_view_setup setup;
	struct report_view view;     /* the setup's, with the shares the user chose */
	struct report_filter filter;
	struct entries *entries;
	struct report_lines lines;
	size_t *widths;              /* [columns] */
	struct hot_functions *functions; /* NULL: nothing annotated yet */
	struct report_view_live live;    /* next NULL: what is shown stays */
	bool is_paused;
};

static inline struct report_list *report_of(struct list *list)
{
	return (struct report_list *)list;
}

/* list_class's heads and line. */
void report_draw_heads(struct list *list, const struct screen *screen, struct line *title, struct line *columns);
void report_draw_line(struct list *list, const struct screen *screen, size_t number, struct line *ret);

#endif
