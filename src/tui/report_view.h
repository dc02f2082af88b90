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

#endif
