/* annotate on a terminal: one function to walk through. */
#include <string.h>

#include "cmd/annotate.h"
#include "tui/aligned_view.h"
#include "tui/annotate_view.h"
#include "tui/tui.h"

bool annotate_is_browsed(const struct annotate_options *chosen)
{
	bool is_text = chosen->stdio || chosen->json || chosen->quiet || chosen->lines;

	return !is_text && strcmp(chosen->recording.input, "-") != 0 && tui_is_possible();
}

/* Takes view. */
static struct error *browse(struct tui *tui, struct view *view)
{
	tui_push(tui, view);
	return tui_run(tui);
}

struct error *annotate_browse(struct annotation *annotation)
{
	cleanup(tui_guard) struct tui *tui = NULL;
	struct error *err = tui_open(&tui);

	if (err) {
		annotation_destroy(annotation);
		return err;
	}
	return browse(tui, annotate_view_create(annotation));
}

struct error *annotate_browse_diff(struct annotation_diff *diff, const struct diff_view *view)
{
	cleanup(tui_guard) struct tui *tui = NULL;
	struct error *err = tui_open(&tui);

	if (err) {
		annotation_diff_destroy(diff);
		return err;
	}
	return browse(tui, aligned_view_create(diff, view));
}
