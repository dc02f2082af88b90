/* A line of text typed at the bottom of the screen. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>
#include <wchar.h>

#include "tui/screen.h"

/* Zero-initialised is closed. */
struct prompt {
	bool is_open, is_cancelled;
	const char *label;
	wchar_t typed[256];
	size_t length;
};

void prompt_begin(struct prompt *prompt, const char *label);
/* True when the key ended it: Enter or Esc. */
bool prompt_key(struct prompt *prompt, wint_t key, bool is_code);
/* What was typed, which the caller frees; NULL when it was cancelled. Closes it. */
char *prompt_end(struct prompt *prompt);
void prompt_line(const struct prompt *prompt, struct line *ret);
void prompt_release(struct prompt *prompt);

#endif
