/* Editing is typing, Backspace and ^U. */
#include "tui/prompt.h"

#include <curses.h>
#include <stdlib.h>
#include <wctype.h>

#include "base/memory.h"

enum { KEY_ESCAPE = 27, KEY_DELETE = 127, KEY_BACK = '\b', KEY_CLEAR_LINE = 'u' & 0x1f };

void prompt_begin(struct prompt *prompt, const char *label)
{
	*prompt = (struct prompt){ .is_open = true, .label = label };
}

static void take_back(struct prompt *prompt)
{
	if (prompt->length)
		prompt->length--;
	else
		prompt->is_cancelled = true;
}

bool prompt_key(struct prompt *prompt, wint_t key, bool is_code)
{
	if (is_code ? key == KEY_ENTER : key == '\n' || key == '\r')
		return true;
	if (is_code ? key == KEY_BACKSPACE : key == KEY_DELETE || key == KEY_BACK)
		take_back(prompt);
	else if (!is_code && key == KEY_ESCAPE)
		prompt->is_cancelled = true;
	else if (!is_code && key == KEY_CLEAR_LINE)
		prompt->length = 0;
	else if (!is_code && iswprint(key) && prompt->length + 1 < ARRAY_SIZE(prompt->typed))
		prompt->typed[prompt->length++] = (wchar_t)key;
	return prompt->is_cancelled;
}

static char *typed_text(const struct prompt *prompt)
{
	struct text text = { 0 };
	mbstate_t state = { 0 };

	for (size_t i = 0; i < prompt->length; i++) {
		char bytes[64];
		size_t length = wcrtomb(bytes, prompt->typed[i], &state);

		if (length != (size_t)-1)
			text_append_bytes(&text, bytes, length);
	}
	return text_steal(&text);
}

char *prompt_end(struct prompt *prompt)
{
	prompt->is_open = false;
	return prompt->is_cancelled ? NULL : typed_text(prompt);
}

void prompt_line(const struct prompt *prompt, struct line *ret)
{
	auto_free char *typed = typed_text(prompt);

	text_append(&ret->text, prompt->label);
	text_append(&ret->text, typed);
}

void prompt_release(struct prompt *prompt)
{
	*prompt = (struct prompt){ 0 };
}
