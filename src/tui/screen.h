/* Text put on the terminal: clipped to a width, by columns, in a role's look. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "tui/theme.h"

struct screen {
	struct theme theme;
	bool is_utf8;  /* else what is not ASCII shows as '?' */
	int rows, columns;
};

/* One line under construction. Text of a file goes in escaped. */
struct line {
	struct text text;
	struct span {
		size_t end; /* bytes of text up to which the role holds */
		enum role role;
	} spans[8];
	size_t span_count;
};

/* What was added since the last mark has that role. */
void line_mark(struct line *line, enum role role);
void line_clear(struct line *line);
void line_release(struct line *line);
/* Append as text_append(), padded to width columns, on the left when right is set. */
void line_pad(struct line *line, const char *cell, size_t width, bool right);

/* A row of the screen: the line without its first shift columns, up to the right edge, the rest blank. role holds where no
 * span does; force: everywhere. */
void screen_row(const struct screen *screen, int row, const struct line *line, size_t shift, enum role role, bool force);
void screen_text(const struct screen *screen, int row, enum role role, const char *text);

#endif
