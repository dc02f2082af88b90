/* The terminal interface: one event loop over a stack of views. */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "base/error.h"
#include "tui/view.h"

struct tui;

/* Whether views can be shown: input and output are a terminal whose cursor can be moved. */
bool tui_is_possible(void);

/**
 * Take the terminal over. It is given back by tui_close(), and on signals that end the program. What is written to
 * standard error meanwhile appears after that.
 *
 * Errors: ERROR_UNSUPPORTED for a terminal that ncurses does not know.
 */
must_use struct error *tui_open(struct tui **ret);
/* Show views until the last one is left. Errors: what tui_fail() was given. */
must_use struct error *tui_run(struct tui *tui);
/* Gives the terminal back, then destroys the views; dies of the signal that ended the loop, if one did. */
void tui_close(struct tui *tui);

static inline void tui_guard(struct tui **owned)
{
	tui_close(*owned);
}

/* For views. Takes view. */
void tui_push(struct tui *tui, struct view *view);
/* Leave the top view; it is destroyed. */
void tui_pop(struct tui *tui);
/* Leave all. */
void tui_quit(struct tui *tui);
/* Leave all with that error. Takes err. */
void tui_fail(struct tui *tui, struct error *err);
/* A message in the status line until the next key. Not escaped: escape what comes from files. */
void tui_say(struct tui *tui, const char *format, ...) printf_like(2, 3);
/* Read a line of text at the bottom; the top view gets it as answer(). */
void tui_ask(struct tui *tui, const char *prompt);
const struct screen *tui_screen(const struct tui *tui);

#endif
