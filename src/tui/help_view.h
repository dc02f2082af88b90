/* The help screen: the table of requests. */
#ifndef TUI_HELP_VIEW_H
#define TUI_HELP_VIEW_H

#include "tui/view.h"

struct view *help_view_create(void);

#endif
