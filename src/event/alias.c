/* The alias table, and resolving a name by it. */
#include "event/alias.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "event/generic.h"
#include "event/resolve.h"
#include "event/table.h"

extern const char events_aliases_tsv[];

struct alias_table {
	struct table table;
	struct alias *rows;
};

enum { ALIAS_COLUMNS = sizeof(struct alias) / sizeof(char *) };

struct error *alias_table_load(const char *directory, struct alias_table **ret)
{
	struct table table;
	struct error *err = table_load(directory, "aliases", events_aliases_tsv, ALIAS_COLUMNS, &table);

	if (err)
		return err;

	struct alias_table *aliases = memory_zeroed(1, sizeof(*aliases));

	aliases->table = table;
	aliases->rows = memory_zeroed(table.count, sizeof(*aliases->rows));
	for (size_t i = 0; i < table.count; i++) {
		char **fields = table.rows[i].fields;

		aliases->rows[i] =
			(struct alias){ fields[0], fields[1], fields[2], fields[3], fields[4], fields[5] };
	}
	*ret = aliases;
	return NULL;
}

size_t alias_count(const struct alias_table *table)
{
	return table->table.count;
}

const struct alias *alias_at(const struct alias_table *table, size_t index)
{
	return &table->rows[index];
}

const struct alias *alias_find(const struct alias_table *table, const char *name, const char *cpu)
{
	for (size_t i = 0; i < table->table.count; i++)
		if (!strcmp(table->rows[i].name, name) && table_cpu_matches(table->rows[i].cpu, cpu))
			return &table->rows[i];
	return NULL;
}

void alias_table_destroy(struct alias_table *table)
{
	if (!table)
		return;
	table_release(&table->table);
	free(table->rows);
	free(table);
}

static bool has_name(const struct alias_table *table, const char *name)
{
	for (size_t i = 0; i < table->table.count; i++)
		if (!strcmp(table->rows[i].name, name))
			return true;
	return false;
}

/* The kernel's own event goes before an alias where the kernel maps it: sysfs lists it then. */
static bool kernel_maps(struct event_machine *machine, const char *name)
{
	const struct pmu_set *pmus = event_machine_pmus(machine);
	struct pmu_event known;

	for (size_t i = 0; i < pmus->core_count; i++)
		if (pmu_event_find(&pmus->items[i], name, machine->arena, &known))
			return true;
	return false;
}

/* Without a core PMU no alias can count, and the CPU need not be known. */
static bool has_no_pmu(struct event_machine *machine)
{
	return !machine->roots.cpu && !machine->roots.any_cpu && !event_machine_pmus(machine)->core_count;
}

static struct error *alias_expand(struct event_machine *machine, const struct alias *alias, const char *modifiers,
				  struct event_found *found)
{
	auto_free char *event = memory_format(*modifiers ? "%s:%s" : "%s%s", alias->event, modifiers);
	size_t first = found->count;
	struct error *err = event_resolve_direct(machine, event, found);

	if (err)
		return error_wrap(err, "alias %s", alias->name);
	for (size_t i = first; i < found->count; i++)
		found->items[i].note = arena_strdup(machine->arena, alias->event);
	return NULL;
}

struct error *alias_resolve(struct event_machine *machine, const char *text, struct event_found *found)
{
	size_t length = strcspn(text, ":/");
	auto_free char *name = memory_strndup(text, length);
	struct generic_event generic;

	if (text[length] == '/' || text_starts_with(text + length, "::"))
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	/* Most generic names have no alias anywhere: spare them the table and the CPU's name. */
	if (generic_find(name, length, &generic) &&
	    (generic.type == PERF_TYPE_SOFTWARE || has_no_pmu(machine) || kernel_maps(machine, name)))
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	if (!machine->aliases) {
		struct error *err = alias_table_load(machine->roots.tables, &machine->aliases);

		if (err)
			return err;
	}

	/* Most names have no row at all: spare them libpfm4, which finds the CPU's name. */
	const struct alias *alias = has_name(machine->aliases, name)
					    ? alias_find(machine->aliases, name, event_machine_cpu(machine))
					    : NULL;

	if (!alias)
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	return alias_expand(machine, alias, text[length] ? text + length + 1 : "", found);
}
