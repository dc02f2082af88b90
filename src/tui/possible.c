/* Whether this terminal can show views. */
#include "tui/tui.h"

#include <curses.h>
#include <stdlib.h>
#include <term.h> /* last: its macros take names such as columns */

bool tui_is_possible(void)
{
	int failure;
	const char *kind = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !kind || !*kind)
		return false;
	if (setupterm(kind, STDOUT_FILENO, &failure) != OK)
		return false;

	bool moves = tigetstr("cup") && tigetstr("cup") != (char *)-1;

	del_curterm(cur_term);
	return moves;
}
