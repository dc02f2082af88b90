/* The event list: splitting "-e" text into events and groups, and keeping them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "event/alias.h"
#include "event/generic.h"
#include "event/resolve.h"

struct event_list {
	struct event_machine machine;
	struct event *items;
	size_t count, capacity;
};

struct event_list *event_list_create_in(const struct event_roots *roots)
{
	struct event_list *list = memory_zeroed(1, sizeof(*list));

	event_machine_init(&list->machine, roots);
	return list;
}

struct event_list *event_list_create(void)
{
	return event_list_create_in(&(struct event_roots){ 0 });
}

void event_list_destroy(struct event_list *list)
{
	if (!list)
		return;
	free(list->items);
	event_machine_release(&list->machine);
	free(list);
}

size_t event_list_count(const struct event_list *list)
{
	return list->count;
}

const struct event *event_list_at(const struct event_list *list, size_t index)
{
	return &list->items[index];
}

struct event *event_list_edit(struct event_list *list, size_t index)
{
	return &list->items[index];
}

/* Where the parser is; text is the whole, for the place in messages. */
struct cursor {
	const char *text, *at;
};

static struct error *syntax_error(const struct cursor *cursor, const char *what)
{
	return error_hint(error_new(ERROR_USAGE, "event syntax: %s at column %zu of '%s'", what,
				    (size_t)(cursor->at - cursor->text) + 1, cursor->text),
			  "events are separated by ',', groups are {a,b}; see perfmini-events(5)");
}

static void skip_spaces(struct cursor *cursor)
{
	while (isspace((unsigned char)*cursor->at))
		cursor->at++;
}

/* Length of one event's text: commas and braces between the slashes of a PMU belong to it. -1: a slash or
 * quote stays open. */
static ssize_t item_length(const char *at)
{
	bool breakpoint = text_starts_with(at, "mem:"), inside = false;
	char quote = 0;
	size_t i;

	for (i = 0; at[i] && (inside || quote || !strchr(",{}", at[i])); i++)
		if (quote)
			quote = at[i] == quote ? 0 : quote;
		else if (inside && (at[i] == '\'' || at[i] == '"'))
			quote = at[i];
		else if (at[i] == '/' && !breakpoint)
			inside = !inside;
	if (inside || quote)
		return -1;
	while (i && isspace((unsigned char)at[i - 1]))
		i--;
	return (ssize_t)i;
}

/* Shown name: the text, or its name= term with the text's modifiers. */
static const char *shown_name(struct arena *arena, const char *text, const char *term)
{
	const char *slash = strrchr(text, '/');

	if (!term)
		return arena_strdup(arena, text);
	slash += slash[1] == ':';

	auto_free char *named = memory_format(slash[1] ? "%s:%s" : "%s%s", term, slash + 1);

	return arena_strdup(arena, named);
}

static void list_append(struct event_list *list, const struct event_found *found, const char *text)
{
	const char *name = shown_name(list->machine.arena, text, found->name);
	size_t first = list->count;

	for (size_t i = 0; i < found->count; i++) {
		array_grow(&list->items, list->count, &list->capacity);

		struct event *event = &list->items[list->count];

		*event = found->items[i];
		event->name = name;
		event->leader = list->count;
		event->merge = first;
		list->count++;
	}
}

static struct error *parse_event(struct event_list *list, struct cursor *cursor, const struct modifiers *group)
{
	cleanup(event_found_release) struct event_found found = { .modifiers = *group };
	ssize_t length = item_length(cursor->at);

	if (length < 0)
		return syntax_error(cursor, "'/' or quote without its end");
	if (!length)
		return syntax_error(cursor, *cursor->at ? "event expected" : "event expected after the end");

	auto_free char *text = memory_strndup(cursor->at, (size_t)length);
	struct error *err = event_resolve(&list->machine, text, &found);

	if (err)
		return err;
	cursor->at += length;
	skip_spaces(cursor);
	list_append(list, &found, text);
	return NULL;
}

static struct error *expect_more(struct cursor *cursor, const char *ends, bool *more)
{
	skip_spaces(cursor);
	*more = *cursor->at == ',';
	if (!*more && !strchr(ends, *cursor->at))
		return syntax_error(cursor, "',' expected");
	cursor->at += *more;
	skip_spaces(cursor);
	return NULL;
}

/* Letters after a group's brace, found before its members are read: they are added to theirs. */
static struct error *group_modifiers(const struct cursor *cursor, struct modifiers *ret)
{
	struct cursor look = *cursor;
	struct error *err;
	ssize_t length;

	while (*look.at && *look.at != '}') {
		length = item_length(look.at);
		if (length < 0)
			return syntax_error(&look, "'/' or quote without its end");
		if (look.at[length] == '{')
			return syntax_error(&look, "group inside a group");
		look.at += length;
		skip_spaces(&look);
		look.at += *look.at == ',';
		skip_spaces(&look);
	}
	if (!*look.at)
		return syntax_error(cursor, "group without its '}'");
	if (look.at[1] != ':')
		return NULL;
	err = modifiers_parse(look.at + 2, strcspn(look.at + 2, ", \t\n"), ret);
	ret->any = false;
	return err;
}

/* One leader a PMU: the counters of a hybrid CPU's two kinds cannot be one group. */
static size_t leader_for(const struct event_list *list, size_t first, size_t index)
{
	const char *pmu = list->items[index].pmu;

	for (size_t i = first; i < index; i++) {
		const char *other = list->items[i].pmu;

		if (list->items[i].leader == i && (pmu == other || (pmu && other && !strcmp(pmu, other))))
			return i;
	}
	return index;
}

/* Software events join any group; those of a second core PMU begin one beside the first. Only a leader may be pinned
 * or exclusive: the kernel refuses a member that is. */
static void form_group(struct event_list *list, size_t first)
{
	bool hybrid = false;

	for (size_t i = first; i < list->count; i++)
		hybrid |= list->items[i].merge != i;
	for (size_t i = first + 1; i < list->count; i++) {
		struct event *event = &list->items[i];

		event->leader = hybrid ? leader_for(list, first, i) : first;
		if (event->leader != i)
			event->attr.pinned = event->attr.exclusive = 0;
	}
}

static struct error *parse_group(struct event_list *list, struct cursor *cursor)
{
	struct modifiers modifiers = { 0 };
	size_t first = list->count;
	bool more;
	struct error *err;

	cursor->at++;
	skip_spaces(cursor);
	if (*cursor->at == '}')
		return syntax_error(cursor, "empty group");
	err = group_modifiers(cursor, &modifiers);
	do {
		if (!err)
			err = parse_event(list, cursor, &modifiers);
		if (!err)
			err = expect_more(cursor, "}", &more);
		if (err)
			return err;
	} while (more);
	if (*cursor->at != '}')
		return syntax_error(cursor, "group without its '}'");
	form_group(list, first);
	cursor->at++;
	if (*cursor->at == ':')
		cursor->at += strcspn(cursor->at, ", \t\n");
	return NULL;
}

static struct error *parse_list(struct event_list *list, struct cursor *cursor)
{
	const struct modifiers none = { 0 };
	bool more;

	skip_spaces(cursor);
	do {
		struct error *err = *cursor->at == '{' ? parse_group(list, cursor) : parse_event(list, cursor, &none);

		if (!err)
			err = expect_more(cursor, "", &more);
		if (err)
			return err;
	} while (more);
	return NULL;
}

struct error *event_list_add(struct event_list *list, const char *text)
{
	struct cursor cursor = { text, text };
	size_t before = list->count;
	struct error *err = parse_list(list, &cursor);

	if (err)
		list->count = before;
	return err;
}

bool event_is(const struct event *event, const char *name)
{
	size_t length = strcspn(event->name, ":");
	struct generic_event generic;

	if (!strcmp(event->name, name) || (strlen(name) == length && !strncmp(event->name, name, length)))
		return true;
	return generic_find(name, strlen(name), &generic) && generic.type == event->attr.type &&
	       generic.config == (event->attr.config & UINT32_MAX);
}
