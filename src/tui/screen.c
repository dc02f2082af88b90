/* Lines to cells: wide characters, clipping, and terminals without UTF-8. */
#include "tui/screen.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void line_mark(struct line *line, enum role role)
{
	if (line->span_count < ARRAY_SIZE(line->spans))
		line->spans[line->span_count++] = (struct span){ line->text.length, role };
}

void line_clear(struct line *line)
{
	text_clear(&line->text);
	line->span_count = 0;
}

void line_release(struct line *line)
{
	text_release(&line->text);
}

static void append_blanks(struct text *text, size_t count)
{
	while (count--)
		text_append_char(text, ' ');
}

void line_pad(struct line *line, const char *cell, size_t width, bool right)
{
	size_t taken = text_width(cell), blanks = taken < width ? width - taken : 0;

	append_blanks(&line->text, right ? blanks : 0);
	text_append(&line->text, cell);
	append_blanks(&line->text, right ? 0 : blanks);
}

/* The next character: its bytes, and its columns; a control character or a broken one is shown as '?'. */
struct glyph {
	const char *bytes;
	size_t length, used;
	int columns;
};

static size_t sequence_length(const char *at)
{
	size_t length = 1;

	while (((unsigned char)at[length] & 0xc0) == 0x80)
		length++;
	return length;
}

static struct glyph next_glyph(const struct screen *screen, const char *at)
{
	struct glyph unknown = { "?", 1, (unsigned char)*at < 0x80 ? 1 : sequence_length(at), 1 };
	mbstate_t state = { 0 };
	wchar_t wide;

	if ((unsigned char)*at < 0x80)
		return (unsigned char)*at < 0x20 || *at == 0x7f ? unknown : (struct glyph){ at, 1, 1, 1 };
	if (!screen->is_utf8)
		return unknown;

	size_t length = mbrtowc(&wide, at, strlen(at), &state);

	if (length == (size_t)-1 || length == (size_t)-2 || wcwidth(wide) < 0)
		return unknown;
	return (struct glyph){ at, length, length, wcwidth(wide) };
}

static enum role role_at(const struct line *line, size_t at, enum role otherwise)
{
	for (size_t i = 0; i < line->span_count; i++)
		if (at < line->spans[i].end)
			return line->spans[i].role;
	return otherwise;
}

static void set_role(const struct screen *screen, enum role role)
{
	attrset((int)screen->theme.attributes[role]);
}

void screen_row(const struct screen *screen, int row, const struct line *line, size_t shift, enum role role, bool force)
{
	const char *text = line->text.bytes ? line->text.bytes : "";
	long column = -(long)shift;

	set_role(screen, role);
	mvhline(row, 0, ' ', screen->columns);
	for (size_t at = 0; text[at];) {
		struct glyph glyph = next_glyph(screen, text + at);

		if (column + glyph.columns > screen->columns)
			break;
		if (column + glyph.columns > 0 && column >= 0) {
			set_role(screen, force ? role : role_at(line, at, role));
			mvaddnstr(row, (int)column, glyph.bytes, (int)glyph.length);
		}
		column += glyph.columns;
		at += glyph.used;
	}
	attrset(A_NORMAL);
}

void screen_text(const struct screen *screen, int row, enum role role, const char *text)
{
	struct line line = { 0 };

	text_append(&line.text, text);
	screen_row(screen, row, &line, 0, role, true);
	line_release(&line);
}
