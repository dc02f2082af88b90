/* One function in two builds, its instructions side by side, to walk through. */
#ifndef TUI_ALIGNED_VIEW_H
#define TUI_ALIGNED_VIEW_H

#include "output/diff.h"
#include "profile/annotation_diff.h"
#include "tui/view.h"

/* Takes diff. view gives event, unit and scale; borrowed like the gatherings. */
struct view *aligned_view_create(struct annotation_diff *diff, const struct diff_view *view);

#endif
