/* perfmini ab: is B worse than A? Interleaved runs, paired statistics, a verdict. */
#include "cmd/cmd.h"

#include <string.h>

#include "ab/command_line.h"
#include "ab/experiment.h"
#include "ab/foreign.h"
#include "ab/patch_builds.h"
#include "ab/runner.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "cmd/ab.h"
#include "cmd/ab_history.h"
#include "cmd/ab_record.h"
#include "cmd/ab_share.h"
#include "cmd/ab_slurm.h"
#include "cmd/bundle.h"
#include "cmd/derived.h"
#include "measure/audit.h"
#include "measure/cpu_list.h"
#include "measure/target.h"

enum { RECORDINGS = 10 };
#define AB_DEFAULTS { .warmup = 1, .budget = 30, .padding = true }

#define AT(member) offsetof(struct ab_options, member)

static const struct option options[] = {
	{ 'n', "name", OPTION_TEXTS, AT(names), "NAME", "name of the next command (default: A, B, …)", NULL, NULL },
	{ 'L', "scan", OPTION_TEXTS, AT(scans), "NAME=V,V…", "run the command with each value for {NAME}", NULL, NULL },
	{ 'e', "event", OPTION_TEXTS, AT(events), "EVENTS", "count these, see perfmini-list(1)", NULL, NULL },
	{ 'm', "metric", OPTION_TEXTS, AT(metrics), "NAME=/RE(N)/", "a number that the commands print, ;good=higher may "
	  "follow; or a metric of perfmini-list(1)", NULL, NULL },
	{ 'w', "warmup", OPTION_COUNT, AT(warmup), "N", "runs of each that are not kept (default: 1)", NULL, NULL },
	{ 'b', "blocks", OPTION_COUNT, AT(blocks), "N", "run each so often (default: from durations)", NULL, NULL },
	{ 0, "budget", OPTION_REAL, AT(budget), "SECONDS", "for the default of --blocks (default: 30)", NULL, NULL },
	{ 'u', "until", OPTION_TEXT, AT(until), "RULE", "decided[:MAX], or +-X%", NULL, "decided" },
	{ 0, "order", OPTION_TEXT, AT(order), "ORDER", "random, block by block; or abba: two blocks are one, against drift",
	  NULL, "random abba" },
	{ 0, "seed", OPTION_TEXT, AT(seed), "N", "repeat an order of runs", NULL, NULL },
	{ 0, "shell", OPTION_FLAG, AT(shell), NULL, "run the commands with /bin/sh -c", NULL, NULL },
	{ 0, "setup", OPTION_TEXTS, AT(setups), "SHELL", "before everything, for each", NULL, NULL },
	{ 0, "prepare", OPTION_TEXTS, AT(prepares), "SHELL", "before each run", NULL, NULL },
	{ 0, "conclude", OPTION_TEXTS, AT(concludes), "SHELL", "after each run", NULL, NULL },
	{ 0, "cleanup", OPTION_TEXTS, AT(cleanups), "SHELL", "after everything, for each", NULL, NULL },
	{ 0, "control", OPTION_FLAG, AT(control), NULL, "also run a byte copy of A: what this machine can see",
	  NULL, NULL },
	{ 0, "self-test", OPTION_FLAG, AT(self_test), NULL, "one command against its copy: the noise here, and false alarms",
	  NULL, NULL },
	{ 0, "background", OPTION_TEXT, AT(background), "SHELL", "half of the blocks beside this co-runner", NULL,
	  NULL },
	{ 0, "pad", OPTION_TOGGLE, AT(padding), NULL, "pad the environment by a random length, block by block",
	  NULL, NULL },
	{ 0, "layouts", OPTION_COUNT, AT(layouts), "K", "K paddings, or builds by {layout}, as a factor", NULL, NULL },
	{ 'C', "cpu", OPTION_TEXT, AT(cpus), "CPUS", "run the commands on these CPUs only", NULL, NULL },
	{ 0, "timeout", OPTION_REAL, AT(timeout), "SECONDS", "kill a run that takes longer", NULL, NULL },
	{ 'i', "ignore-failure", OPTION_FLAG, AT(ignore_failure), NULL, "keep runs that fail", NULL, NULL },
	{ 0, "same-output", OPTION_FLAG, AT(same_output), NULL, "fail unless all print the same", NULL, NULL },
	{ 0, "show-output", OPTION_FLAG, AT(show_output), NULL, "let the commands print", NULL, NULL },
	{ 0, "git", OPTION_TEXT, AT(git), "BASE..CHANGE", "compare two commits", NULL, NULL },
	{ 0, "patch", OPTION_TEXT, AT(patch), "FILE", "compare HEAD with this patch on it", NULL, NULL },
	{ 0, "build", OPTION_TEXT, AT(build), "SHELL", "how to build a commit", NULL, NULL },
	{ 0, "builds", OPTION_TEXT, AT(builds), "DIR", "keep builds there", NULL, NULL },
	{ 's', "save", OPTION_TEXT, AT(save), "FILE", "the runs file (default: ab.runs)", NULL, NULL },
	{ 'o', "bundle", OPTION_TEXT, AT(directory), "DIR", "keep everything of this experiment there", NULL, NULL },
	{ 0, "share", OPTION_TEXT, AT(share), "I/N", "measure part I of an experiment over N machines or jobs: "
	  "perfmini compare merges them", NULL, NULL },
	{ 0, "per-machine", OPTION_COUNT, AT(per_machine), "N", "blocks of each part (default: its share of --blocks)",
	  NULL, NULL },
	{ 0, "slurm", OPTION_TEXT, AT(slurm), "OPTIONS", "run the parts as a job array of Slurm, with these options of "
	  "sbatch, and merge them", NULL, NULL },
	{ 0, "machines", OPTION_COUNT, AT(machines), "N", "with --slurm: number of parts (default: of nodes)", NULL, NULL },
	{ 0, "ship", OPTION_FLAG, AT(ship), NULL, "with --slurm: run copies of the programs, kept by build id in DIR",
	  NULL, NULL },
	{ 0, "machine", OPTION_TEXT, AT(machine), "NAME", "what this machine is called (default: its host name)", NULL,
	  NULL },
	{ 0, "like", OPTION_TEXT, AT(like), "FILE", "refuse unless programs and commands are those of this runs file", NULL, NULL },
	{ 'R', "record", OPTION_FLAG, AT(record), NULL, "also record runs, and compare the functions", NULL, NULL },
	{ 0, "record-every", OPTION_COUNT, AT(record_every), "K", "with --record: in every Kth block (default: 10 in all)",
	  NULL, NULL },
	{ 0, "resume", OPTION_FLAG, AT(resume), NULL, "go on with the runs file", NULL, NULL },
	{ 0, "strict", OPTION_FLAG, AT(strict), NULL, "refuse a machine that is not fit to measure on", NULL, NULL },
	{ 0, "anytime", OPTION_FLAG, AT(anytime), NULL, "progress with an interval that holds whenever it is looked at", NULL,
	  NULL },
	{ 'q', "quiet", OPTION_FLAG, AT(quiet), NULL, "no progress", NULL, NULL },
	JUDGE_OPTIONS(struct ab_options),
	{ .type = OPTION_END },
};

/* Everything that one experiment owns. */
struct ab {
	const struct ab_options *chosen;
	struct launcher *launcher;
	struct patch_builds *builds;
	struct plan *plan;
	struct ab_share share;
	struct printed_list printed;
	struct event_list *events;
	struct live_runner *live;
	struct ab_recording *recording;
	struct runs *runs;
	struct runs_writer *writer;
	struct ab_control *control;
	int *cpus;
	size_t cpu_count;
	const char *path, *directory, *repeat;
};

static void ab_release(struct ab *ab)
{
	runs_writer_destroy(ab->writer);
	ab_recording_destroy(ab->recording);
	live_runner_destroy(ab->live);
	event_list_destroy(ab->events);
	printed_list_release(&ab->printed);
	ab_control_destroy(ab->control);
	plan_destroy(ab->plan);
	patch_builds_destroy(ab->builds);
	runs_destroy(ab->runs);
	launcher_destroy(ab->launcher);
	free(ab->cpus);
}

/* Commits to build come first: their directories are where the arms run. */
static struct error *make_builds(struct ab *ab)
{
	const struct ab_options *chosen = ab->chosen;
	struct patch_setup setup = { chosen->git, chosen->patch, chosen->build, chosen->builds };

	if (!chosen->git && !chosen->patch)
		return chosen->build ? error_new(ERROR_USAGE, "--build without --git or --patch") : NULL;
	return patch_builds_create(&setup, &ab->builds);
}

/* Else it names one of events/metrics.tsv. */
static bool is_printed(const char *metric)
{
	return strchr(metric, '=') || strchr(metric, '/');
}

static struct error *make_plan(struct ab *ab, char *const *operands)
{
	struct error *err = ab_plan_create(ab->chosen, operands, &ab->plan);

	if (err)
		return err;
	ab->plan->repeat = ab->repeat;
	err = ab_share_apply(ab->chosen, ab->plan, &ab->share);
	for (size_t i = 0; i < 2 && ab->builds; i++)
		ab->plan->arms[i].directory = patch_builds_directory(ab->builds, i);
	for (size_t i = 0; i < ab->chosen->metrics.count && !err; i++)
		if (is_printed(ab->chosen->metrics.items[i]))
			err = printed_list_add(&ab->printed, ab->chosen->metrics.items[i]);
	if (!err && ab->chosen->self_test && ab->plan->arm_count > 1)
		err = error_new(ERROR_USAGE, "--self-test takes one command, not %zu", ab->plan->arm_count);
	if (!err && (ab->chosen->control || ab->chosen->self_test))
		err = ab_control_create(ab->plan, &ab->control);
	if (!err && ab->chosen->cpus)
		err = cpu_list_parse(ab->chosen->cpus, &ab->cpus, &ab->cpu_count);
	return err;
}

/* The events asked for; without -e those of the usual ones that count here. */
static struct error *make_events(struct ab *ab)
{
	static const char *const usual[] = { "task-clock", "context-switches", "page-faults", "cycles", "instructions",
					     "branch-misses" };
	const struct option_texts *texts = &ab->chosen->events;
	struct error *err = NULL;

	ab->events = event_list_create();
	if (!texts->count)
		err = live_runner_usable(ab->launcher, usual, ARRAY_SIZE(usual), ab->events);
	for (size_t i = 0; i < texts->count && !err; i++)
		err = event_list_add(ab->events, texts->items[i]);
	for (size_t i = 0; i < ab->chosen->metrics.count && !err; i++)
		if (!is_printed(ab->chosen->metrics.items[i]))
			err = derived_add_events(ab->chosen->metrics.items[i], ab->events);
	return err;
}

static struct error *make_runner(struct ab *ab)
{
	struct live_setup setup = {
		.launcher = ab->launcher, .printed = &ab->printed, .cpus = ab->cpus, .cpu_count = ab->cpu_count,
		.timeout_ns = (uint64_t)(ab->chosen->timeout * 1e9), .show_output = ab->chosen->show_output,
	};
	struct error *err = make_events(ab);

	if (err)
		return err;
	setup.events = ab->events;
	ab->live = live_runner_create(&setup);
	ab->plan->group_count = live_runner_sets(ab->live);
	return NULL;
}

/* The environment into runs->settings; with --strict, its warnings refuse the experiment. */
static struct error *audit(const struct ab *ab, struct runs *runs)
{
	struct audit_machine machine = { .kernel = &kernel_linux };
	cleanup(audit_guard) struct audit *audit = audit_run(&machine);
	const char **settings = runs_alloc(runs, audit->count, sizeof(*settings));

	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_finding *finding = &audit->items[i];
		auto_free char *setting = memory_format("%s=%s", finding->name, finding->value);

		settings[i] = runs_text(runs, setting);
		if (!ab->chosen->strict || finding->level != AUDIT_WARN)
			continue;

		struct error *err = error_new(ERROR_UNSUPPORTED, "--strict: %s is %s: %s", finding->name, finding->value,
					      finding->finding ? finding->finding : "not fit to measure");

		return error_hint(err, "%s", finding->command ? finding->command : "perfmini doctor says more");
	}
	runs->settings = settings;
	runs->setting_count = audit->count;
	return NULL;
}

/* Metrics of the tables, asked for by name. */
static void name_metrics(const struct ab *ab, struct runs *runs)
{
	const struct option_texts *metrics = &ab->chosen->metrics;
	const char **plan = runs_alloc(runs, metrics->count, sizeof(*plan));

	for (size_t i = 0; i < metrics->count; i++) {
		auto_free char *named = memory_format("metric=%s", metrics->items[i]);

		if (!is_printed(metrics->items[i]))
			plan[runs->plan_count++] = runs_text(runs, named);
	}
	runs->plan = plan;
}

/* What the header of the runs file says before the first run. */
static struct error *describe(struct ab *ab)
{
	struct runs *runs = ab->runs = runs_create("ab");
	struct error *err;
	const char **printed = runs_alloc(runs, ab->printed.count, sizeof(*printed));

	for (size_t i = 0; i < ab->printed.count; i++)
		printed[i] = runs_text(runs, ab->printed.items[i].name);
	runs->printed = printed;
	runs->printed_count = ab->printed.count;
	runs->seed = ab->plan->seed;
	name_metrics(ab, runs);
	ab_describe_arms(ab->plan, runs);
	live_runner_describe(ab->live, runs);
	ab_share_describe(ab->chosen, &ab->share, runs);
	err = ab->chosen->like ? ab_share_check(ab->chosen->like, ab->plan, runs) : NULL;
	return err ? err : audit(ab, runs);
}

static struct error *set_path(struct ab *ab)
{
	ab->path = ab->chosen->save ? ab->chosen->save : "ab.runs";
	ab->directory = ab->chosen->directory ? ab->chosen->directory : ab->chosen->record ? "ab.bundle" : NULL;
	if (ab->chosen->record_every && !ab->chosen->record)
		return error_new(ERROR_USAGE, "--record-every without --record");
	if (!ab->directory)
		return NULL;
	if (ab->chosen->save)
		return error_new(ERROR_USAGE, "--save keeps a runs file alone, %s keeps it in a directory: choose one",
				 ab->chosen->directory ? "-o" : "--record");

	auto_free char *path = bundle_runs(ab->directory);

	ab->path = arena_strdup(ab->plan->arena, path);
	return file_make_directories(ab->directory, 0755);
}

static struct error *prepare(struct ab *ab, char *const *operands)
{
	struct error *err = make_builds(ab);

	if (!err)
		err = make_plan(ab, operands);
	if (!err)
		err = set_path(ab);
	if (!err)
		err = make_runner(ab);
	return err ? err : describe(ab);
}

/* Warm up, fix the number of blocks, and open the runs file: a new one, or the one to resume. */
static struct error *begin(struct ab *ab, struct experiment *experiment)
{
	double seconds;
	struct error *err = experiment_setup(ab->plan);

	if (!err)
		err = experiment_warm_up(experiment, &seconds);
	if (err)
		return err;
	if (ab->chosen->resume && !ab_share_moved(&ab->share, ab->path, ab->runs))
		return ab_resume(ab->path, ab->plan, &ab->runs, &ab->writer);
	plan_choose_blocks(ab->plan, seconds);
	ab->plan->comparison = ab_history_note(ab->runs);
	err = judge_store(&ab->chosen->judge, ab->plan, &ab->printed, ab->runs);
	return err ? err : runs_writer_create(ab->runs, ab->path, &ab->writer);
}

/* Ten recordings of each arm, spread over the blocks, unless told otherwise. */
static struct error *start_recording(struct ab *ab, struct runner *runner)
{
	struct plan *plan = ab->plan;
	struct ab_recording_setup setup = {
		.launcher = ab->launcher, .live = ab->live, .plan = plan, .directory = ab->directory,
		.cpus = ab->cpus, .cpu_count = ab->cpu_count, .timeout_ns = (uint64_t)(ab->chosen->timeout * 1e9),
		.show_output = ab->chosen->show_output,
	};
	uint64_t blocks = plan->until == UNTIL_BLOCKS ? plan->blocks * plan_conditions(plan) : 0;

	if (!ab->chosen->record)
		return NULL;
	plan->record_every = ab->chosen->record_every ? ab->chosen->record_every : blocks / RECORDINGS;
	if (!plan->record_every)
		plan->record_every = 1;
	runner->record = ab_recording_run;

	struct error *err = ab_recording_create(&setup, ab->chosen->resume, &ab->recording);

	runner->record_context = ab->recording;
	return err;
}

static struct error *measure(struct ab *ab, enum experiment_end *end)
{
	struct ab_watch watch = { .judge = &ab->chosen->judge, .plan = ab->plan, .quiet = ab->chosen->quiet,
				  .anytime = ab->chosen->anytime, .live = ab->live };
	struct experiment experiment = { ab->plan, ab->runs, NULL, live_runner_interface(ab->live), { 0 } };
	struct error *err = begin(ab, &experiment);

	experiment.runs = ab->runs;
	experiment.writer = ab->writer;
	experiment.watcher = ab_watcher(&watch);
	if (!err)
		err = start_recording(ab, &experiment.runner);
	watch.recording = ab->recording;
	watch.first_slot = experiment_valid_blocks(ab->runs);
	if (!err)
		err = experiment_run(&experiment, end);
	ab_watch_end(&watch);

	struct error *cleaning = experiment_cleanup(ab->plan);

	if (err)
		error_destroy(cleaning);
	return err ? err : cleaning;
}

static struct error *too_many_void(const struct ab *ab)
{
	const struct runs *runs = ab->runs;
	uint64_t voided = experiment_void_blocks(runs), valid = experiment_valid_blocks(runs);
	const struct run *failed = NULL;
	const char *complaint = live_runner_complaint(ab->live);

	for (size_t i = runs->count; i-- > 0 && !failed;)
		if (runs->items[i].void_why && strncmp(runs->items[i].void_why, "its block", 9))
			failed = &runs->items[i];

	struct error *err = error_new(ERROR_OS, "%llu of %llu blocks are void, more than a tenth: %s: %s%s%s",
				      (unsigned long long)voided, (unsigned long long)(voided + valid),
				      runs->arms[failed->arm].name, failed->void_why, *complaint ? ": " : "", complaint);

	return error_hint(err, "run it alone to see why; --ignore-failure keeps failed runs");
}

static int ending_signal(const struct ab *ab)
{
	int signal = live_runner_signal(ab->live);

	return !signal && ab->recording ? ab_recording_signal(ab->recording) : signal;
}

static struct error *finish(struct ab *ab, enum experiment_end end, int *status)
{
	struct error *err = NULL;

	if (end == EXPERIMENT_VOID)
		return too_many_void(ab);
	if (end == EXPERIMENT_INTERRUPTED)
		log_note("interrupted: %llu whole blocks are in %s; go on with --resume",
			 (unsigned long long)experiment_valid_blocks(ab->runs), ab->path);
	else
		err = runs_writer_finish(ab->writer, ab->runs);
	if (!err && ab->chosen->same_output)
		err = ab_check_output(ab->runs);
	foreign_judge(ab->runs);
	if (!err && ab->directory)
		err = ab_write_bundle(ab->runs, ab->plan, ab->directory, !ab->chosen->like);
	if (!err && ab->share.part.count && end != EXPERIMENT_INTERRUPTED)
		log_note("part %s is in %s; perfmini compare judges all parts together", ab->chosen->share,
			 ab->directory ? ab->directory : ab->path);
	else if (!err)
		err = judge_report(&ab->chosen->judge, ab->runs, ab->directory, status);
	if (!err && end == EXPERIMENT_INTERRUPTED)
		*status = ab->chosen->judge.bisect ? EXIT_BISECT_ABORT : 128 + ending_signal(ab);
	return err;
}

/* The experiment over machines: described here, measured by the array's elements. */
static struct error *run_over_machines(const struct ab_options *chosen, char *const *operands, const char *repeat,
				       int *status)
{
	static const struct ab_options defaults = AB_DEFAULTS;
	cleanup(ab_release) struct ab ab = { .chosen = chosen, .repeat = repeat };
	cleanup(arena_guard) struct arena *arena = arena_create();
	char **shipped = (char **)operands;
	struct error *err = make_builds(&ab);

	if (!err && chosen->ship)
		err = ab_slurm_ship(chosen, arena, operands, &shipped);
	if (!err)
		err = make_plan(&ab, shipped);
	if (err)
		return err;
	ab.runs = runs_create("ab");
	ab.runs->seed = ab.plan->seed;
	ab_describe_arms(ab.plan, ab.runs);

	struct ab_slurm_setup setup = { chosen, &defaults, options, shipped, ab.plan, ab.runs };

	return ab_slurm_run(&setup, status);
}

static struct error *run_experiment(const struct ab_options *chosen, char *const *operands, const char *repeat,
				    int *status)
{
	cleanup(ab_release) struct ab ab = { .chosen = chosen, .repeat = repeat };
	enum experiment_end end = EXPERIMENT_ENOUGH;
	struct error *err = launcher_create(&ab.launcher);

	if (!err)
		err = prepare(&ab, operands);
	if (!err)
		err = judge_check(&chosen->judge, ab.runs);
	if (!err)
		err = measure(&ab, &end);
	return err ? err : finish(&ab, end, status);
}

static void release_options(struct ab_options *chosen)
{
	option_texts_release(&chosen->judge.gates);
	option_texts_release(&chosen->judge.thresholds);
	option_texts_release(&chosen->names);
	option_texts_release(&chosen->scans);
	option_texts_release(&chosen->events);
	option_texts_release(&chosen->metrics);
	option_texts_release(&chosen->setups);
	option_texts_release(&chosen->prepares);
	option_texts_release(&chosen->concludes);
	option_texts_release(&chosen->cleanups);
}

static struct error *run(int argc, char **argv, int *status)
{
	cleanup(release_options) struct ab_options chosen = AB_DEFAULTS;
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char *words = command_line_join((const char *const *)argv);
	auto_free char *repeat = memory_format("perfmini %s", words);
	auto_free char **operands = NULL;
	bool helped = false;
	struct error *err = command_parse(&command_ab, &parse, &operands, &helped);

	*status = 0;
	if (!err && !helped)
		err = (chosen.slurm ? run_over_machines : run_experiment)(&chosen, operands, repeat, status);
	return judge_exit_status(err, chosen.judge.bisect);
}

const struct command command_ab = { "ab", "compare commands by interleaved runs, with a verdict", run, options,
				    "[OPTIONS] A B [C…]  |  [OPTIONS] -L NAME=V1,V2 -- 'COMMAND {NAME}'  |  "
				    "[OPTIONS] --git BASE..CHANGE --build SHELL -- COMMAND" };
