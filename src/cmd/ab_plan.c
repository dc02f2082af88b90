/* perfmini ab: the plan that options and operands ask for. */
#include <math.h>
#include <string.h>
#include <sys/random.h>

#include "ab/command_line.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/ab.h"

enum { MOST_ARMS = 64, FEW_LAYOUTS = 4 };

static struct plan_arm *add_arm(struct plan *plan)
{
	struct plan_arm *grown = arena_alloc(plan->arena, (plan->arm_count + 1) * sizeof(*grown));

	if (plan->arm_count)
		memcpy(grown, plan->arms, plan->arm_count * sizeof(*grown));
	plan->arms = grown;
	return &grown[plan->arm_count++];
}

/* A, B … Z, then 27, 28. */
static const char *letter_name(struct plan *plan, size_t index)
{
	auto_free char *name = index < 26 ? memory_format("%c", 'A' + (char)index) : memory_format("%zu", index + 1);

	return arena_strdup(plan->arena, name);
}

static struct error *add_command(struct plan *plan, const struct ab_options *chosen, const char *text,
				 const char *name)
{
	const char *const *words;
	struct error *err = command_line_split(plan->arena, text, chosen->shell, &words);

	if (err)
		return err;

	struct plan_arm *arm = add_arm(plan);

	arm->words = words;
	arm->name = name ? name : letter_name(plan, plan->arm_count - 1);
	return NULL;
}

static char *join_operands(char *const *operands)
{
	return operands[0] && !operands[1] ? memory_strdup(operands[0]) :
					     command_line_join((const char *const *)operands);
}

/* Every combination of the scans' values, the last scan fastest. */
static struct error *add_combination(struct plan *plan, const struct ab_options *chosen, const char *template,
				     const struct scan *scans, size_t index)
{
	const char *text = template;
	auto_text struct text name = { 0 };

	for (size_t i = chosen->scans.count; i-- > 0; index /= scans[i].count) {
		const char *value = scans[i].values[index % scans[i].count];
		auto_free char *part = memory_format("%s=%s%s%s", scans[i].name, value, name.length ? " " : "",
						     name.bytes ? name.bytes : "");

		text_clear(&name);
		text_append(&name, part);
		text = command_line_replace(plan->arena, text, scans[i].name, value);
	}
	return add_command(plan, chosen, text, arena_strdup(plan->arena, name.bytes));
}

static struct error *add_scans(struct plan *plan, const struct ab_options *chosen, char *const *operands)
{
	auto_free char *template = join_operands(operands);
	auto_free struct scan *scans = memory_zeroed(chosen->scans.count, sizeof(*scans));
	size_t combinations = 1;
	struct error *err = NULL;

	for (size_t i = 0; i < chosen->scans.count && !err; i++) {
		err = scan_parse(plan->arena, chosen->scans.items[i], &scans[i]);
		if (err)
			return err;

		auto_free char *key = memory_format("{%s}", scans[i].name);

		if (!strstr(template, key))
			return error_new(ERROR_USAGE, "-L %s: the command holds no {%s}", scans[i].name, scans[i].name);
		combinations *= scans[i].count;
		if (combinations > MOST_ARMS)
			return error_new(ERROR_USAGE, "-L asks for more than %d commands", MOST_ARMS);
	}
	for (size_t i = 0; i < combinations && !err; i++)
		err = add_combination(plan, chosen, template, scans, i);
	return err;
}

static struct error *add_operands(struct plan *plan, const struct ab_options *chosen, char *const *operands)
{
	struct error *err = NULL;

	for (size_t i = 0; operands[i] && !err; i++)
		err = plan->arm_count < MOST_ARMS ? add_command(plan, chosen, operands[i], NULL) :
						    error_new(ERROR_USAGE, "more than %d commands", MOST_ARMS);
	return err;
}

/* --git and --patch: one command, run in each build's directory. */
static struct error *add_builds(struct plan *plan, const struct ab_options *chosen, char *const *operands)
{
	auto_free char *text = join_operands(operands);
	struct error *err = NULL;

	if (!operands[0])
		return error_hint(error_new(ERROR_USAGE, "no command to run in the two builds"),
				  "such as: perfmini ab --git main..HEAD --build 'make -j2' -- ./bench");
	for (size_t i = 0; i < 2 && !err; i++)
		err = add_command(plan, chosen, text, NULL);
	return err;
}

static struct error *check_names(struct plan *plan, const struct ab_options *chosen)
{
	if (chosen->names.count > plan->arm_count)
		return error_new(ERROR_USAGE, "%zu names for %zu commands", chosen->names.count, plan->arm_count);
	for (size_t i = 0; i < chosen->names.count; i++)
		plan->arms[i].name = chosen->names.items[i];
	for (size_t i = 0; i < plan->arm_count; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(plan->arms[i].name, plan->arms[j].name))
				return error_hint(error_new(ERROR_USAGE, "two commands are named '%s'",
							    plan->arms[i].name),
						  "give each its own name with -n");
	if (plan->arm_count < 2 && !chosen->control && !chosen->self_test)
		return error_hint(error_new(ERROR_USAGE, "%s: there is nothing to compare",
					    plan->arm_count ? "one command" : "no command"),
				  "give two, or scan a parameter with -L, or a patch with --git, or measure this "
				  "machine's noise with --self-test");
	return NULL;
}

/* One hook for all arms, or one for each in order. */
static struct error *spread_hooks(struct plan *plan, const struct option_texts *texts, const char *option,
				  size_t offset)
{
	if (texts->count > 1 && texts->count != plan->arm_count)
		return error_new(ERROR_USAGE, "--%s %zu times for %zu commands: give it once, or once for each", option,
				 texts->count, plan->arm_count);
	for (size_t i = 0; i < plan->arm_count && texts->count; i++)
		*(const char **)((char *)&plan->arms[i] + offset) = texts->items[texts->count > 1 ? i : 0];
	return NULL;
}

static struct error *set_hooks(struct plan *plan, const struct ab_options *chosen)
{
	struct error *err = spread_hooks(plan, &chosen->setups, "setup", offsetof(struct plan_arm, setup));

	if (!err)
		err = spread_hooks(plan, &chosen->prepares, "prepare", offsetof(struct plan_arm, prepare));
	if (!err)
		err = spread_hooks(plan, &chosen->concludes, "conclude", offsetof(struct plan_arm, conclude));
	return err ? err : spread_hooks(plan, &chosen->cleanups, "cleanup", offsetof(struct plan_arm, cleanup));
}

static struct error *set_seed(struct plan *plan, const char *text)
{
	char *end;

	if (!text) {
		if (getrandom(&plan->seed, sizeof(plan->seed), 0) != sizeof(plan->seed))
			return error_new(ERROR_OS, "the kernel gave no random seed; give one with --seed");
		plan->seed >>= 32; /* short enough to type */
		return NULL;
	}
	plan->seed = strtoull(text, &end, 10);
	if (end == text || *end || strchr(text, '-'))
		return error_new(ERROR_USAGE, "--seed '%s' is not a whole number", text);
	return NULL;
}

static struct error *set_lengths(struct plan *plan, const struct ab_options *chosen)
{
	plan->warmup = chosen->warmup;
	plan->blocks = chosen->blocks;
	plan->layouts = chosen->layouts;
	plan->padding = chosen->padding;
	plan->is_abba = chosen->order && !strcmp(chosen->order, "abba");
	plan->background = chosen->background;
	plan->ignore_failure = chosen->ignore_failure;
	if (chosen->layouts && chosen->layouts < FEW_LAYOUTS)
		log_warning("--layouts %llu: the means of so few layouts can hardly decide; %d or more can",
			    (unsigned long long)chosen->layouts, FEW_LAYOUTS);
	if (!(chosen->budget > 0) || chosen->timeout < 0)
		return error_new(ERROR_USAGE, "--budget and --timeout are seconds above 0");
	plan->budget_seconds = chosen->budget;
	if (chosen->order && !plan->is_abba && strcmp(chosen->order, "random"))
		return error_new(ERROR_USAGE, "--order '%s' is neither random nor abba", chosen->order);
	if (plan->is_abba && (chosen->until || chosen->blocks % 2))
		return error_new(ERROR_USAGE, "--order abba takes an even number of --blocks, and no --until");
	if (chosen->until && chosen->blocks)
		return error_new(ERROR_USAGE, "--until and --blocks: choose one");
	if (chosen->blocks > 1000000 || chosen->warmup > 1000000 || chosen->layouts > 10000)
		return error_new(ERROR_USAGE, "--blocks, --warmup or --layouts is too large");
	if (!chosen->until && !chosen->blocks && !plan->warmup)
		return error_hint(error_new(ERROR_USAGE, "--warmup 0 leaves no duration to choose the blocks from"),
				  "add --blocks N");
	return chosen->until ? plan_set_until(plan, chosen->until) : NULL;
}

struct error *ab_plan_create(const struct ab_options *chosen, char *const *operands, struct plan **ret)
{
	cleanup(plan_guard) struct plan *plan = plan_create();
	struct error *err = set_lengths(plan, chosen);

	if (!err)
		err = set_seed(plan, chosen->seed);
	if (!err && (chosen->git || chosen->patch))
		err = add_builds(plan, chosen, operands);
	else if (!err && chosen->scans.count)
		err = add_scans(plan, chosen, operands);
	else if (!err)
		err = add_operands(plan, chosen, operands);
	if (!err)
		err = check_names(plan, chosen);
	if (!err)
		err = set_hooks(plan, chosen);
	if (!err)
		*ret = take(plan);
	return err;
}
