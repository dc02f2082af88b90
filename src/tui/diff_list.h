/* The rows of one diff or several, to walk through. */
#ifndef TUI_DIFF_LIST_H
#define TUI_DIFF_LIST_H

#include "output/diff.h"
#include "tui/view.h"

/* views: borrowed, at least one; Tab goes from one to the next. */
struct view *diff_list_create(const struct diff_view *const *views, size_t count);

#endif
