/* Help: each request with its keys, by section. */
#include "tui/help_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tui/list.h"

enum { KEYS_WIDTH = 20 };

/* request 0: the section's title stands there. */
struct help_view {
	struct list list;
	struct help_line {
		enum request request;
		const char *title;
	} lines[2 * REQUEST_COUNT];
};

static void help_heads(struct list *list, const struct screen *screen, struct line *title, struct line *columns)
{
	(void)list, (void)screen, (void)columns;
	text_append(&title->text, "Keys");
}

static void help_line(struct list *list, const struct screen *screen, size_t number, struct line *ret)
{
	const struct help_line *line = &((struct help_view *)list)->lines[number];

	(void)screen;
	if (!line->request) {
		text_append(&ret->text, line->title);
		line_mark(ret, ROLE_HEADS);
		return;
	}
	text_append(&ret->text, "  ");
	line_pad(ret, request_info(line->request)->shown, KEYS_WIDTH, false);
	line_mark(ret, ROLE_KEY);
	text_append(&ret->text, request_info(line->request)->help);
}

static void help_destroy(struct list *list)
{
	free(list);
}

static const struct list_class help_lines = { help_heads, help_line, NULL, help_destroy, NULL };
static const struct view_class help_class = LIST_VIEW_CLASS("q:back  /:search");

struct view *help_view_create(void)
{
	struct help_view *help = memory_zeroed(1, sizeof(*help));
	const char *section = "";
	size_t count = 0;

	help->list.view.class = &help_class;
	help->list.class = &help_lines;
	for (enum request request = REQUEST_NONE + 1; request < REQUEST_COUNT; request++) {
		if (strcmp(request_info(request)->section, section)) {
			section = request_info(request)->section;
			help->lines[count++] = (struct help_line){ REQUEST_NONE, section };
		}
		help->lines[count++] = (struct help_line){ request, NULL };
	}
	help->list.count = count;
	return &help->list.view;
}
