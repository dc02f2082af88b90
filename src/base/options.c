/* Option tables: parsed by popt, printed for people and for shells. */
#include "base/options.h"

#include <errno.h>
#include <math.h>
#include <popt.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static bool option_has_argument(const struct option *option)
{
	return option->argument != NULL;
}

static size_t table_length(const struct option *table)
{
	size_t length = 0;

	while (table[length].type != OPTION_END)
		length++;
	return length;
}

/* popt sees each option as a value, index + 1; a toggle is two entries, --name and --no-name. */
struct popt_table {
	struct poptOption *entries;
	char **negated; /* owned "no-…" names */
	size_t negated_count;
};

enum { NEGATED = 1 << 16, HELP = 1 << 17 };

static struct popt_table popt_table_create(const struct option *table)
{
	size_t length = table_length(table);
	struct popt_table popt = {
		.entries = memory_zeroed(2 * length + 2, sizeof(struct poptOption)),
		.negated = memory_zeroed(length, sizeof(char *)),
	};
	struct poptOption *entry = popt.entries;

	for (size_t i = 0; i < length; i++) {
		*entry++ = (struct poptOption){
			.longName = table[i].name,
			.shortName = table[i].letter,
			.argInfo = option_has_argument(&table[i]) ? POPT_ARG_STRING : POPT_ARG_NONE,
			.val = (int)i + 1,
		};
		if (table[i].type != OPTION_TOGGLE)
			continue;
		popt.negated[popt.negated_count] = memory_format("no-%s", table[i].name);
		*entry++ = (struct poptOption){
			.longName = popt.negated[popt.negated_count++],
			.argInfo = POPT_ARG_NONE,
			.val = ((int)i + 1) | NEGATED,
		};
	}
	*entry = (struct poptOption){ .longName = "help", .shortName = 'h', .val = HELP };
	return popt;
}

static void popt_table_release(struct popt_table *popt)
{
	for (size_t i = 0; i < popt->negated_count; i++)
		free(popt->negated[i]);
	free(popt->negated);
	free(popt->entries);
}

static void context_guard(poptContext *context)
{
	if (*context)
		poptFreeContext(*context);
}

static struct error *bad_value(const struct option *option, const char *text, const char *wanted)
{
	if (option->name)
		return error_new(ERROR_USAGE, "--%s: '%s' is not %s", option->name, text, wanted);
	return error_new(ERROR_USAGE, "-%c: '%s' is not %s", option->letter, text, wanted);
}

static struct error *store_count(const struct option *option, const char *text, uint64_t *where)
{
	char *end;

	errno = 0;

	unsigned long long number = strtoull(text, &end, 10);

	if (end == text || *end || errno || strchr(text, '-'))
		return bad_value(option, text, "a whole number from 0 up");
	*where = number;
	return NULL;
}

static struct error *store_integer(const struct option *option, const char *text, int64_t *where)
{
	char *end;

	errno = 0;

	long long number = strtoll(text, &end, 10);

	if (end == text || *end || errno)
		return bad_value(option, text, "a whole number");
	*where = number;
	return NULL;
}

static struct error *store_real(const struct option *option, const char *text, double *where)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || *end || !isfinite(number))
		return bad_value(option, text, "a number");
	*where = number;
	return NULL;
}

static struct error *store_size(const struct option *option, const char *text, uint64_t *where)
{
	static const char suffixes[] = "KMGT";
	char *end;

	errno = 0;

	unsigned long long number = strtoull(text, &end, 10);
	const char *suffix = *end ? strchr(suffixes, *end & ~0x20) : NULL;
	unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;

	if (suffix)
		end += end[1] == 'B' || end[1] == 'b' ? 2 : 1;
	if (end == text || *end || errno || strchr(text, '-') || number > UINT64_MAX >> shift)
		return bad_value(option, text, "a size such as 512K, 16M or 1G");
	*where = (uint64_t)number << shift;
	return NULL;
}

static void texts_add(struct option_texts *texts, const char *text)
{
	array_grow(&texts->items, texts->count, &texts->capacity);
	texts->items[texts->count++] = text;
}

static struct error *store(const struct option *option, const char *text, bool negated, void *into)
{
	void *where = (char *)into + option->offset;

	switch (option->type) {
	case OPTION_END:
		break;
	case OPTION_FLAG:
	case OPTION_TOGGLE:
		*(bool *)where = !negated;
		break;
	case OPTION_REPEATED:
		++*(unsigned *)where;
		break;
	case OPTION_TEXT:
		*(const char **)where = text;
		break;
	case OPTION_TEXTS:
		texts_add(where, text);
		break;
	case OPTION_COUNT:
		return store_count(option, text, where);
	case OPTION_INTEGER:
		return store_integer(option, text, where);
	case OPTION_REAL:
		return store_real(option, text, where);
	case OPTION_SIZE:
		return store_size(option, text, where);
	case OPTION_CALL:
		return option->call(text, where);
	}
	return NULL;
}

/* popt hands out copies of arguments; the same text in argv outlives them. */
static const char *in_argv(const struct options_parse *parse, const char *text)
{
	for (int i = 1; i < parse->argc; i++) {
		const char *word = parse->argv[i];
		size_t length = strlen(word), tail = strlen(text);

		if (length >= tail && !strcmp(word + length - tail, text))
			return word + length - tail;
	}
	return NULL;
}

static struct error *unknown_option(const struct options_parse *parse, const char *bad)
{
	size_t length = table_length(parse->table), named = 0;
	auto_free const char **names = memory_zeroed(length, sizeof(*names));

	for (size_t i = 0; i < length; i++)
		if (parse->table[i].name)
			names[named++] = parse->table[i].name;

	const char *near = text_starts_with(bad, "--") ? text_nearest(bad + 2, names, named) : NULL;
	struct error *err = error_new(ERROR_USAGE, "unknown option '%s'", bad);

	return near ? error_hint(err, "did you mean --%s? 'perfmini %s -h' lists all", near, parse->argv[0])
		    : error_hint(err, "'perfmini %s -h' lists all", parse->argv[0]);
}

static struct error *popt_failure(const struct options_parse *parse, poptContext context, int code)
{
	const char *bad = poptBadOption(context, 0);

	if (code == POPT_ERROR_BADOPT)
		return unknown_option(parse, bad);
	return error_new(ERROR_USAGE, "option '%s': %s", bad, poptStrerror(code));
}

static char **collect_operands(const struct options_parse *parse, poptContext context)
{
	const char **rest = poptGetArgs(context);
	size_t count = 0;

	while (rest && rest[count])
		count++;

	char **operands = memory_zeroed(count + 1, sizeof(*operands));
	int from = parse->argc - (int)count;

	/* With stop_at_operand they are the end of argv as it stands; else any words of it. */
	for (size_t i = 0; i < count; i++)
		operands[i] = parse->stop_at_operand ? parse->argv[from + (int)i] : (char *)in_argv(parse, rest[i]);
	return operands;
}

static struct error *store_all(const struct options_parse *parse, poptContext context, bool *help)
{
	int value;

	while ((value = poptGetNextOpt(context)) > 0) {
		if (value == HELP) {
			*help = true;
			return NULL;
		}

		const struct option *option = &parse->table[(value & ~NEGATED) - 1];
		auto_free char *copy = poptGetOptArg(context);
		struct error *err = store(option, copy ? in_argv(parse, copy) : NULL, value & NEGATED, parse->into);

		if (err)
			return err;
	}
	return value < -1 ? popt_failure(parse, context, value) : NULL;
}

struct error *options_parse(const struct options_parse *parse, char ***operands, bool *help)
{
	cleanup(popt_table_release) struct popt_table popt = popt_table_create(parse->table);
	unsigned flags = parse->stop_at_operand ? POPT_CONTEXT_POSIXMEHARDER : 0;
	cleanup(context_guard) poptContext context =
		poptGetContext(parse->argv[0], parse->argc, (const char **)parse->argv, popt.entries, flags);
	bool wants_help = false;
	struct error *err = store_all(parse, context, &wants_help);

	if (err)
		return err;
	*operands = wants_help ? memory_zeroed(1, sizeof(char *)) : collect_operands(parse, context);
	*help = wants_help;
	return NULL;
}

void option_texts_release(struct option_texts *texts)
{
	free(texts->items);
	*texts = (struct option_texts){ 0 };
}

static void print_option(const struct option *option, FILE *out)
{
	auto_text struct text left = { 0 };

	if (option->letter)
		text_format(&left, "-%c%s", option->letter, option->name ? ", " : "");
	else
		text_append(&left, "    ");
	if (option->name)
		text_format(&left, option->type == OPTION_TOGGLE ? "--[no-]%s" : "--%s", option->name);
	if (option->argument)
		text_format(&left, " %s", option->argument);
	if (left.length > 26)
		fprintf(out, "  %s\n%30s%s\n", left.bytes, "", option->help);
	else
		fprintf(out, "  %-26s  %s\n", left.bytes, option->help);
}

void options_print_help(const struct option *table, FILE *out)
{
	for (; table->type != OPTION_END; table++)
		if (table->help)
			print_option(table, out);
	fprintf(out, "  -h, --help                  show this\n");
}

void options_print_words(const struct option *table, FILE *out)
{
	for (; table->type != OPTION_END; table++) {
		char letter[3] = { '-', table->letter, '\0' };

		fprintf(out, "%s%s\t%s\t%s\t%s\t%s\n", table->name ? "--" : "", table->name ? table->name : "",
			table->letter ? letter : "", table->argument ? table->argument : "",
			table->words ? table->words : "", table->help ? table->help : "");
		if (table->type == OPTION_TOGGLE)
			fprintf(out, "--no-%s\t\t\t\t%s\n", table->name, table->help);
	}
}
