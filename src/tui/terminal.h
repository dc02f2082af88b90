/* The terminal in our hands: ncurses on it, its signals as events, standard error held back. */
#ifndef TUI_TERMINAL_H
#define TUI_TERMINAL_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

struct terminal;

/* Errors: ERROR_UNSUPPORTED. */
must_use struct error *terminal_open(struct terminal **ret);
bool terminal_is_utf8(void);
/* To poll. */
int terminal_signal_fd(const struct terminal *terminal);
/* The next signal that arrived, or 0. A resize has taken effect then; a stop (^Z) has been made and ended. */
int terminal_signal(struct terminal *terminal);
/* As it was before, and what was written to standard error meanwhile comes out. */
void terminal_close(struct terminal *terminal);

#endif
