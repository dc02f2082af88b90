/* Runs a command and measures it: the runner of real experiments. */
#ifndef AB_RUNNER_H
#define AB_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ab/experiment.h"
#include "ab/printed.h"
#include "base/error.h"
#include "event/event.h"
#include "measure/target.h"

struct live_runner;

/* Borrowed for the life of the runner. */
struct live_setup {
	struct launcher *launcher;
	struct event_list *events;
	const struct printed_list *printed;
	uint64_t timeout_ns;  /* 0: none */
	const int *cpus;      /* [cpu_count] for every arm, or NULL */
	size_t cpu_count;
	bool show_output;     /* do not take the commands' output */
};

/* Adds the events that count here to list, of those in texts. Errors: as event_list_add() and meter_create(). */
must_use struct error *live_runner_usable(struct launcher *launcher, const char *const *texts, size_t count,
					  struct event_list *list);

/* Events that do not fit at once are divided into sets, see live_runner_sets(). */
struct live_runner *live_runner_create(const struct live_setup *setup);
size_t live_runner_sets(const struct live_runner *live); /* at least 1 */
/* Fill runs->events. */
void live_runner_describe(const struct live_runner *live, struct runs *runs);
/* Close the counters until the next run: commands forked meanwhile are not counted. */
void live_runner_pause(struct live_runner *live);
/* What an experiment calls. */
struct runner live_runner_interface(struct live_runner *live);
/* The last line on standard error of the last run that failed, or "". */
const char *live_runner_complaint(const struct live_runner *live);
/* The signal that ended a wait: SIGINT, SIGTERM, SIGHUP, or 0. */
int live_runner_signal(const struct live_runner *live);
void live_runner_destroy(struct live_runner *live);
DEFINE_GUARD(live_runner)

#endif
