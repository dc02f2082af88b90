/* What keys ask for. */
#ifndef TUI_REQUEST_H
#define TUI_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum request {
	REQUEST_NONE,
#define REQUEST(id, section, shown, help, ...) REQUEST_##id,
#include "tui/requests.def"
#undef REQUEST
	REQUEST_COUNT,
};

struct request_info {
	const char *section, *shown, *help;
	int keys[4]; /* 0 ends them early */
};

/* is_code: key is a KEY_… of ncurses, not a character. */
enum request request_of_key(int key, bool is_code);
const struct request_info *request_info(enum request request);

#endif
