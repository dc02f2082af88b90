/* Runs one after another, each with its own counts: what `stat` and `ab` measure with. */
#ifndef MEASURE_METER_H
#define MEASURE_METER_H

#include "measure/counters.h"

struct meter_setup {
	const struct kernel *kernel;
	struct launcher *launcher;  /* borrowed, as all here; NULL when no command is ever run */
	struct event_list *events;
	const bool *chosen;         /* [event] which to count; NULL: all */
	struct target *place;       /* what is counted; NULL: the command of each run */
	bool no_inherit;            /* a command without its children */
	bool reopen;                /* open the events anew for each run, though once would do: slower, same counts */
	bool start_off;             /* counting starts with meter_switch(), not with the run */
};

struct meter;

/**
 * Ready to measure.
 *
 * Events are opened once for all runs when they can be: commands then inherit them from the launcher. A command
 * that leaves children behind has them opened anew, so that those are not counted in the next run.
 * Errors: those of counters_open().
 */
must_use struct error *meter_create(const struct meter_setup *setup, struct meter **ret);
size_t meter_places(const struct meter *meter, const struct place **ret);
/* As counters_why() and counters_user_only(). Borrowed until the next run. */
const struct error *meter_why(const struct meter *meter, size_t event);
bool meter_user_only(const struct meter *meter, size_t event);

/**
 * Begin a run: hold the command, when there is one, and have its counters ready; or start counting.
 *
 * command: NULL counts the place until meter_end().
 * Errors:  those of target_from_command() and counters_open().
 */
must_use struct error *meter_begin(struct meter *meter, const struct command_setup *command);
/* Release the held command and start what counts. */
must_use struct error *meter_start(struct meter *meter);
/* As target_wait(), of the command, else of the tasks counted. */
must_use struct error *meter_wait(struct meter *meter, uint64_t timeout_ns, bool *done);
int meter_signal(const struct meter *meter); /* the last one that arrived in this run; 0 none */
void meter_kill(struct meter *meter, int signal);
/* Counting on or off, for --delay and --control. */
must_use struct error *meter_switch(struct meter *meter, bool on);
/* Counts of this run so far: [events][places]. */
must_use struct error *meter_read(struct meter *meter, struct count *counts);
/* Nanoseconds since meter_start(). */
uint64_t meter_elapsed_ns(const struct meter *meter);
/**
 * End a run.
 *
 * counts: [events][places] of the whole run, or NULL.
 * result: of the command; of a place only its times. A command still running is ended first.
 * left_children: processes of the command outlive it, or NULL.
 */
must_use struct error *meter_end(struct meter *meter, struct count *counts, struct command_result *result,
				 bool *left_children);
void meter_destroy(struct meter *meter);
DEFINE_GUARD(meter)

/* All of a run, to the command's own end: Ctrl-C reaches the command too, and meter_signal() tells the caller.
 * Errors: also those of target_wait(). */
must_use struct error *meter_run(struct meter *meter, const struct command_setup *command, struct count *counts,
				 struct command_result *result, bool *left_children);

#endif
