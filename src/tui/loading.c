/* The loading view: one thread, a bar, and the result. */
#include "tui/loading.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct loading {
	struct view view;
	struct loading_setup setup;
	pthread_t thread;
	bool is_started;
	struct error *err;      /* the thread's, until it is done */
	atomic_bool is_done, is_unwanted;
	_Atomic uint64_t done, all;
	unsigned ticks;
};

static void *run_thread(void *data)
{
	struct loading *loading = data;

	loading->err = loading->setup.run(loading->setup.data, loading);
	atomic_store(&loading->is_done, true);
	return NULL;
}

void loading_progress(struct loading *loading, uint64_t done, uint64_t all)
{
	atomic_store(&loading->done, done);
	atomic_store(&loading->all, all);
}

bool loading_is_wanted(const struct loading *loading)
{
	return !atomic_load(&loading->is_unwanted);
}

static void append_bar(struct text *text, double share, int width)
{
	int full = (int)(share * width);

	text_append_char(text, '[');
	for (int i = 0; i < width; i++)
		text_append_char(text, i < full ? '#' : '.');
	text_format(text, "] %3.0f %%", 100 * share);
}

static void loading_draw(struct view *view, const struct screen *screen)
{
	struct loading *loading = (struct loading *)view;
	uint64_t done = atomic_load(&loading->done), all = atomic_load(&loading->all);
	auto_text struct text text = { 0 };
	double share = all ? (double)done / (double)all : 0;

	text_format(&text, "%s ", loading->setup.what);
	text_append_escaped(&text, loading->setup.of);
	screen_text(screen, 0, ROLE_TITLE, text.bytes);
	text_clear(&text);
	if (all && share < 1)
		append_bar(&text, share, screen->columns > 60 ? 50 : screen->columns / 2);
	else
		text_format(&text, "looking up names %.*s", (int)(loading->ticks / 3 % 4), "...");
	screen_text(screen, 2, ROLE_NORMAL, text.bytes);
}

static void loading_tick(struct view *view, struct tui *tui)
{
	struct loading *loading = (struct loading *)view;

	loading->ticks++;
	if (!atomic_load(&loading->is_done))
		return;
	if (loading->is_started)
		pthread_join(loading->thread, NULL);
	loading->is_started = false;
	if (loading->err) {
		tui_fail(tui, take(loading->err));
		return;
	}
	tui_pop(tui);
	loading->setup.show(loading->setup.data, tui);
}

static void loading_destroy(struct view *view)
{
	struct loading *loading = (struct loading *)view;

	atomic_store(&loading->is_unwanted, true);
	if (loading->is_started)
		pthread_join(loading->thread, NULL);
	error_destroy(loading->err);
	free(loading);
}

static const struct view_class loading_class = {
	.draw = loading_draw, .tick = loading_tick, .destroy = loading_destroy, .hint = "q:stop",
};

struct view *loading_create(const struct loading_setup *setup)
{
	struct loading *loading = memory_zeroed(1, sizeof(*loading));

	loading->view.class = &loading_class;
	loading->setup = *setup;
	loading->is_started = !pthread_create(&loading->thread, NULL, run_thread, loading);
	if (!loading->is_started)
		run_thread(loading);
	return &loading->view;
}
