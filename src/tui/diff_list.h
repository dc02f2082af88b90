/* The rows of one diff or several, to walk through. */
#ifndef TUI_DIFF_LIST_H
#define TUI_DIFF_LIST_H

#include "output/diff.h"
#include "profile/diff_gather.h"
#include "tui/view.h"

/* One diff, and what its rows are opened from. All borrowed. */
struct diff_list_item {
	const struct diff_view *view;
	struct gathering *sides[2];
	size_t events[2];               /* of the gatherings */
	const struct diff_setup *setup;
};

/* items: borrowed, at least one; Tab goes from one to the next. */
struct view *diff_list_create(const struct diff_list_item *items, size_t count);

#endif
