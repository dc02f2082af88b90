/* A name no source knows: which known names are near it. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "event/alias.h"
#include "event/generic.h"
#include "event/pfm.h"
#include "event/resolve.h"

struct names {
	const char **items;
	size_t count, capacity;
	struct arena *arena;
};

static void names_release(struct names *names)
{
	free(names->items);
}

static void names_add(struct names *names, const char *name)
{
	array_grow(&names->items, names->count, &names->capacity);
	names->items[names->count++] = name;
}

static void add_cache(const char *name, uint64_t config unused, void *closure)
{
	struct names *names = closure;

	names_add(names, arena_strdup(names->arena, name));
}

static void add_pfm(const struct pfm_event *event, void *closure)
{
	names_add(closure, event->name);
}

static void add_sysfs(struct event_machine *machine, struct names *names)
{
	const struct pmu_set *pmus = event_machine_pmus(machine);

	for (size_t i = 0; i < pmus->count; i++)
		for (const char **name = pmu_event_names(&pmus->items[i], machine->arena); *name; name++)
			names_add(names, *name);
}

static void add_all(struct event_machine *machine, struct names *names)
{
	for (size_t i = 0; i < generic_count(); i++) {
		names_add(names, generic_at(i)->name);
		if (generic_at(i)->alias)
			names_add(names, generic_at(i)->alias);
	}
	generic_each_cache(add_cache, names);
	for (size_t i = 0; machine->aliases && i < alias_count(machine->aliases); i++)
		names_add(names, alias_at(machine->aliases, i)->name);
	add_sysfs(machine, names);
	pfm_each_event(false, add_pfm, names);
}

static void drop(struct names *names, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name))
			names->items[kept++] = names->items[i];
	names->count = kept;
}

enum { NEAR_NAMES = 3 };

/* "a, b or c"; empty when none is near. */
static void near_names(const char *word, struct names *names, struct text *out)
{
	const char *near[NEAR_NAMES];
	size_t count = 0;

	while (count < NEAR_NAMES && (near[count] = text_nearest(word, names->items, names->count)))
		drop(names, near[count++]);
	for (size_t i = 0; i < count; i++)
		text_format(out, "%s%s", !i ? "" : i + 1 == count ? " or " : ", ", near[i]);
}

static struct error *unknown_pmu(struct event_machine *machine, const char *text)
{
	const struct pmu_set *pmus = event_machine_pmus(machine);
	auto_text struct text known = { 0 };

	for (size_t i = 0; i < pmus->count; i++)
		text_format(&known, " %s", pmus->items[i].name);
	return error_hint(error_new(ERROR_NOT_FOUND, "no PMU '%.*s' on this machine for event '%s'",
				    (int)strcspn(text, "/"), text, text),
			  "its PMUs are%s", known.length ? known.bytes : " none");
}

struct error *event_unknown(struct event_machine *machine, const char *text)
{
	cleanup(names_release) struct names names = { .arena = machine->arena };
	auto_free char *word = memory_strndup(text, strcspn(text, ":"));
	auto_text struct text near = { 0 };

	if (strchr(text, '/'))
		return unknown_pmu(machine, text);
	add_all(machine, &names);
	near_names(word, &names, &near);
	if (near.length)
		return error_hint(error_new(ERROR_NOT_FOUND, "unknown event '%s'", text), "did you mean %s?",
				  near.bytes);
	return error_hint(error_new(ERROR_NOT_FOUND, "unknown event '%s'", text), "'perfmini list' shows all events");
}
