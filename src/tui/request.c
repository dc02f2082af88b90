/* The table of requests, and the key that makes each. */
#include "tui/request.h"

#include <curses.h>

#include "base/attr.h"

#define CONTROL(letter) ((letter) & 0x1f)

static const struct request_info requests[REQUEST_COUNT] = {
#define REQUEST(id, section, shown, help, ...) [REQUEST_##id] = { section, shown, help, { __VA_ARGS__ } },
#include "tui/requests.def"
#undef REQUEST
};

/* Characters above ASCII could be taken for codes of ncurses. */
static bool holds(const struct request_info *info, int key, bool is_code)
{
	if (is_code != (key >= KEY_MIN))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(info->keys) && info->keys[i]; i++)
		if (info->keys[i] == key)
			return true;
	return false;
}

enum request request_of_key(int key, bool is_code)
{
	for (enum request request = REQUEST_NONE + 1; request < REQUEST_COUNT; request++)
		if (holds(&requests[request], key, is_code))
			return request;
	return REQUEST_NONE;
}

const struct request_info *request_info(enum request request)
{
	return &requests[request];
}
