/* The experiment: blocks in which each arm runs once, in random order, until enough is known. */
#ifndef AB_EXPERIMENT_H
#define AB_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ab/plan.h"
#include "base/error.h"
#include "runs/runs.h"

/* One run that is wanted. */
struct run_request {
	const struct plan *plan;
	size_t arm;
	struct plan_cell cell;
	uint32_t padding_bytes;
	bool is_warmup;
};

/**
 * What runs a command: the real one measures (ab/runner.h), tests give one that makes runs up.
 *
 * run: zeroed, with room for its counts and printed numbers, runs->events wide; what is measured is filled in,
 *      void_why when the measurement itself failed (timed out, event not scheduled). Texts in runs' arena.
 * Errors: end the experiment: the command cannot be executed, the kernel refuses.
 */
struct runner {
	struct error *(*run)(void *context, const struct run_request *request, struct runs *runs, struct run *ret);
	void *context;
	/* Sample a run that is not counted, for plan->record_every; may be NULL. Errors: as run. */
	struct error *(*record)(void *record_context, const struct run_request *request, uint32_t block);
	void *record_context;
};

/* What is asked and told between blocks. Every function may be NULL. */
struct watcher {
	/* At a look: enough known? look: 0 for the first. */
	bool (*enough)(void *context, const struct runs *runs, unsigned look);
	/* After each block: how far it is. */
	void (*progress)(void *context, const struct runs *runs, uint64_t slots_done, uint64_t slots_wanted);
	/* Ctrl-C was pressed. */
	bool (*interrupted)(void *context);
	void *context;
};

enum experiment_end {
	EXPERIMENT_ENOUGH,      /* all blocks, or the stopping rule */
	EXPERIMENT_INTERRUPTED, /* the running block is dropped; resumable */
	EXPERIMENT_VOID,        /* more than a tenth of the blocks void */
};

struct experiment {
	const struct plan *plan;
	struct runs *runs;           /* may hold earlier blocks: they count */
	struct runs_writer *writer;  /* or NULL */
	struct runner runner;
	struct watcher watcher;
};

/* Run warm-ups, without keeping them. seconds: of the last run of all arms together, hooks included.
 * Errors: as runner and hooks. */
must_use struct error *experiment_warm_up(const struct experiment *experiment, double *seconds);
/* Blocks until the plan is fulfilled. Errors: as runner, hooks and writer; whole blocks are kept in runs. */
must_use struct error *experiment_run(const struct experiment *experiment, enum experiment_end *ret);
/* --setup or --cleanup of every arm. Errors: as shell_run(). */
must_use struct error *experiment_setup(const struct plan *plan);
must_use struct error *experiment_cleanup(const struct plan *plan);

/* Blocks of a runs file, by whether they count. */
uint64_t experiment_valid_blocks(const struct runs *runs);
uint64_t experiment_void_blocks(const struct runs *runs);

#endif
