/* What the sources of `perfmini ab` and `perfmini compare` share. */
#ifndef CMD_AB_H
#define CMD_AB_H

#include <stdbool.h>
#include <stdint.h>

#include "ab/analysis.h"
#include "ab/experiment.h"
#include "ab/plan.h"
#include "ab/printed.h"
#include "base/error.h"
#include "base/options.h"
#include "runs/runs.h"

/* How runs are judged and shown: the options that both commands take. */
struct judge_options {
	struct option_texts gates, thresholds;
	double confidence; /* percent; 0: from the file, else 95 */
	const char *fail_on, *estimand;
	uint64_t ops, revisions;
	double rate, effect;
	bool bisect, trust_sessions, assume_normal;
	const char *format, *output;
};

#define JUDGE_OPTIONS(type)                                                                                       \
	{ 'g', "gate", OPTION_TEXTS, offsetof(type, judge.gates), "METRIC",                                       \
	  "judge this metric, and let it decide the exit status (default: wall); may be repeated", NULL, NULL },  \
	{ 't', "threshold", OPTION_TEXTS, offsetof(type, judge.thresholds), "METRIC=X%",                          \
	  "changes up to this size do not matter", NULL, NULL },                                                  \
	{ 0, "confidence", OPTION_REAL, offsetof(type, judge.confidence), "PERCENT",                              \
	  "level of the intervals (default: 95)", NULL, NULL },                                                   \
	{ 0, "fail-on", OPTION_TEXT, offsetof(type, judge.fail_on), "WHAT",                                       \
	  "regression, or any-worse: exit 1 also when worse by an unknown size", NULL, "regression any-worse" },  \
	{ 0, "estimand", OPTION_TEXT, offsetof(type, judge.estimand), "WHAT",                                     \
	  "typical: the ratio of a typical run; mean: the ratio of the means (the cost)", NULL, "typical mean" }, \
	{ 0, "assume-normal", OPTION_FLAG, offsetof(type, judge.assume_normal), NULL,                             \
	  "paired t intervals, from three blocks on, in place of exact ones from six", NULL, NULL },              \
	{ 0, "ops", OPTION_COUNT, offsetof(type, judge.ops), "N", "operations in one run: show counts an operation", \
	  NULL, NULL },                                                                                           \
	{ 0, "rate", OPTION_REAL, offsetof(type, judge.rate), "N",                                                \
	  "operations a second in use: show the share of one CPU they take", NULL, NULL },                        \
	{ 0, "bisect", OPTION_FLAG, offsetof(type, judge.bisect), NULL,                                           \
	  "exit status for git bisect run: 0 good, 1 bad, 125 skip, 255 stop", NULL, NULL },                      \
	{ 0, "revisions", OPTION_COUNT, offsetof(type, judge.revisions), "N",                                     \
	  "with --bisect: so many are in question; all steps together keep --confidence", NULL, NULL },           \
	{ 0, "effect", OPTION_REAL, offsetof(type, judge.effect), "PERCENT",                                      \
	  "with --bisect: the known size of the regression; half of it is bad", NULL, NULL },                     \
	{ 'f', "format", OPTION_TEXT, offsetof(type, judge.format), "FORMAT",                                     \
	  "text, json, csv, markdown, mail or html", NULL, "text json csv markdown mail html" },                  \
	{ 0, "report", OPTION_TEXT, offsetof(type, judge.output), "FILE", "write the report there", NULL, NULL }

struct ab_options {
	struct judge_options judge;
	struct option_texts names, scans, events, metrics;
	struct option_texts setups, prepares, concludes, cleanups;
	uint64_t warmup, blocks, layouts, record_every, per_machine, machines;
	const char *seed;
	double budget, timeout;
	const char *until, *order, *background, *cpus, *save, *directory;
	const char *git, *patch, *build, *builds;
	const char *share, *machine, *like, *slurm;
	bool shell, control, padding, ignore_failure, same_output, resume, show_output, quiet, strict, record, ship, self_test, anytime;
};

/**
 * The plan that options and operands ask for.
 *
 * Errors: ERROR_USAGE: fewer than two arms, equal names, a bad text.
 */
must_use struct error *ab_plan_create(const struct ab_options *chosen, char *const *operands, struct plan **ret);

/* The byte copy of the first arm's program, as one more arm. Errors: ERROR_OS, ERROR_NOT_FOUND. */
struct ab_control;
must_use struct error *ab_control_create(struct plan *plan, struct ab_control **ret);
void ab_control_destroy(struct ab_control *control); /* removes the copy */

/* Arms with their programs' build ids and hashes into runs->arms. */
void ab_describe_arms(const struct plan *plan, struct runs *runs);
/* Load a runs file to go on with, in place of *runs. Errors: ERROR_USAGE when it is of another experiment. */
must_use struct error *ab_resume(const char *path, struct plan *plan, struct runs **runs, struct runs_writer **writer);
/* What keeps a file's commands and programs from being those described by plan and now, or NULL; static text. */
const char *ab_why_other_arms(const struct plan *plan, const struct runs *now, const struct runs *old);
/* --same-output. Errors: ERROR_FORMAT names the arms whose outputs differ. */
must_use struct error *ab_check_output(const struct runs *runs);
/* Copies the first word's program of each command into DIR/programs/BUILD and has the command name the copy; NULL-terminated,
 * in the arena. Errors: ERROR_USAGE, ERROR_NOT_FOUND, ERROR_OS. */
must_use struct error *ab_ship_programs(struct arena *arena, char *const *operands, const char *directory, char ***ret);
/* Environment, script and (if wanted) programs of an experiment beside its runs file. */
must_use struct error *ab_write_bundle(const struct runs *runs, const struct plan *plan, const char *directory,
				       bool with_programs);

/* Progress on a terminal, looks of --until, Ctrl-C. */
struct ab_watch {
	const struct judge_options *judge;
	const struct plan *plan;
	bool quiet, anytime;
	struct live_runner *live;
	struct ab_recording *recording; /* or NULL */
	uint64_t started_ns, first_slot;
	bool shown;
};
struct watcher ab_watcher(struct ab_watch *watch);
void ab_watch_end(struct ab_watch *watch); /* clears the line */

/* Is what will be judged there? Errors: ERROR_USAGE, before anything is measured. */
must_use struct error *judge_check(const struct judge_options *judge, const struct runs *runs);
/* Judge options behind what runs->plan holds, so that `compare` judges alike. Errors: ERROR_USAGE. */
must_use struct error *judge_store(const struct judge_options *judge, const struct plan *plan,
				   const struct printed_list *printed, struct runs *runs);
/* Analysis options from runs->plan, options given now before those stored. */
struct judge_rules;
must_use struct error *judge_rules_create(const struct judge_options *judge, const struct runs *runs,
					  struct judge_rules **ret);
const struct analysis_options *judge_rules_options(const struct judge_rules *rules);
void judge_rules_destroy(struct judge_rules *rules);
DEFINE_GUARD(judge_rules)
/* Analyse, print, and choose the exit status. bundle: a directory whose recordings are compared too, or NULL. */
must_use struct error *judge_report(const struct judge_options *judge, const struct runs *runs, const char *bundle,
				    int *status);
/* As judge_report(), from an analysis already made. */
struct ab_report;
must_use struct error *judge_print(const struct judge_options *judge, struct ab_report *report);
/* A number above 0: given now, else stored in the plan, else 0. */
double judge_number(double given, const struct runs *runs, const char *name);
/* Give an error the exit status that `ab` and `compare` promise. Takes and returns err; NULL stays NULL. */
must_use struct error *judge_exit_status(struct error *err, bool bisect);

#endif
