/* The event loop: keys, signals and ticks to the top view. Owns the terminal. */
#include "tui/tui.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <wchar.h>

#include "base/memory.h"
#include "tui/help_view.h"
#include "tui/prompt.h"
#include "tui/terminal.h"

enum { TICK_MS = 100, ROWS_MIN = 4, COLUMNS_MIN = 16 };

struct tui {
	struct terminal *terminal;
	struct screen screen;
	struct view **views;   /* the last one is on top */
	size_t count, capacity;
	struct view **left;    /* views to destroy when the loop is back in their caller's stead */
	size_t left_count, left_capacity;
	struct text message;
	struct prompt prompt;
	struct error *failure;
	int signal;            /* that ended the loop; 0: none */
};

struct error *tui_open(struct tui **ret)
{
	struct tui *tui = memory_zeroed(1, sizeof(*tui));
	struct error *err = terminal_open(&tui->terminal);

	if (err) {
		free(tui);
		return err;
	}
	theme_init(&tui->screen.theme);
	tui->screen.is_utf8 = terminal_is_utf8();
	*ret = tui;
	return NULL;
}

static void leave_top(struct tui *tui)
{
	array_grow(&tui->left, tui->left_count, &tui->left_capacity);
	tui->left[tui->left_count++] = tui->views[--tui->count];
}

static void destroy_left(struct tui *tui)
{
	while (tui->left_count) {
		struct view *view = tui->left[--tui->left_count];

		view->class->destroy(view);
	}
}

void tui_close(struct tui *tui)
{
	if (!tui)
		return;

	int signal_number = tui->signal;

	terminal_close(tui->terminal);
	while (tui->count)
		leave_top(tui);
	destroy_left(tui);
	error_destroy(tui->failure);
	prompt_release(&tui->prompt);
	text_release(&tui->message);
	free(tui->views);
	free(tui->left);
	free(tui);
	if (signal_number)
		raise(signal_number);
}

void tui_push(struct tui *tui, struct view *view)
{
	array_grow(&tui->views, tui->count, &tui->capacity);
	tui->views[tui->count++] = view;
}

void tui_pop(struct tui *tui)
{
	if (tui->count)
		leave_top(tui);
}

void tui_quit(struct tui *tui)
{
	while (tui->count)
		leave_top(tui);
}

void tui_fail(struct tui *tui, struct error *err)
{
	error_destroy(tui->failure);
	tui->failure = err;
	tui_quit(tui);
}

void tui_say(struct tui *tui, const char *format, ...)
{
	va_list args;
	char *said;

	va_start(args, format);
	if (vasprintf(&said, format, args) < 0)
		said = NULL;
	va_end(args);
	text_clear(&tui->message);
	text_append(&tui->message, said ? said : "");
	free(said);
}

void tui_ask(struct tui *tui, const char *prompt)
{
	prompt_begin(&tui->prompt, prompt);
}

const struct screen *tui_screen(const struct tui *tui)
{
	return &tui->screen;
}

static void draw_status(const struct tui *tui, const struct view *view)
{
	struct line line = { 0 };

	if (tui->prompt.is_open)
		prompt_line(&tui->prompt, &line);
	else if (tui->message.length)
		text_append(&line.text, tui->message.bytes);
	else
		text_format(&line.text, "%s  h:help", view->class->hint);

	size_t width = text_width(line.text.bytes), columns = (size_t)tui->screen.columns;
	bool scrolls = tui->prompt.is_open && width >= columns;

	screen_row(&tui->screen, tui->screen.rows - 1, &line, scrolls ? width - columns + 1 : 0, ROLE_STATUS, true);
	curs_set(tui->prompt.is_open);
	if (tui->prompt.is_open)
		move(tui->screen.rows - 1, (int)(scrolls ? columns - 1 : width));
	line_release(&line);
}

static void draw(struct tui *tui)
{
	struct view *view = tui->views[tui->count - 1];

	getmaxyx(stdscr, tui->screen.rows, tui->screen.columns);
	erase();
	if (tui->screen.rows < ROWS_MIN || tui->screen.columns < COLUMNS_MIN) {
		curs_set(0);
		screen_text(&tui->screen, 0, ROLE_NORMAL, "too small; q:back");
	} else {
		view->class->draw(view, &tui->screen);
		draw_status(tui, view);
	}
	refresh();
}

static void obey(struct tui *tui, enum request request)
{
	struct view *view = tui->views[tui->count - 1];

	text_clear(&tui->message);
	switch (request) {
	case REQUEST_NONE:
		tui_say(tui, "no such key: h lists them");
		return;
	case REQUEST_QUIT:
		tui_quit(tui);
		return;
	case REQUEST_BACK:
		tui_pop(tui);
		return;
	case REQUEST_REDRAW:
		clearok(curscr, TRUE);
		return;
	case REQUEST_HELP:
		tui_push(tui, help_view_create());
		return;
	default:
		if (!view->class->act || !view->class->act(view, request, tui))
			tui_say(tui, "%s does nothing here: h lists the keys", request_info(request)->shown);
	}
}

static void take_prompt_key(struct tui *tui, wint_t key, bool is_code)
{
	struct view *view = tui->views[tui->count - 1];

	if (!prompt_key(&tui->prompt, key, is_code))
		return;

	auto_free char *text = prompt_end(&tui->prompt);

	if (text && view->class->answer)
		view->class->answer(view, text, tui);
}

static void take_keys(struct tui *tui)
{
	wint_t key;
	int kind;

	while (tui->count && (kind = get_wch(&key)) != ERR) {
		bool is_code = kind == KEY_CODE_YES;

		if (is_code && key == KEY_RESIZE)
			continue;
		if (tui->prompt.is_open)
			take_prompt_key(tui, key, is_code);
		else
			obey(tui, request_of_key((int)key, is_code));
		destroy_left(tui);
	}
}

static void take_signals(struct tui *tui)
{
	int number;

	while ((number = terminal_signal(tui->terminal))) {
		if (number == SIGINT) {
			tui_quit(tui);
		} else if (number != SIGWINCH && number != SIGTSTP) {
			tui->signal = number;
			tui_quit(tui);
		}
	}
}

static void tick(struct tui *tui)
{
	struct view *view = tui->count ? tui->views[tui->count - 1] : NULL;

	if (view && view->class->tick)
		view->class->tick(view, tui);
	destroy_left(tui);
}

struct error *tui_run(struct tui *tui)
{
	while (tui->count) {
		struct pollfd fds[] = { { STDIN_FILENO, POLLIN, 0 }, { terminal_signal_fd(tui->terminal), POLLIN, 0 } };
		bool ticks = tui->views[tui->count - 1]->class->tick != NULL;

		draw(tui);
		if (poll(fds, ARRAY_SIZE(fds), ticks ? TICK_MS : -1) < 0 && errno != EINTR)
			return error_os(errno, "wait for a key");
		take_signals(tui);
		take_keys(tui);
		tick(tui);
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			tui_quit(tui);
		destroy_left(tui);
	}
	return take(tui->failure);
}
