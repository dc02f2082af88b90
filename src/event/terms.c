/* Terms of an event: splitting them, and those that are the same for every event. */
#include "event/terms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	return copy;
}

/* Length of one term: to the next comma outside quotes; -1 when a quote stays open. */
static ssize_t term_length(const char *text, size_t left)
{
	char quote = 0;
	size_t i;

	for (i = 0; i < left && (quote || text[i] != ','); i++)
		if (text[i] == quote)
			quote = 0;
		else if (!quote && (text[i] == '\'' || text[i] == '"'))
			quote = text[i];
	return quote ? -1 : (ssize_t)i;
}

static const char *unquoted(struct arena *arena, const char *value, size_t length)
{
	if (length >= 2 && (value[0] == '\'' || value[0] == '"') && value[length - 1] == value[0])
		return arena_strndup(arena, value + 1, length - 2);
	return arena_strndup(arena, value, length);
}

static struct term term_split(const char *text, size_t length, struct arena *arena)
{
	const char *equals = memchr(text, '=', length);
	size_t name_length = equals ? (size_t)(equals - text) : length;

	return (struct term){
		.name = arena_strndup(arena, text, name_length),
		.value = equals ? unquoted(arena, equals + 1, length - name_length - 1) : NULL,
	};
}

struct error *terms_parse(const char *text, size_t length, struct arena *arena, struct terms *ret)
{
	size_t at = 0;

	while (at < length) {
		ssize_t one = term_length(text + at, length - at);

		if (one < 0)
			return error_new(ERROR_USAGE, "event term with an open quote in '%.*s'", (int)length, text);
		if (!one || text[at] == '=')
			return error_new(ERROR_USAGE, "empty event term in '%.*s'", (int)length, text);
		array_grow(&ret->items, ret->count, &ret->capacity);
		ret->items[ret->count++] = term_split(text + at, (size_t)one, arena);
		at += (size_t)one + 1;
	}
	return NULL;
}

void terms_release(struct terms *terms)
{
	free(terms->items);
}

struct error *term_number(const struct term *term, uint64_t *ret)
{
	char *end;

	errno = 0;

	unsigned long long number = strtoull(term->value, &end, 0);

	if (!*term->value || *term->value == '-' || *end || errno)
		return error_new(ERROR_USAGE, "event term '%s=%s' is not a whole number", term->name, term->value);
	*ret = number;
	return NULL;
}

static const struct {
	const char *name;
	size_t offset;
} word_terms[] = {
	{ "config", offsetof(struct perf_event_attr, config) },
	{ "config1", offsetof(struct perf_event_attr, config1) },
	{ "config2", offsetof(struct perf_event_attr, config2) },
	{ "period", offsetof(struct perf_event_attr, sample_period) },
	{ "freq", offsetof(struct perf_event_attr, sample_freq) },
};

static struct error *word_apply(const struct term *term, size_t offset, struct perf_event_attr *attr)
{
	uint64_t number;
	struct error *err = term->value ? term_number(term, &number)
					: error_new(ERROR_USAGE, "event term '%s' needs a value", term->name);

	if (err)
		return err;
	*(__u64 *)((char *)attr + offset) = number;
	if (!strcmp(term->name, "freq"))
		attr->freq = 1;
	return NULL;
}

struct error *term_apply(const struct term *term, struct event *event, struct event_found *found, bool *known)
{
	*known = true;
	if (!strcmp(term->name, "name") && term->value && *term->value) {
		found->name = term->value;
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(word_terms); i++)
		if (!strcmp(term->name, word_terms[i].name))
			return word_apply(term, word_terms[i].offset, &event->attr);
	*known = false;
	return NULL;
}

bool slashed_split(const char *text, struct slashed *ret)
{
	const char *first = strchr(text, '/'), *last = strrchr(text, '/');

	if (!first || first == last)
		return false;
	*ret = (struct slashed){
		.head = text,
		.head_length = (size_t)(first - text),
		.terms = first + 1,
		.terms_length = (size_t)(last - first - 1),
		.modifiers = last[1] == ':' ? last + 2 : last + 1,
	};
	return true;
}
