/* The experiment: blocks in which each arm runs once, in random order, until enough is known. */
#include "ab/experiment.h"

#include <string.h>
#include <time.h>

#include "ab/shell.h"
#include "base/memory.h"

static struct error *run_hook(const struct plan_arm *arm, const char *which, const char *text)
{
	auto_free char *what = memory_format("--%s of %s", which, arm->name);
	auto_free char *variable = memory_format("PERFMINI_ARM=%s", arm->name);
	const char *const variables[] = { variable, NULL };
	struct shell shell = { what, NULL, variables };

	return text ? shell_run(&shell, text) : NULL;
}

struct error *experiment_setup(const struct plan *plan)
{
	struct error *err = NULL;

	for (size_t i = 0; i < plan->arm_count && !err; i++)
		err = run_hook(&plan->arms[i], "setup", plan->arms[i].setup);
	return err;
}

struct error *experiment_cleanup(const struct plan *plan)
{
	struct error *first = NULL;

	for (size_t i = 0; i < plan->arm_count; i++) {
		struct error *err = run_hook(&plan->arms[i], "cleanup", plan->arms[i].cleanup);

		if (first)
			error_destroy(err);
		else
			first = err;
	}
	return first;
}

static struct error *run_one(const struct experiment *experiment, const struct run_request *request, struct run *run)
{
	const struct plan_arm *arm = &request->plan->arms[request->arm];
	struct error *err = run_hook(arm, "prepare", arm->prepare);

	if (!err)
		err = experiment->runner.run(experiment->runner.context, request, experiment->runs, run);
	return err ? err : run_hook(arm, "conclude", arm->conclude);
}

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct error *experiment_warm_up(const struct experiment *experiment, double *seconds)
{
	double taken = 0;

	for (uint64_t i = 0; i < experiment->plan->warmup; i++) {
		double start = now_seconds();

		for (size_t arm = 0; arm < experiment->plan->arm_count; arm++) {
			struct run_request request = { experiment->plan, arm, plan_cell(experiment->plan, i), 0, true };
			struct run *run = runs_add(experiment->runs);
			struct error *err = run_one(experiment, &request, run);

			experiment->runs->count--;
			if (err)
				return err;
		}
		taken = now_seconds() - start;
	}
	*seconds = taken;
	return NULL;
}

static void judge(const struct plan *plan, struct runs *runs, struct run *run)
{
	if (run->void_why || !run->status || plan->ignore_failure)
		return;

	auto_free char *why = run->status > 128 ? memory_format("killed by signal %d", run->status - 128) :
						  memory_format("exit status %d", run->status);

	run->void_why = runs_text(runs, why);
}

/* One run that failed makes its whole block void: an arm without its partner says nothing. */
static void spread_void(const struct plan *plan, struct runs *runs, size_t first)
{
	const struct run *failed = NULL;

	for (size_t i = first; i < runs->count && !failed; i++)
		if (runs->items[i].void_why)
			failed = &runs->items[i];
	if (!failed)
		return;

	auto_free char *why = memory_format("its block is void: %s", plan->arms[failed->arm].name);
	const char *text = runs_text(runs, why);

	for (size_t i = first; i < runs->count; i++) {
		runs->items[i].is_void = true;
		if (!runs->items[i].void_why)
			runs->items[i].void_why = text;
	}
}

static bool is_interrupted(const struct experiment *experiment)
{
	const struct watcher *watcher = &experiment->watcher;

	return watcher->interrupted && watcher->interrupted(watcher->context);
}

static struct error *start_condition(const struct plan *plan, const struct plan_cell *cell, struct co_runner **ret)
{
	bool pressed = cell->condition && !strcmp(cell->condition, "pressure");

	return pressed ? co_runner_start(plan->background, ret) : NULL;
}

/* Recorded runs come after the counted ones of their block, in an order of their own: they disturb no pair. */
static struct error *record_block(const struct experiment *experiment, uint32_t block, const struct plan_cell *cell)
{
	const struct plan *plan = experiment->plan;
	const struct runner *runner = &experiment->runner;
	auto_free size_t *order = memory_zeroed(plan->arm_count, sizeof(*order));
	struct error *err = NULL;

	if (!runner->record || !plan->record_every || block % plan->record_every)
		return NULL;
	plan_order(plan, UINT64_C(1) << 32 | block, cell, order);
	for (size_t i = 0; i < plan->arm_count && !err && !is_interrupted(experiment); i++) {
		const struct plan_arm *arm = &plan->arms[order[i]];
		struct run_request request = { plan, order[i], *cell, plan_padding(plan, block, cell->layout), false };

		err = run_hook(arm, "prepare", arm->prepare);
		if (!err)
			err = runner->record(runner->record_context, &request, block);
		if (!err)
			err = run_hook(arm, "conclude", arm->conclude);
	}
	return err;
}

/* Run every arm once. On an error or an interrupt the runs of this block are to be dropped. */
static struct error *run_block(const struct experiment *experiment, uint32_t block, const struct plan_cell *cell)
{
	const struct plan *plan = experiment->plan;
	struct runs *runs = experiment->runs;
	size_t first = runs->count;
	auto_free size_t *order = memory_zeroed(plan->arm_count, sizeof(*order));
	cleanup(co_runner_guard) struct co_runner *co_runner = NULL;
	struct error *err = start_condition(plan, cell, &co_runner);

	plan_order(plan, block, cell, order);
	for (size_t i = 0; i < plan->arm_count && !err && !is_interrupted(experiment); i++) {
		struct run_request request = { plan, order[i], *cell, plan_padding(plan, block, cell->layout), false };
		struct run *run = runs_add(runs);

		run->arm = (uint32_t)order[i];
		run->block = block;
		run->position = (uint32_t)i;
		run->layout = cell->layout;
		run->condition = cell->condition;
		run->padding_bytes = request.padding_bytes;
		err = run_one(experiment, &request, run);
		if (!err)
			judge(plan, runs, run);
	}
	spread_void(plan, runs, first);
	if (!err && !runs->items[first].is_void)
		err = record_block(experiment, block, cell);
	return err;
}

static uint64_t count_blocks(const struct runs *runs, bool is_void)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < runs->count; i++)
		if ((!i || runs->items[i].block != runs->items[i - 1].block) && runs->items[i].is_void == is_void)
			blocks++;
	return blocks;
}

uint64_t experiment_valid_blocks(const struct runs *runs)
{
	return count_blocks(runs, false);
}

uint64_t experiment_void_blocks(const struct runs *runs)
{
	return count_blocks(runs, true);
}

/* More than a tenth void whatever comes, or nothing but void at the start. */
static bool too_many_void(const struct plan *plan, uint64_t valid, uint64_t voided)
{
	uint64_t wanted = plan->blocks * plan_conditions(plan);

	return voided * 9 > wanted || (!valid && voided >= 3);
}

static bool is_enough(const struct experiment *experiment, uint64_t slots, uint64_t look_at, unsigned *look)
{
	const struct watcher *watcher = &experiment->watcher;

	if (slots < look_at)
		return false;
	if (!plan_next_look(experiment->plan, slots))
		return true;
	return watcher->enough && watcher->enough(watcher->context, experiment->runs, (*look)++);
}

/* Looks that lie before slots: a resumed experiment does not look twice. */
static unsigned looks_before(const struct plan *plan, uint64_t slots)
{
	unsigned looks = 0;

	for (uint64_t at = plan_next_look(plan, 0); at && at <= slots; at = plan_next_look(plan, at))
		looks++;
	return looks;
}

static struct error *add_block(const struct experiment *experiment, uint64_t slot, bool *interrupted)
{
	struct runs *runs = experiment->runs;
	size_t first = runs->count;
	uint32_t block = first ? runs->items[first - 1].block + 1 : 0;
	struct plan_cell cell = plan_cell(experiment->plan, slot);
	struct error *err = run_block(experiment, block, &cell);

	*interrupted = is_interrupted(experiment);
	if (err || *interrupted)
		runs->count = first;
	if (!err && !*interrupted && experiment->writer)
		err = runs_writer_append(experiment->writer, runs, first);
	return err;
}

struct error *experiment_run(const struct experiment *experiment, enum experiment_end *ret)
{
	const struct plan *plan = experiment->plan;
	const struct watcher *watcher = &experiment->watcher;
	uint64_t slots = experiment_valid_blocks(experiment->runs), wanted = plan->blocks * plan_conditions(plan);
	unsigned look = looks_before(plan, slots);
	uint64_t look_at = plan_next_look(plan, slots);
	bool interrupted = false;

	*ret = EXPERIMENT_ENOUGH;
	while (look_at) {
		struct error *err = add_block(experiment, slots, &interrupted);

		if (err)
			return err;
		slots = experiment_valid_blocks(experiment->runs);
		if (interrupted)
			*ret = EXPERIMENT_INTERRUPTED;
		else if (too_many_void(plan, slots, experiment_void_blocks(experiment->runs)))
			*ret = EXPERIMENT_VOID;
		if (*ret != EXPERIMENT_ENOUGH)
			return NULL;
		if (watcher->progress)
			watcher->progress(watcher->context, experiment->runs, slots, wanted);
		if (is_enough(experiment, slots, look_at, &look))
			return NULL;
		look_at = plan_next_look(plan, slots);
	}
	return NULL;
}
