/* The options of perfmini diff: the table, and from words to what they mean. */
#include "cmd/diff_options.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const char pair_words[] = "build name file code suffix signature moved recode all";

#define TEXT_OPTION(letter, name, field, argument, help) \
	{ letter, name, OPTION_TEXT, offsetof(struct diff_options, field), argument, help, NULL, NULL }
#define FLAG_OPTION(letter, name, field, help) \
	{ letter, name, OPTION_FLAG, offsetof(struct diff_options, field), NULL, help, NULL, NULL }

const struct option diff_option_table[] = {
	{ 'A', NULL, OPTION_TEXTS, offsetof(struct diff_options, a), "FILE", "a recording of side A (repeat: its runs)",
	  NULL, NULL },
	{ 'B', NULL, OPTION_TEXTS, offsetof(struct diff_options, b), "FILE", "a recording of side B (repeat: its runs)",
	  NULL, NULL },
	FLAG_OPTION(0, "paired", paired, "run i of A and run i of B were one block"),
	{ 0, "by-machine", OPTION_TOGGLE, offsetof(struct diff_options, by_machine), NULL,
	  "recordings of the same machines on both sides: each machine is one pair", NULL, NULL },
	TEXT_OPTION('e', "event", event, "EVENT", "compare this event only"),
	{ 0, "axis", OPTION_TEXT, offsetof(struct diff_options, axis), "NAME=V,V…",
	  "one table with a column a recording, and the trend of each function's share", NULL, "" },
	{ 'c', "compute", OPTION_TEXT, offsetof(struct diff_options, compute), "KEY",
	  "order and difference column: delta-abs, delta, ratio, wdiff:WA,WB", NULL, "delta-abs delta ratio wdiff" },
	{ 'o', "order", OPTION_COUNT, offsetof(struct diff_options, order), "N",
	  "with several files: show only the comparison with file N", NULL, NULL },
	{ 's', "sort", OPTION_TEXT, offsetof(struct diff_options, sort), "KEYS", "what a row is: dso,sym (default), sym or dso",
	  NULL, "dso,sym sym dso" },
	TEXT_OPTION('d', "dsos", dsos, "LIST", "only these objects"),
	TEXT_OPTION('C', "comms", comms, "LIST", "only these commands"),
	TEXT_OPTION('S', "symbols", symbols, "LIST", "only these functions"),
	TEXT_OPTION(0, "pid", pid, "LIST", "only these processes"),
	TEXT_OPTION(0, "tid", tid, "LIST", "only these threads"),
	FLAG_OPTION(0, "all-user", user_only, "compare user code alone, also when one side counted the kernel too"),
	FLAG_OPTION('b', "baseline-only", baseline_only, "leave out functions that are only in B"),
	FLAG_OPTION('p', "period", period, "show events, not milliseconds"),
	FLAG_OPTION('F', "formula", formula, "show how each difference came about"),
	FLAG_OPTION('g', "children", inclusive, "also compare costs with callees (needs call chains)"),
	TEXT_OPTION(0, "ops", operations, "N[,M]", "units of work a run of A (and of B): costs are per unit"),
	{ 0, "phi", OPTION_REAL, offsetof(struct diff_options, phi), "X",
	  "run-to-run variance over sampling variance, for one run a side", NULL, NULL },
	{ 0, "pair-by", OPTION_TEXT, offsetof(struct diff_options, pair_by), "RULE", "the loosest rule to pair by", NULL,
	  pair_words },
	FLAG_OPTION(0, "clones", clones, "compiler clones and parts as rows of their own"),
	{ 0, "fold", OPTION_TOGGLE, offsetof(struct diff_options, fold), NULL,
	  "add compiler clones and parts to their function (--no-fold: as --clones)", NULL, NULL },
	{ 0, "inline", OPTION_TOGGLE, offsetof(struct diff_options, inline_frames), NULL,
	  "give inlined cost back to a function that the other build did not inline", NULL, NULL },
	{ 0, "percent-limit", OPTION_REAL, offsetof(struct diff_options, percent_limit), "X",
	  "sum up rows below X % on both sides", NULL, NULL },
	FLAG_OPTION(0, "gate", gate, "exit status by verdict: 0 not slower, 1 slower, 3 unresolved"),
	{ 0, "threshold", OPTION_REAL, offsetof(struct diff_options, threshold), "X", "a change of X % matters (--gate)",
	  NULL, NULL },
	FLAG_OPTION(0, "stdio", stdio, "as text, also on a terminal"),
	FLAG_OPTION(0, "json", json, "JSON"),
	FLAG_OPTION(0, "csv", csv, "CSV"),
	FLAG_OPTION(0, "html", html, "one page, which asks for nothing else"),
	TEXT_OPTION('t', "field-separator", separator, "SEP", "CSV with this separator"),
	TEXT_OPTION(0, "symfs", symfs, "DIR", "look for binaries below DIR"),
	TEXT_OPTION('k', "vmlinux", vmlinux, "FILE", "kernel image"),
	TEXT_OPTION(0, "kallsyms", kallsyms, "FILE", "kernel symbols"),
	FLAG_OPTION(0, "debuginfod", debuginfod, "ask debuginfod servers"),
	{ 0, "demangle", OPTION_TOGGLE, offsetof(struct diff_options, demangle), NULL, "show names demangled", NULL, NULL },
	FLAG_OPTION('f', "force", force, "go on behind damage in a file"),
	FLAG_OPTION('q', "quiet", quiet, "no warnings"),
	{ .type = OPTION_END },
};

static struct error *parse_weights(const char *text, struct diff_view *view)
{
	char rest;

	view->compute = DIFF_WEIGHTED;
	view->weights[0] = view->weights[1] = 1;
	if (*text && sscanf(text, ":%lf,%lf%c", &view->weights[0], &view->weights[1], &rest) != 2)
		return error_new(ERROR_USAGE, "--compute wdiff%s: the weights are two numbers, wdiff:WA,WB", text);
	return NULL;
}

static struct error *parse_compute(const char *text, struct diff_view *view)
{
	static const char *const words[] = { [DIFF_DELTA_ABS] = "delta-abs", [DIFF_DELTA] = "delta",
					     [DIFF_RATIO] = "ratio" };

	if (!text)
		return NULL;
	if (text_starts_with(text, "wdiff"))
		return parse_weights(text + strlen("wdiff"), view);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(text, words[i])) {
			view->compute = (enum diff_compute)i;
			return NULL;
		}
	}
	return error_hint(error_new(ERROR_USAGE, "--compute: unknown key '%s'", text),
			  "it takes delta-abs, delta, ratio or wdiff:WA,WB");
}

static struct error *parse_pair_by(const char *text, enum pair_rule *ret)
{
	static const struct {
		const char *word;
		enum pair_rule rule;
	} rules[] = {
		{ "build", PAIR_SAME_BYTES }, { "name", PAIR_NAME },           { "file", PAIR_NAME_FILE },
		{ "code", PAIR_NAME_CODE },   { "suffix", PAIR_CANONICAL },    { "signature", PAIR_SIGNATURE },
		{ "moved", PAIR_MOVED },      { "recode", PAIR_CODE },         { "all", PAIR_AMBIGUOUS },
	};

	*ret = PAIR_AMBIGUOUS;
	if (!text)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (!strcmp(text, rules[i].word)) {
			*ret = rules[i].rule;
			return NULL;
		}
	}
	return error_hint(error_new(ERROR_USAGE, "--pair-by: unknown rule '%s'", text), "it takes one of: %s", pair_words);
}

static struct error *parse_operations(const char *text, double operations[2])
{
	char rest;
	int fields = text ? sscanf(text, "%lf,%lf%c", &operations[0], &operations[1], &rest) : 0;

	if (!text)
		return NULL;
	if (fields == 1 && !strchr(text, ','))
		operations[1] = operations[0];
	else if (fields != 2)
		return error_new(ERROR_USAGE, "--ops: '%s' is not N or N,M", text);
	if (!(operations[0] > 0 && operations[1] > 0 && isfinite(operations[0]) && isfinite(operations[1])))
		return error_new(ERROR_USAGE, "--ops: '%s': units of work are above 0", text);
	return NULL;
}

static struct error *parse_sort(const char *text, struct gather_setup *gather)
{
	static const char *const both[] = { "dso,sym", "dso,symbol", "sym,dso", "symbol,dso" };

	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		if (!text || !strcmp(text, both[i]))
			return NULL;
	if (!strcmp(text, "sym") || !strcmp(text, "symbol"))
		gather->ignore_object = true;
	else if (!strcmp(text, "dso"))
		gather->by_object = true;
	else
		return error_hint(error_new(ERROR_USAGE, "--sort: '%s' cannot be paired across builds", text),
				  "it takes dso,sym, sym or dso");
	return NULL;
}

/* "a,b,c" as a NULL-terminated list; the words point into a copy that text owns. */
static const char **split_words(char *text)
{
	const char **words = NULL;
	size_t count = 0, capacity = 0;
	char *rest = text;

	for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
		array_grow(&words, count, &capacity);
		words[count++] = word;
	}
	array_grow(&words, count, &capacity);
	words[count] = NULL;
	return words;
}

static void parse_lists(struct diff_command *command)
{
	const char *texts[3] = { command->chosen.dsos, command->chosen.comms, command->chosen.symbols };
	const char *const **targets[3] = { &command->gather.objects, &command->gather.comms, &command->gather.functions };
	size_t total = 0, at = 0;

	for (size_t i = 0; i < 3; i++)
		total += texts[i] ? strlen(texts[i]) + 1 : 0;
	command->lists = memory_zeroed(total, 1);
	for (size_t i = 0; i < 3; i++) {
		if (!texts[i])
			continue;
		strcpy(command->lists + at, texts[i]);
		command->words[i] = split_words(command->lists + at);
		*targets[i] = command->words[i];
		at += strlen(texts[i]) + 1;
	}
}

static struct error *parse_ids(const char *name, const char *text, uint32_t **ids, size_t *count)
{
	size_t capacity = 0;
	const char *at = text;

	while (at && *at) {
		char *end;
		unsigned long id = strtoul(at, &end, 10);

		if (end == at || (*end && *end != ',') || id > UINT32_MAX)
			return error_new(ERROR_USAGE, "--%s: '%s' is not a list of numbers", name, text);
		array_grow(ids, *count, &capacity);
		(*ids)[(*count)++] = (uint32_t)id;
		at = *end ? end + 1 : end;
	}
	return NULL;
}

static struct error *check_numbers(const struct diff_options *chosen)
{
	if (chosen->phi < 1)
		return error_new(ERROR_USAGE, "--phi: %g is below 1, the sampling noise itself", chosen->phi);
	if (!(chosen->threshold > 0))
		return error_new(ERROR_USAGE, "--threshold: %g %% is not above 0", chosen->threshold);
	if (chosen->json && (chosen->csv || chosen->separator))
		return error_new(ERROR_USAGE, "--json and --csv: choose one");
	if (chosen->separator && !chosen->separator[0])
		return error_new(ERROR_USAGE, "--field-separator: the separator is empty");
	return NULL;
}

struct error *diff_options_prepare(struct diff_command *command)
{
	const struct diff_options *chosen = &command->chosen;
	struct error *err = check_numbers(chosen);

	if (!err)
		err = parse_compute(chosen->compute, &command->view);
	if (!err)
		err = parse_pair_by(chosen->pair_by, &command->setup.pairing.last_rule);
	if (!err)
		err = parse_operations(chosen->operations, command->setup.operations);
	if (!err)
		err = parse_sort(chosen->sort, &command->gather);
	if (!err)
		err = parse_ids("pid", chosen->pid, &command->ids[0], &command->gather.filter.pid_count);
	if (!err)
		err = parse_ids("tid", chosen->tid, &command->ids[1], &command->gather.filter.tid_count);
	if (err)
		return err;
	parse_lists(command);
	command->gather.filter.pids = command->ids[0];
	command->gather.filter.tids = command->ids[1];
	command->gather.force = chosen->force;
	command->gather.user_only = chosen->user_only;
	command->symbols = (struct symbolizer_setup){
		.symfs = chosen->symfs,
		.vmlinux = chosen->vmlinux,
		.kallsyms = chosen->kallsyms,
		.debuginfod = chosen->debuginfod,
		.demangle = chosen->demangle,
		.inlines = true,
		.lines = true,
	};
	command->setup.pairing.keep_clones = chosen->clones || !chosen->fold;
	command->setup.overdispersion = chosen->phi;
	command->setup.alpha = 0.05;
	command->setup.minimum_samples = 10;
	return NULL;
}

void diff_command_release(struct diff_command *command)
{
	option_texts_release(&command->chosen.a);
	option_texts_release(&command->chosen.b);
	side_list_release(&command->sides);
	for (size_t i = 0; i < 3; i++)
		free(command->words[i]);
	free(command->ids[0]);
	free(command->ids[1]);
	symbolizer_destroy(command->gather.symbolizer);
	free(command->lists);
	json_decref(command->json);
}

