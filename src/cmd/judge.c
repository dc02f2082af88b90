/* How `ab` and `compare` judge runs: rules kept in the runs file, options given now before them. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "ab/analysis.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/ab.h"
#include "cmd/ab_symbols.h"
#include "cmd/derived.h"
#include "output/ab_report.h"
#include "stats/sequential.h"

struct judge_rules {
	struct analysis_options options;
	struct derived_list *derived;
	struct arena *arena;
};

static const struct report_format {
	const char *name;
	ab_report_write *write;
} formats[] = {
	{ "text", ab_text_write }, { "json", ab_json_write }, { "csv", ab_csv_write },
	{ "markdown", ab_markdown_write }, { "mail", ab_mail_write }, { "html", ab_html_write },
};

static const struct report_format *find_format(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name ? name : "text"))
			return &formats[i];
	return NULL;
}

/* "wall=1%". */
static struct error *parse_threshold(struct arena *arena, const char *text, struct threshold *ret)
{
	const char *equals = strrchr(text, '=');
	char *end = NULL;
	double percent = equals ? strtod(equals + 1, &end) : NAN;

	if (!equals || equals == text || end == equals + 1 || strcmp(end, "%") || !(percent >= 0 && percent < 1000))
		return error_hint(error_new(ERROR_USAGE, "--threshold '%s' is not METRIC=X%%", text),
				  "such as: --threshold wall=1%%");
	if (percent == 0)
		return error_hint(error_new(ERROR_USAGE, "--threshold '%s': nothing can be shown equal to within nothing",
					    text), "give the smallest change that matters, such as 0.1%%");
	auto_free char *name = memory_strndup(text, (size_t)(equals - text));

	*ret = (struct threshold){ arena_strdup(arena, name), percent / 100 };
	return NULL;
}

static struct error *check_words(const struct judge_options *judge)
{
	if (!find_format(judge->format))
		return error_hint(error_new(ERROR_USAGE, "--format '%s' is unknown", judge->format),
				  "one of text, json, csv, markdown, mail, html");
	if (judge->fail_on && strcmp(judge->fail_on, "regression") && strcmp(judge->fail_on, "any-worse"))
		return error_new(ERROR_USAGE, "--fail-on '%s' is neither regression nor any-worse", judge->fail_on);
	if (judge->estimand && strcmp(judge->estimand, "typical") && strcmp(judge->estimand, "mean"))
		return error_new(ERROR_USAGE, "--estimand '%s' is neither typical nor mean", judge->estimand);
	if (judge->confidence && !(judge->confidence >= 50 && judge->confidence < 100))
		return error_new(ERROR_USAGE, "--confidence %g is not from 50 to below 100", judge->confidence);
	if ((judge->revisions || judge->effect) && !judge->bisect)
		return error_new(ERROR_USAGE, "--revisions and --effect need --bisect");
	if (judge->revisions > 1u << 30 || !(judge->effect >= 0 && judge->effect < 10000))
		return error_new(ERROR_USAGE, "--revisions or --effect is out of range");
	if (judge->rate < 0 || (judge->rate > 0 && !judge->ops))
		return error_hint(error_new(ERROR_USAGE, "--rate needs --ops and is above 0"),
				  "--ops N says how many operations one run makes");
	return NULL;
}

static struct error *unknown_metric(const char *option, const char *name, const struct quantity *known, size_t count)
{
	auto_free const char **names = memory_zeroed(count, sizeof(*names));
	auto_text struct text list = { 0 };
	const char *near;

	for (size_t i = 0; i < count; i++) {
		names[i] = known[i].name;
		text_format(&list, "%s%s", i ? ", " : "", known[i].name);
	}
	near = text_nearest(name, names, count);
	if (near)
		return error_hint(error_new(ERROR_USAGE, "--%s: there is no metric '%s'", option, name),
				  "did you mean %s?", near);
	return error_hint(error_new(ERROR_USAGE, "--%s: there is no metric '%s'", option, name), "there are: %s",
			  list.bytes ? list.bytes : "none");
}

static bool is_known(const char *name, const struct quantity *known, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(known[i].name, name))
			return true;
	return false;
}

struct error *judge_check(const struct judge_options *judge, const struct runs *runs)
{
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(derived_list_guard) struct derived_list *derived = NULL;
	size_t count, derived_count;
	struct error *err = derived_list_create(runs, &derived);

	if (err)
		return err;

	const struct derived_metric *items = derived_list_items(derived, &derived_count);
	auto_free struct quantity *known = quantity_list(runs, items, derived_count, &count);

	err = check_words(judge);
	for (size_t i = 0; i < judge->gates.count && !err; i++)
		if (!is_known(judge->gates.items[i], known, count))
			err = unknown_metric("gate", judge->gates.items[i], known, count);
	for (size_t i = 0; i < judge->thresholds.count && !err; i++) {
		struct threshold threshold;

		err = parse_threshold(arena, judge->thresholds.items[i], &threshold);
		if (!err && !is_known(threshold.metric, known, count))
			err = unknown_metric("threshold", threshold.metric, known, count);
	}
	return err;
}

/* A growing list of "name=value" in the arena of runs. */
struct plan_texts {
	struct runs *runs;
	const char **items;
	size_t count, capacity;
};

static void plan_add(struct plan_texts *plan, const char *format, ...) printf_like(2, 3);
static void plan_add(struct plan_texts *plan, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		abort();
	va_end(args);
	array_grow(&plan->items, plan->count, &plan->capacity);
	plan->items[plan->count++] = runs_text(plan->runs, text);
	free(text);
}

static void add_rules(struct plan_texts *texts, const struct judge_options *judge, const struct printed_list *printed)
{
	for (size_t i = 0; i < judge->gates.count; i++)
		plan_add(texts, "gate=%s", judge->gates.items[i]);
	for (size_t i = 0; i < judge->thresholds.count; i++)
		plan_add(texts, "threshold=%s", judge->thresholds.items[i]);
	for (size_t i = 0; i < printed->count; i++)
		if (printed->items[i].higher_is_better)
			plan_add(texts, "higher=%s", printed->items[i].name);
	if (judge->confidence)
		plan_add(texts, "confidence=%.17g", judge->confidence);
	if (judge->fail_on)
		plan_add(texts, "fail-on=%s", judge->fail_on);
	if (judge->estimand)
		plan_add(texts, "estimand=%s", judge->estimand);
	if (judge->assume_normal)
		plan_add(texts, "assume-normal=yes");
	if (judge->ops)
		plan_add(texts, "ops=%llu", (unsigned long long)judge->ops);
	if (judge->rate > 0)
		plan_add(texts, "rate=%.17g", judge->rate);
	if (judge->revisions)
		plan_add(texts, "revisions=%llu", (unsigned long long)judge->revisions);
	if (judge->effect > 0)
		plan_add(texts, "effect=%.17g", judge->effect);
}

struct error *judge_store(const struct judge_options *judge, const struct plan *plan,
			  const struct printed_list *printed, struct runs *runs)
{
	static const char *const until[] = { "blocks", "decided", "precise" };
	struct plan_texts texts = { .runs = runs };

	for (size_t i = 0; i < runs->plan_count; i++)
		plan_add(&texts, "%s", runs->plan[i]);
	add_rules(&texts, judge, printed);
	plan_add(&texts, "blocks=%llu", (unsigned long long)plan->blocks);
	plan_add(&texts, "until=%s", until[plan->until]);
	if (plan->until == UNTIL_PRECISE)
		plan_add(&texts, "precision=%.17g", plan->precision);
	if (plan->is_abba)
		plan_add(&texts, "order=abba");
	if (plan->layouts)
		plan_add(&texts, "layouts=%llu", (unsigned long long)plan->layouts);
	if (plan->background)
		plan_add(&texts, "background=%s", plan->background);
	if (plan->comparison > 1)
		plan_add(&texts, "comparison=%llu", (unsigned long long)plan->comparison);
	if (plan->repeat)
		plan_add(&texts, "repeat=%s", plan->repeat);
	runs->plan_count = texts.count;
	runs->plan = runs_alloc(runs, texts.count, sizeof(*runs->plan));
	memcpy((void *)runs->plan, texts.items, texts.count * sizeof(*texts.items));
	free(texts.items);
	return NULL;
}

/* All values of one name: those given now, else those stored. The array is the arena's. */
static const char *const *values_of(struct arena *arena, const struct option_texts *given, const struct runs *runs,
				    const char *name, size_t *count)
{
	const char **values = arena_alloc(arena, (runs->plan_count + (given ? given->count : 0) + 1) * sizeof(*values));
	size_t length = strlen(name);

	*count = 0;
	for (size_t i = 0; given && i < given->count; i++)
		values[(*count)++] = given->items[i];
	for (size_t i = 0; i < runs->plan_count && (!given || !given->count); i++)
		if (!strncmp(runs->plan[i], name, length) && runs->plan[i][length] == '=')
			values[(*count)++] = runs->plan[i] + length + 1;
	return values;
}

static bool is_set(const char *given, const struct runs *runs, const char *name, const char *wanted)
{
	const char *value = given ? given : runs_plan(runs, name);

	return value && !strcmp(value, wanted);
}

double judge_number(double given, const struct runs *runs, const char *name)
{
	const char *stored = runs_plan(runs, name);
	double number = stored ? strtod(stored, NULL) : 0;

	if (given > 0)
		return given;
	return number > 0 && isfinite(number) ? number : 0;
}

/* alpha of the look at so many blocks: each look has its part, whatever was seen at it. */
static double look_alpha(const struct runs *runs, double alpha)
{
	uint64_t most = (uint64_t)judge_number(0, runs, "blocks"), blocks = experiment_valid_blocks(runs);
	struct look looks[SEQUENTIAL_LOOKS];

	if (!is_set(NULL, runs, "until", "decided") || !most || most > PLAN_MOST_BLOCKS)
		return 0;
	if (runs_plan(runs, "background"))
		blocks /= 2;
	sequential_plan(most, alpha, looks);
	for (size_t i = 0; i < SEQUENTIAL_LOOKS; i++)
		if (blocks <= looks[i].blocks || i + 1 == SEQUENTIAL_LOOKS)
			return looks[i].alpha;
	return 0;
}

static struct error *fill_thresholds(struct judge_rules *rules, const struct judge_options *judge,
				     const struct runs *runs)
{
	size_t count;
	const char *const *texts = values_of(rules->arena, &judge->thresholds, runs, "threshold", &count);
	struct threshold *thresholds = arena_alloc(rules->arena, (count + 1) * sizeof(*thresholds));
	struct error *err = NULL;

	for (size_t i = 0; i < count && !err; i++)
		err = parse_threshold(rules->arena, texts[i], &thresholds[i]);
	rules->options.thresholds = thresholds;
	rules->options.threshold_count = count;
	return err;
}

/* A bisection's ceil(log2(revisions)) steps share alpha between them. */
static double step_alpha(const struct judge_options *judge, const struct runs *runs, double alpha)
{
	double revisions = judge_number((double)judge->revisions, runs, "revisions");

	return revisions > 2 ? alpha / ceil(log2(revisions)) : alpha;
}

/* The known effect in percent; thresholds given now go before one that is stored. */
static double known_effect(const struct judge_options *judge, const struct runs *runs)
{
	return judge->thresholds.count ? judge->effect : judge_number(judge->effect, runs, "effect");
}

/* The threshold of every gate is the geometric middle between no effect and the known one. */
static void halve_effect(struct judge_rules *rules, double effect)
{
	struct analysis_options *options = &rules->options;
	size_t gates = options->gate_count ? options->gate_count : 1, count = options->threshold_count;
	struct threshold *all = arena_alloc(rules->arena, (count + gates) * sizeof(*all));

	if (!(effect > 0))
		return;
	if (count)
		memcpy(all, options->thresholds, count * sizeof(*all));
	for (size_t i = 0; i < gates; i++)
		all[count++] = (struct threshold){ options->gate_count ? options->gates[i] : "wall",
						   sqrt(1 + effect / 100) - 1 };
	options->thresholds = all;
	options->threshold_count = count;
}

struct error *judge_rules_create(const struct judge_options *judge, const struct runs *runs,
				 struct judge_rules **ret)
{
	cleanup(judge_rules_guard) struct judge_rules *rules = memory_zeroed(1, sizeof(*rules));
	struct analysis_options *options = &rules->options;
	double confidence = judge_number(judge->confidence, runs, "confidence");
	struct error *err = check_words(judge);

	rules->arena = arena_create();
	options->alpha = step_alpha(judge, runs, confidence >= 50 && confidence < 100 ? 1 - confidence / 100 : 0.05);
	options->gates = values_of(rules->arena, &judge->gates, runs, "gate", &options->gate_count);
	options->higher = values_of(rules->arena, NULL, runs, "higher", &options->higher_count);
	options->look_alpha = look_alpha(runs, options->alpha);
	options->gate_on_mean = is_set(judge->estimand, runs, "estimand", "mean");
	options->fail_on_any_worse = is_set(judge->fail_on, runs, "fail-on", "any-worse");
	options->assume_normal = judge->assume_normal || is_set(NULL, runs, "assume-normal", "yes");
	options->trust_sessions = judge->trust_sessions;
	options->is_bisect = judge->bisect;
	if (!err)
		err = fill_thresholds(rules, judge, runs);
	if (!err)
		halve_effect(rules, known_effect(judge, runs));
	if (!err)
		err = derived_list_create(runs, &rules->derived);
	if (!err)
		options->derived = derived_list_items(rules->derived, &options->derived_count);
	if (!err)
		*ret = take(rules);
	return err;
}

const struct analysis_options *judge_rules_options(const struct judge_rules *rules)
{
	return &rules->options;
}

void judge_rules_destroy(struct judge_rules *rules)
{
	if (!rules)
		return;
	derived_list_destroy(rules->derived);
	arena_destroy(rules->arena);
	free(rules);
}

static bool wants_color(const struct judge_options *judge)
{
	const char *off = getenv("NO_COLOR"), *kind = getenv("TERM");

	return !judge->output && isatty(STDOUT_FILENO) && !(off && *off) && !(kind && !strcmp(kind, "dumb"));
}

struct error *judge_print(const struct judge_options *judge, struct ab_report *report)
{
	const struct report_format *format = find_format(judge->format);
	struct file_replacement *file;
	struct error *err;

	report->color = wants_color(judge);
	if (!judge->output) {
		format->write(report, stdout);
		return NULL;
	}
	err = file_replace_begin(judge->output, 0644, &file);
	if (err)
		return err;
	format->write(report, file_replace_stream(file));
	return file_replace_commit(file);
}

/* The verdict does not wait for the functions: what cannot be read is told, and left out. */
static void add_symbols(const char *bundle, const struct runs *runs, struct ab_symbols_list *symbols,
			struct ab_report *report)
{
	cleanup(error_guard) struct error *err = bundle ? ab_symbols_create(bundle, runs, symbols) : NULL;

	if (err)
		log_warning("no functions are compared: %s", error_message(err));
	else {
		report->symbols = symbols->items;
		report->symbol_count = symbols->count;
	}
}

struct error *judge_report(const struct judge_options *judge, const struct runs *runs, const char *bundle, int *status)
{
	cleanup(ab_symbols_release) struct ab_symbols_list symbols = { 0 };
	cleanup(judge_rules_guard) struct judge_rules *rules = NULL;
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	struct error *err = judge_rules_create(judge, runs, &rules);

	if (!err)
		err = analysis_create(runs, &rules->options, &analysis);
	if (err)
		return err;

	struct ab_report report = {
		.analysis = analysis, .files = &runs, .file_count = 1, .alpha = rules->options.alpha,
		.ops = (uint64_t)judge_number((double)judge->ops, runs, "ops"),
		.rate = judge_number(judge->rate, runs, "rate"), .repeat = runs_plan(runs, "repeat"),
	};

	add_symbols(bundle, runs, &symbols, &report);
	*status = analysis->exit_status;
	return judge_print(judge, &report);
}

struct error *judge_exit_status(struct error *err, bool bisect)
{
	if (!err)
		return NULL;
	if (error_kind(err) == ERROR_USAGE)
		return error_exit_status(err, bisect ? EXIT_BISECT_ABORT : EXIT_BAD_USAGE);
	if (bisect && (error_kind(err) == ERROR_PERMISSION || error_kind(err) == ERROR_UNSUPPORTED))
		return error_exit_status(err, EXIT_BISECT_ABORT);
	return error_exit_status(err, bisect ? EXIT_BISECT_SKIP : EXIT_NOT_MEASURED);
}
