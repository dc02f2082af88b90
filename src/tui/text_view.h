/* Lines of text to walk through: details, notes. */
#ifndef TUI_TEXT_VIEW_H
#define TUI_TEXT_VIEW_H

#include "tui/view.h"

/* Both are escaped already, and taken. */
struct view *text_view_create(char *title, char *text);

#endif
