/* Work in a thread of its own while its progress is on the screen. */
#ifndef TUI_LOADING_H
#define TUI_LOADING_H

#include <stdint.h>

#include "base/error.h"
#include "tui/tui.h"

struct loading;

struct loading_setup {
	const char *what;      /* "reading"; what is done */
	const char *of;        /* a file's name; escaped here */
	/* In the thread. Nothing else touches data until it returns. */
	struct error *(*run)(void *data, struct loading *loading);
	/* Then, in the loop: push the view that shows the result. Not called after a failure, which ends the loop. */
	void (*show)(void *data, struct tui *tui);
	void *data;            /* borrowed; outlives the view */
};

/* Starts at once. setup's strings are borrowed. Destroying the view waits for the thread, which loading_is_wanted() tells
 * to stop. */
struct view *loading_create(const struct loading_setup *setup);

/* For run(), from its thread. all 0: unknown. */
void loading_progress(struct loading *loading, uint64_t done, uint64_t all);
bool loading_is_wanted(const struct loading *loading);

#endif
