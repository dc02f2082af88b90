/* Numbers that a command prints. */
#include "ab/printed.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static struct error *bad_metric(const char *text, const char *why)
{
	return error_hint(error_new(ERROR_USAGE, "--metric '%s': %s", text, why),
			  "such as: --metric 'rps=/requests\\/s: ([0-9.]+)/;good=higher'");
}

/* The expression between slashes, with \/ as a plain slash. Returns what follows, or NULL without an end. */
static const char *copy_expression(const char *at, struct text *ret)
{
	for (; *at && *at != '/'; at++) {
		if (at[0] == '\\' && at[1] == '/')
			at++;
		else if (at[0] == '\\' && at[1])
			text_append_char(ret, *at++);
		text_append_char(ret, *at);
	}
	return *at ? at + 1 : NULL;
}

static struct error *compile(const char *text, const char *expression, regex_t *ret)
{
	char message[200];
	int failed = regcomp(ret, expression ? expression : "", REG_EXTENDED | REG_NEWLINE);

	if (failed) {
		regerror(failed, ret, message, sizeof(message));
		return bad_metric(text, message);
	}
	if (ret->re_nsub >= 1)
		return NULL;
	regfree(ret);
	return bad_metric(text, "the expression has no (…) around the number");
}

struct error *printed_list_add(struct printed_list *list, const char *text)
{
	auto_text struct text expression = { 0 };
	const char *equals = strchr(text, '='), *rest;

	if (!equals || equals == text || equals[1] != '/')
		return bad_metric(text, "not NAME=/EXPRESSION/");
	rest = copy_expression(equals + 2, &expression);
	if (!rest)
		return bad_metric(text, "the expression has no closing '/'");
	if (*rest && strcmp(rest, ";good=higher") && strcmp(rest, ";good=lower"))
		return bad_metric(text, "only ;good=higher or ;good=lower may follow the expression");

	struct printed printed = { .higher_is_better = !strcmp(rest, ";good=higher") };
	struct error *err = compile(text, expression.bytes, &printed.pattern);

	if (err)
		return err;
	printed.name = memory_strndup(text, (size_t)(equals - text));
	array_grow(&list->items, list->count, &list->capacity);
	list->items[list->count++] = printed;
	return NULL;
}

void printed_list_release(struct printed_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].name);
		regfree(&list->items[i].pattern);
	}
	free(list->items);
}

double printed_find(const struct printed *printed, const char *output)
{
	regmatch_t match[2];
	double found = NAN;
	int flags = 0;

	while (!regexec(&printed->pattern, output, 2, match, flags)) {
		if (match[1].rm_so >= 0) {
			char *end;
			double number = strtod(output + match[1].rm_so, &end);

			if (end != output + match[1].rm_so && isfinite(number))
				found = number;
		}
		if (!output[match[0].rm_eo])
			break;
		/* An empty match must not stay where it is. */
		output += match[0].rm_eo + (match[0].rm_eo == match[0].rm_so);
		flags = REG_NOTBOL;
	}
	return found;
}
