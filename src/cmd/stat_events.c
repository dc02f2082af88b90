/* `perfmini stat`: which events to count, and which of them at once. */
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/stat.h"
#include "measure/fit.h"

/* In the order shown; the last are the first to go when they do not all fit. */
static const char *const defaults[] = {
	"context-switches", "cpu-migrations", "page-faults", "cycles", "stalled-cycles-frontend",
	"stalled-cycles-backend", "instructions", "branches", "branch-misses", NULL,
};
static const char *const details[][8] = {
	{ "L1-dcache-loads", "L1-dcache-load-misses", "LLC-loads", "LLC-load-misses", NULL },
	{ "L1-icache-loads", "L1-icache-load-misses", "dTLB-loads", "dTLB-load-misses", "iTLB-loads",
	  "iTLB-load-misses", NULL },
	{ "L1-dcache-prefetches", "L1-dcache-prefetch-misses", NULL },
};

/* A default that this machine has no name for (stalled cycles, mostly) is left out. */
static void add_defaults(struct event_list *list, const char *const *names)
{
	for (; *names; names++) {
		struct error *err = event_list_add(list, *names);

		if (err)
			log_verbose("%s: %s", *names, error_message(err));
		error_destroy(err);
	}
}

static struct error *add_metric_events(struct stat_session *session, const char *name)
{
	const struct metric *metric;
	size_t cursor = 0;
	struct error *err = NULL;

	metric = metric_find(session->metrics, name, &cursor);
	if (!metric)
		return error_hint(error_new(ERROR_NOT_FOUND, "no metric '%s' for this CPU", name),
				  "'perfmini list' names metrics");
	for (size_t i = 0; !err && i < metric->event_count; i++) {
		bool there = !strcmp(metric->events[i], "duration_time");

		for (size_t j = 0; j < event_list_count(session->events) && !there; j++)
			there = event_is(event_list_at(session->events, j), metric->events[i]);
		if (!there)
			err = event_list_add(session->events, metric->events[i]);
	}
	return err;
}

static struct error *add_metrics(struct stat_session *session)
{
	auto_free char *names = memory_strdup(session->options->metrics);
	char *rest = names, *name;

	while ((name = strsep(&rest, ","))) {
		struct error *err = *name ? add_metric_events(session, name) : NULL;

		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_named(struct stat_session *session)
{
	const struct option_texts *events = &session->options->events;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < events->count; i++)
		err = event_list_add(session->events, events->items[i]);
	if (!err && session->options->metrics)
		err = add_metrics(session);
	return err;
}

static void restrict_modes(const struct stat_session *session)
{
	for (size_t i = 0; i < event_list_count(session->events); i++) {
		struct event *event = event_list_edit(session->events, i);

		if (session->options->all_user)
			event->attr.exclude_kernel = event->attr.exclude_hv = 1;
		if (session->options->all_kernel)
			event->attr.exclude_user = 1;
	}
}

/* Group members cannot be left out alone, but defaults stand in no groups. */
static void drop_what_does_not_fit(struct stat_session *session)
{
	auto_text struct text dropped = { 0 };

	for (size_t i = 0; i < event_list_count(session->events); i++)
		if (session->set[i] > 0) {
			text_append(&dropped, dropped.length ? ", " : "");
			text_append(&dropped, event_list_at(session->events, i)->name);
			session->chosen[0][i] = false;
		}
	log_note("left out, for want of counters: %s; --no-multiplex with --repeat counts all, in turns",
		 dropped.bytes);
}

static void choose_sets(struct stat_session *session, bool is_default)
{
	size_t count = event_list_count(session->events), sets;
	bool rotate = !session->options->multiplex && session->options->repeat != 1;

	session->set = memory_zeroed(count, sizeof(*session->set));
	sets = is_default || rotate ? fit_sets(&kernel_linux, session->events, session->set) : 1;
	session->set_count = rotate && sets > 1 ? sets : 1;
	session->chosen = memory_zeroed(session->set_count, sizeof(*session->chosen));
	for (size_t s = 0; s < session->set_count; s++) {
		session->chosen[s] = memory_zeroed(count, sizeof(**session->chosen));
		for (size_t i = 0; i < count; i++)
			session->chosen[s][i] = session->set_count == 1 || session->set[i] < 0 ||
						session->set[i] == (int)s;
	}
	if (is_default && sets > 1 && session->set_count == 1)
		drop_what_does_not_fit(session);
}

struct error *stat_choose_events(struct stat_session *session)
{
	const struct stat_options *options = session->options;
	bool is_default = !options->events.count && !options->metrics && !options->null_run;
	struct error *err = NULL;

	session->events = event_list_create();
	if (is_default) {
		err = event_list_add(session->events, session->place && target_is_cpus(session->place) ? "cpu-clock" :
											      "task-clock");
		add_defaults(session->events, defaults);
	} else if (!options->null_run) {
		err = add_named(session);
	}
	if (err)
		return err;
	for (size_t i = 0; i < options->detail && i < ARRAY_SIZE(details); i++)
		add_defaults(session->events, details[i]);
	restrict_modes(session);
	choose_sets(session, is_default && !options->detail);
	return NULL;
}
