/* perfmini compare: the analysis of `ab` from saved runs. */
#include "cmd/cmd.h"

#include <string.h>
#include <sys/stat.h>

#include "ab/analysis.h"
#include "ab/foreign.h"
#include "ab/machines.h"
#include "base/log.h"
#include "base/memory.h"
#include "cmd/ab.h"
#include "cmd/bundle.h"
#include "output/ab_report.h"

struct compare_options {
	struct judge_options judge;
	struct option_texts names;
};

#define AT(member) offsetof(struct compare_options, member)

static const struct option options[] = {
	{ 'n', "name", OPTION_TEXTS, AT(names), "NAME", "name of the next file (default: the file's)", NULL, NULL },
	{ 0, "trust-sessions", OPTION_FLAG, AT(judge.trust_sessions), NULL,
	  "let files that were not interleaved fail a gate", NULL, NULL },
	JUDGE_OPTIONS(struct compare_options),
	{ .type = OPTION_END },
};

/* The files of one comparison. */
struct loaded {
	struct runs **files;
	char **paths;
	size_t count;
};

static void loaded_release(struct loaded *loaded)
{
	for (size_t i = 0; i < loaded->count; i++) {
		runs_destroy(loaded->files[i]);
		free(loaded->paths[i]);
	}
	free(loaded->files);
	free(loaded->paths);
}

/* A bundle is named by its directory. */
static char *runs_path(const char *operand)
{
	struct stat about;

	if (!stat(operand, &about) && S_ISDIR(about.st_mode))
		return bundle_runs(operand);
	return memory_strdup(operand);
}

static struct error *load(char *const *operands, struct loaded *ret)
{
	size_t count = 0;

	while (operands[count])
		count++;
	if (!count)
		return error_hint(error_new(ERROR_USAGE, "no runs file"), "such as: perfmini compare ab.runs");
	ret->files = memory_zeroed(count, sizeof(*ret->files));
	ret->paths = memory_zeroed(count, sizeof(*ret->paths));
	for (; ret->count < count; ret->count++) {
		auto_free char *path = runs_path(operands[ret->count]);
		struct error *err = runs_load(path, &ret->files[ret->count]);

		if (err)
			return err;
		foreign_judge(ret->files[ret->count]);
		ret->paths[ret->count] = take(path);
		if (ret->files[ret->count]->cut)
			log_note("%s", ret->files[ret->count]->cut);
	}
	return NULL;
}

/* Every arm of every file is one sample; an arm of a file with several is FILE:ARM. */
static struct analysis_sample *make_samples(const struct loaded *loaded, const struct option_texts *names,
					    struct arena *arena, size_t *count)
{
	struct analysis_sample *samples = NULL;
	size_t capacity = 0;

	*count = 0;
	for (size_t i = 0; i < loaded->count; i++) {
		struct runs *runs = loaded->files[i];

		for (size_t arm = 0; arm < runs->arm_count; arm++) {
			const char *file = i < names->count ? names->items[i] : loaded->paths[i];
			auto_free char *name = runs->arm_count > 1 ? memory_format("%s:%s", file, runs->arms[arm].name) :
								     memory_strdup(file);

			array_grow(&samples, *count, &capacity);
			samples[(*count)++] = (struct analysis_sample){ runs, arm, arena_strdup(arena, name) };
		}
	}
	return samples;
}

static struct error *compare_unpaired(const struct compare_options *chosen, const struct loaded *loaded, int *status)
{
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(judge_rules_guard) struct judge_rules *rules = NULL;
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	size_t count;
	auto_free struct analysis_sample *samples = make_samples(loaded, &chosen->names, arena, &count);
	struct error *err = judge_rules_create(&chosen->judge, loaded->files[0], &rules);

	if (!err)
		err = analysis_create_unpaired(samples, count, judge_rules_options(rules), &analysis);
	if (err)
		return err;

	struct ab_report report = {
		.analysis = analysis, .files = (const struct runs *const *)loaded->files, .file_count = loaded->count,
		.file_names = (const char *const *)loaded->paths, .alpha = judge_rules_options(rules)->alpha,
		.ops = (uint64_t)judge_number((double)chosen->judge.ops, loaded->files[0], "ops"),
		.rate = judge_number(chosen->judge.rate, loaded->files[0], "rate"),
	};

	*status = analysis->exit_status;
	return judge_print(&chosen->judge, &report);
}

/* Parts of one experiment over machines. */
static struct error *compare_machines(const struct compare_options *chosen, const struct loaded *loaded, int *status)
{
	cleanup(machine_list_guard) struct machine_list *machines = NULL;
	cleanup(judge_rules_guard) struct judge_rules *rules = NULL;
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	const struct runs *const *files = (const struct runs *const *)loaded->files;
	struct error *err = machines_group(files, (const char *const *)loaded->paths, loaded->count, &machines);

	if (!err)
		err = judge_rules_create(&chosen->judge, files[0], &rules);
	if (!err)
		err = analysis_create_machines(machines, judge_rules_options(rules), &analysis);
	if (err)
		return err;
	if (!analysis->blocks)
		return error_new(ERROR_FORMAT, "no machine has finished a block");

	struct ab_report report = {
		.analysis = analysis, .files = files, .file_count = loaded->count, .alpha = judge_rules_options(rules)->alpha,
		.ops = (uint64_t)judge_number((double)chosen->judge.ops, files[0], "ops"),
		.rate = judge_number(chosen->judge.rate, files[0], "rate"),
	};

	*status = analysis->exit_status;
	return judge_print(&chosen->judge, &report);
}

static bool has_parts(const struct loaded *loaded)
{
	for (size_t i = 0; i < loaded->count; i++)
		if (machines_is_part(loaded->files[i]))
			return true;
	return false;
}

static struct error *compare(const struct compare_options *chosen, char *const *operands, int *status)
{
	cleanup(loaded_release) struct loaded loaded = { 0 };
	struct error *err = load(operands, &loaded);

	if (!err)
		err = judge_check(&chosen->judge, loaded.files[0]);
	if (err)
		return err;
	if (loaded.count > 1 && has_parts(&loaded))
		return compare_machines(chosen, &loaded, status);
	if (loaded.count > 1)
		return compare_unpaired(chosen, &loaded, status);
	if (loaded.files[0]->arm_count < 2)
		return error_hint(error_new(ERROR_USAGE, "%s has one arm: there is nothing to compare", loaded.paths[0]),
				  "give two files");
	return judge_report(&chosen->judge, loaded.files[0], bundle_is(operands[0]) ? operands[0] : NULL, status);
}

static struct error *run(int argc, char **argv, int *status)
{
	struct compare_options chosen = { 0 };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped = false;
	struct error *err = command_parse(&command_compare, &parse, &operands, &helped);

	*status = 0;
	if (!err && !helped)
		err = compare(&chosen, operands, status);
	option_texts_release(&chosen.judge.gates);
	option_texts_release(&chosen.judge.thresholds);
	option_texts_release(&chosen.names);
	return judge_exit_status(err, chosen.judge.bisect);
}

const struct command command_compare = { "compare", "compare saved runs, with a verdict", run, options,
					 "[OPTIONS] RUNS…" };
