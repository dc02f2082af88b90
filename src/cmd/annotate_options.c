/* The options of perfmini annotate: the table, and from words to what they mean. */
#include <string.h>

#include "base/memory.h"
#include "cmd/annotate.h"

#define TEXT_OF(letter, name, member, argument, help, words) \
	{ letter, name, OPTION_TEXT, offsetof(struct annotate_options, member), argument, help, NULL, words }
#define FLAG_OF(letter, name, member, help) \
	{ letter, name, OPTION_FLAG, offsetof(struct annotate_options, member), NULL, help, NULL, NULL }
#define TOGGLE_OF(name, member, help) \
	{ 0, name, OPTION_TOGGLE, offsetof(struct annotate_options, member), NULL, help, NULL, NULL }

const struct option annotate_option_table[] = {
	RECORDING_OPTIONS(struct annotate_options),
	TEXT_OF('s', "symbol", symbol, "SYMBOL", "the function (all with samples)", ""),
	TEXT_OF('d', "dsos", dsos, "NAME,…", "only functions of these objects", ""),
	TEXT_OF('C', "cpu", recording.cpus, "LIST", "only these CPUs", ""),
	TOGGLE_OF("source", source, "source lines between the instructions"),
	FLAG_OF('l', "print-line", lines, "lines by cost first, and each instruction's line behind it"),
	FLAG_OF('P', "full-paths", full_paths, "source files with their directories"),
	TOGGLE_OF("jumps", jumps, "draw jumps within the function"),
	FLAG_OF(0, "asm-raw", raw, "the bytes of each instruction"),
	TEXT_OF('M', "disassembler-style", style, "STYLE", "x86: att or intel", "att intel"),
	TEXT_OF(0, "percent-type", percent_type, "TYPE", "of the function or of all; of periods or of samples",
		"local-period local-hits global-period global-hits"),
	FLAG_OF('n', "show-nr-samples", show_samples, "samples in place of percent"),
	FLAG_OF(0, "show-total-period", show_period, "periods in place of percent"),
	TEXT_OF(0, "prefix", prefix, "DIR", "look for source files below DIR", NULL),
	{ 0, "prefix-strip", OPTION_COUNT, offsetof(struct annotate_options, prefix_strip), "N",
	  "take N leading directories off source paths", NULL, "" },
	FLAG_OF(0, "diff", diff, "A B [SYMBOL]: a function of two builds, its instructions aligned"),
	FLAG_OF(0, "stdio", stdio, "as text, also on a terminal"),
	FLAG_OF(0, "json", json, "as JSON"),
	FLAG_OF('q', "quiet", quiet, "no warnings"),
	{ .type = OPTION_END },
};

static struct error *choose_style(struct annotate *annotate)
{
	const char *style = annotate->options.style;

	if (style && strcmp(style, "intel") != 0 && strcmp(style, "att") != 0)
		return error_new(ERROR_USAGE, "-M is att or intel, not '%s'", style);
	annotate->disassembly.intel = style && !strcmp(style, "intel");
	return NULL;
}

/* "global-hits", in either order, or one word of it. */
static struct error *choose_percent_type(struct annotate *annotate)
{
	const char *type = annotate->options.percent_type;
	auto_free char *words = memory_strdup(type ? type : "");
	char *saved = NULL;

	for (char *word = strtok_r(words, "-", &saved); word; word = strtok_r(NULL, "-", &saved)) {
		if (!strcmp(word, "global") || !strcmp(word, "local"))
			annotate->view.global = word[0] == 'g';
		else if (!strcmp(word, "hits") || !strcmp(word, "period"))
			annotate->view.hits = word[0] == 'h';
		else
			return error_hint(error_new(ERROR_USAGE, "--percent-type: unknown type '%s'", type),
					  "it takes local-period, local-hits, global-period or global-hits");
	}
	return NULL;
}

static bool is_utf8_terminal(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

struct error *annotate_options_prepare(struct annotate *annotate)
{
	const struct annotate_options *chosen = &annotate->options;
	struct annotate_view *view = &annotate->view;
	struct source_setup sources = { chosen->prefix, (unsigned)chosen->prefix_strip };
	struct error *err = choose_style(annotate);

	if (!err)
		err = choose_percent_type(annotate);
	if (!err)
		err = recording_filter_parse(&chosen->recording, &annotate->filter);
	if (err)
		return err;
	word_list_add(&annotate->dsos, chosen->dsos);
	view->value = chosen->show_samples ? ANNOTATE_SAMPLES : chosen->show_period ? ANNOTATE_PERIOD : ANNOTATE_PERCENT;
	view->source = chosen->source;
	view->lines = chosen->lines;
	view->jumps = chosen->jumps;
	view->raw = chosen->raw;
	view->full_paths = chosen->full_paths;
	view->utf8 = is_utf8_terminal();
	view->color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	view->sources = source_files_create(&sources);
	return NULL;
}
