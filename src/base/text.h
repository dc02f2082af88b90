/* Text under construction, escaping, and numbers as people read them. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* Zero-initialised is empty: struct text out = { 0 }. bytes is NUL-terminated once not NULL. */
struct text {
	char *bytes;
	size_t length, capacity;
};

void text_append(struct text *text, const char *more);
void text_append_bytes(struct text *text, const char *bytes, size_t length);
void text_append_repeated(struct text *text, char c, size_t count);
static inline void text_append_char(struct text *text, char c)
{
	if (text->length + 1 >= text->capacity) {
		text_append_repeated(text, c, 1);
		return;
	}
	text->bytes[text->length++] = c;
	text->bytes[text->length] = '\0';
}
void text_format(struct text *text, const char *format, ...) printf_like(2, 3);
/* The built string, "" when nothing was added; the caller frees. text is empty again. */
char *text_steal(struct text *text);
void text_clear(struct text *text);
void text_release(struct text *text);
#define auto_text cleanup(text_release)

/* Append a field of a line of CSV, quoted when separator, a quote or a line end stands in it. Source: RFC 4180. */
void text_append_csv(struct text *text, const char *field, const char *separator);

/* What stands behind the last slash; all of a path that ends in one. */
const char *text_base_name(const char *path);

/* Append name with control characters, backslashes and invalid UTF-8 as \xNN, so that no name from a
 * file can command a terminal. */
void text_append_escaped(struct text *text, const char *name);

/* The same for a whole message, in which names may be escaped already: backslashes stay. */
void text_append_message(struct text *text, const char *message);

/* A whole number with thousands separated by commas, whatever the locale: "1,234,567". */
void text_append_grouped(struct text *text, uint64_t number);
/* printf("%.*f") with the whole part grouped by commas. */
void text_append_grouped_double(struct text *text, double number, int decimals);

bool text_starts_with(const char *text, const char *prefix);
bool text_ends_with(const char *text, const char *suffix);

/* The candidate nearest to word by edit distance, or NULL when none is near. */
const char *text_nearest(const char *word, const char *const *candidates, size_t count);

/* Columns that UTF-8 text takes on a terminal; a control character counts as one. */
size_t text_width(const char *utf8);

#endif
