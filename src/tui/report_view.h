/* The entries of a report, and their call trees, to walk through. */
#ifndef TUI_REPORT_VIEW_H
#define TUI_REPORT_VIEW_H

#include "output/report.h"
#include "profile/entry.h"
#include "tui/view.h"

struct report_view_setup {
	struct resolver *resolver;       /* borrowed, like all here */
	const struct report_view *view;
	struct entry_setup *entries;     /* event and filter change as the user asks */
};

/* first: entries of setup->entries, made already; taken. */
struct view *report_view_create(const struct report_view_setup *setup, struct entries *first);

/* A report that goes on: new entries replace the old ones while the view is on top. */
struct report_view_live {
	/* Every 100 ms: is there something new, and what is it to be shown with. What the view had before must live until
	 * the call after. While the view is held ret is NULL: nothing is made, but what comes in is taken in. May end the
	 * interface with tui_fail(). */
	bool (*next)(void *data, struct report_view_setup *ret, struct tui *tui);
	/* What stands before the title. */
	void (*head)(void *data, struct text *title);
	/* Tell rows apart by something else from now on. */
	void (*sort)(void *data);
	void *data;
};

struct view *report_view_create_live(const struct report_view_setup *setup, struct entries *first,
				     const struct report_view_live *live);

#endif
