/* perfmini compare: the analysis of `ab` from saved runs. */
#include "cmd/cmd.h"

#include "ab/analysis.h"
#include "base/memory.h"
#include "cmd/ab.h"
#include "cmd/bundle.h"
#include "cmd/loaded_runs.h"
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

/* Every arm of every file is one sample; an arm of a file with several is FILE:ARM. */
static struct analysis_sample *make_samples(const struct loaded_runs *loaded, const struct option_texts *names,
					    struct arena *arena, size_t *count)
{
	struct analysis_sample *samples = NULL;
	size_t capacity = 0;

	*count = 0;
	for (size_t i = 0; i < loaded->count; i++) {
		struct runs *runs = loaded->items[i];

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

static struct error *compare_unpaired(const struct compare_options *chosen, const struct loaded_runs *loaded, int *status)
{
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(judge_rules_guard) struct judge_rules *rules = NULL;
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	size_t count;
	auto_free struct analysis_sample *samples = make_samples(loaded, &chosen->names, arena, &count);
	struct error *err = judge_rules_create(&chosen->judge, loaded->items[0], &rules);

	if (!err)
		err = analysis_create_unpaired(samples, count, judge_rules_options(rules), &analysis);
	if (err)
		return err;

	struct ab_report report = {
		.analysis = analysis, .files = (const struct runs *const *)loaded->items, .file_count = loaded->count,
		.file_names = (const char *const *)loaded->paths, .alpha = judge_rules_options(rules)->alpha,
		.ops = (uint64_t)judge_number((double)chosen->judge.ops, loaded->items[0], "ops"),
		.rate = judge_number(chosen->judge.rate, loaded->items[0], "rate"),
	};

	*status = analysis->exit_status;
	return judge_print(&chosen->judge, &report);
}

static struct error *compare(const struct compare_options *chosen, char *const *operands, int *status)
{
	cleanup(loaded_runs_release) struct loaded_runs loaded = { 0 };
	struct error *err = loaded_runs_load((const char *const *)operands, &loaded);

	if (!err)
		err = judge_check(&chosen->judge, loaded.items[0]);
	if (err)
		return err;
	if (loaded.count > 1 && loaded_runs_have_parts(&loaded))
		return judge_machines(&chosen->judge, &loaded, status);
	if (loaded.count > 1)
		return compare_unpaired(chosen, &loaded, status);
	if (loaded.items[0]->arm_count < 2)
		return error_hint(error_new(ERROR_USAGE, "%s has one arm: there is nothing to compare", loaded.paths[0]),
				  "give two files");
	return judge_report(&chosen->judge, loaded.items[0], bundle_is(operands[0]) ? operands[0] : NULL, status);
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
