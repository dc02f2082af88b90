/* Looks as a table: without colour, with 8, with 256. */
#include "tui/theme.h"

#include <curses.h>
#include <stdbool.h>
#include <stdlib.h>

struct look {
	unsigned long mono;       /* attributes where there is no colour */
	short basic, basic_back;  /* of 8 colours; -1: the terminal's own */
	short rich, rich_back;    /* of 256 */
	unsigned long always;     /* attributes beside colours */
};

static const struct look looks[ROLE_COUNT] = {
	[ROLE_NORMAL] = { A_NORMAL, -1, -1, -1, -1, A_NORMAL },
	[ROLE_TITLE] = { A_REVERSE, COLOR_WHITE, COLOR_BLUE, 255, 24, A_NORMAL },
	[ROLE_HEADS] = { A_BOLD, -1, -1, -1, -1, A_BOLD },
	[ROLE_STATUS] = { A_REVERSE, COLOR_WHITE, COLOR_BLUE, 255, 24, A_NORMAL },
	[ROLE_SELECTED] = { A_REVERSE, -1, -1, -1, -1, A_REVERSE },
	[ROLE_HOT] = { A_BOLD, COLOR_RED, -1, 203, -1, A_NORMAL },
	[ROLE_WARM] = { A_NORMAL, COLOR_GREEN, -1, 71, -1, A_NORMAL },
	[ROLE_DIM] = { A_DIM, COLOR_CYAN, -1, 67, -1, A_NORMAL },
	[ROLE_KEY] = { A_BOLD, COLOR_GREEN, -1, 71, -1, A_BOLD },
};

/* Source: no-color.org: set, and not empty. */
static bool wants_color(void)
{
	const char *no = getenv("NO_COLOR");

	return !(no && *no) && has_colors();
}

void theme_init(struct theme *ret)
{
	bool colored = wants_color() && start_color() == OK && use_default_colors() == OK;

	for (short role = 0; role < ROLE_COUNT; role++) {
		const struct look *look = &looks[role];
		bool rich = colored && COLORS >= 256;
		short fore = rich ? look->rich : look->basic, back = rich ? look->rich_back : look->basic_back;

		ret->attributes[role] = look->mono;
		if (!colored)
			continue;
		init_pair((short)(role + 1), fore, back);
		ret->attributes[role] = look->always | (unsigned long)COLOR_PAIR(role + 1);
	}
}
