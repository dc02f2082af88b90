/* One function instruction by instruction, with its source, to walk through. */
#ifndef TUI_ANNOTATE_VIEW_H
#define TUI_ANNOTATE_VIEW_H

#include "profile/annotation.h"
#include "tui/view.h"

/* Takes annotation, whose resolver must outlive the view. */
struct view *annotate_view_create(struct annotation *annotation);

#endif
