/* Asking each source of names in turn. */
#include "event/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "event/alias.h"
#include "event/pfm.h"

void event_machine_init(struct event_machine *machine, const struct event_roots *roots)
{
	*machine = (struct event_machine){ .roots = *roots, .arena = arena_create() };
	if (!machine->roots.sys)
		machine->roots.sys = "/sys";
	if (!machine->roots.tracing)
		machine->roots.tracing = "/sys/kernel/tracing";
	if (!machine->roots.tables)
		machine->roots.tables = getenv("PERFMINI_EVENTS");
}

void event_machine_release(struct event_machine *machine)
{
	pmu_set_destroy(machine->pmus);
	alias_table_destroy(machine->aliases);
	arena_destroy(machine->arena);
}

const struct pmu_set *event_machine_pmus(struct event_machine *machine)
{
	if (!machine->pmus)
		machine->pmus = pmu_set_read(machine->roots.sys, machine->arena);
	return machine->pmus;
}

const char *event_machine_cpu(struct event_machine *machine)
{
	if (machine->roots.cpu)
		return machine->roots.cpu;
	if (!machine->cpu)
		machine->cpu = pfm_host_cpu(machine->arena);
	return machine->cpu;
}

struct event *event_found_add(struct event_found *found)
{
	array_grow(&found->items, found->count, &found->capacity);

	struct event *event = &found->items[found->count++];

	*event = (struct event){ .scale = 1, .unit = "", .attr.size = PERF_ATTR_SIZE_VER0 };
	return event;
}

void event_found_release(struct event_found *found)
{
	free(found->items);
}

/* The order in which names are looked up; the first source that knows a name has it. */
static event_source *const sources[] = {
	breakpoint_resolve, pmu_resolve, generic_resolve, raw_resolve, pmu_name_resolve, tracepoint_resolve, pfm_resolve,
};

/* The smallest published size that holds what is set. Source: PERF_ATTR_SIZE_VER*. */
static uint32_t attr_size(const struct perf_event_attr *attr)
{
	return attr->config2 ? PERF_ATTR_SIZE_VER1 : PERF_ATTR_SIZE_VER0;
}

/* PMUs outside the cores count no level apart, and refuse exclude_guest. */
static bool knows_guests(struct event_machine *machine, const struct event *event)
{
	const struct pmu_set *pmus = event_machine_pmus(machine);

	if (event->attr.type < PERF_TYPE_MAX)
		return true;
	for (size_t i = 0; i < pmus->count && event->pmu; i++)
		if (!strcmp(pmus->items[i].name, event->pmu))
			return pmus->items[i].core;
	return true;
}

static void finish(struct event_machine *machine, struct event_found *found)
{
	for (size_t i = 0; i < found->count; i++) {
		struct event *event = &found->items[i];

		modifiers_apply(&found->modifiers, knows_guests(machine, event), event);
		event->attr.size = attr_size(&event->attr);
	}
}

/* A source that does not know the name leaves found as it was; one with a hint knows more than "unknown". */
static bool try_next(const struct error *err, const struct event_found *found)
{
	return error_kind(err) == ERROR_NOT_FOUND && !found->count && !error_hint_text(err);
}

struct error *event_resolve_direct(struct event_machine *machine, const char *text, struct event_found *found)
{
	const struct modifiers group = found->modifiers;

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		struct error *err = sources[i](machine, text, found);

		if (!err || !try_next(err, found))
			return err;
		error_destroy(err);
		found->modifiers = group;
	}
	return event_unknown(machine, text);
}

struct error *event_resolve(struct event_machine *machine, const char *text, struct event_found *found)
{
	struct error *err = alias_resolve(machine, text, found);

	if (err && try_next(err, found)) {
		error_destroy(err);
		err = event_resolve_direct(machine, text, found);
	}
	if (!err)
		finish(machine, found);
	return err;
}
