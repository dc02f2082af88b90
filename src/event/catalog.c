/* Walking every source of names. */
#include "event/catalog.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "event/alias.h"
#include "event/generic.h"
#include "event/metric.h"
#include "event/pfm.h"
#include "event/resolve.h"

struct walk {
	struct event_machine machine;
	const struct catalog_wish *wish;
	void (*visit)(const struct catalog_entry *entry, void *closure);
	void *closure;
	bool shown; /* the entry last offered: its details follow it */
};

static void walk_guard(struct walk *walk)
{
	event_machine_release(&walk->machine);
}

static bool name_matches(const char *glob, const char *name)
{
	auto_free char *part = memory_format("*%s*", glob);

	return name && !fnmatch(part, name, FNM_CASEFOLD | FNM_EXTMATCH);
}

static void offer(struct walk *walk, const struct catalog_entry *entry)
{
	const char *glob = walk->wish->glob;

	if (entry->is_detail) {
		if (walk->shown && walk->wish->details)
			walk->visit(entry, walk->closure);
		return;
	}
	walk->shown = !glob || name_matches(glob, entry->name) || name_matches(glob, entry->alias);
	if (walk->shown)
		walk->visit(entry, walk->closure);
}

static void walk_generic(struct walk *walk, uint32_t type, const char *group)
{
	for (size_t i = 0; i < generic_count(); i++) {
		const struct generic_event *generic = generic_at(i);

		if (generic->type == type)
			offer(walk, &(struct catalog_entry){ .group = group,
							     .name = generic->name,
							     .alias = generic->alias,
							     .description = generic->description,
							     .is_event = true,
							     .counters = type == PERF_TYPE_HARDWARE });
	}
}

static void offer_cache(const char *name, uint64_t config unused, void *closure)
{
	offer(closure, &(struct catalog_entry){ .group = "Cache events", .name = name, .description = "",
						.is_event = true, .counters = 1 });
}

static struct error *walk_aliases(struct walk *walk)
{
	const char *cpu = event_machine_cpu(&walk->machine);
	struct alias_table *table = NULL;
	struct error *err = alias_table_load(walk->machine.roots.tables, &table);

	for (size_t i = 0; !err && i < alias_count(table); i++) {
		const struct alias *alias = alias_at(table, i);
		auto_free char *description = memory_format("%s: %s", alias->event, alias->description);

		if (alias_find(table, alias->name, cpu) == alias)
			offer(walk, &(struct catalog_entry){ .group = "Aliases on this CPU", .name = alias->name,
							     .description = description, .is_event = true,
							     .counters = 1 });
	}
	alias_table_destroy(table);
	return err;
}

static void walk_pmu(struct walk *walk, const struct pmu *pmu)
{
	auto_free char *group = memory_format("Events of PMU %s (sysfs)", pmu->name);
	struct arena *arena = walk->machine.arena;

	for (const char **name = pmu_event_names(pmu, arena); *name; name++) {
		auto_free char *text = memory_format("%s/%s/", pmu->name, *name);
		struct pmu_event event;

		if (pmu_event_find(pmu, *name, arena, &event))
			offer(walk, &(struct catalog_entry){ .group = group, .name = text, .description = event.terms,
							     .is_event = true, .counters = pmu->core });
	}
	if (!*pmu_format_names(pmu, arena))
		return;

	auto_free char *raw = memory_format("%s/TERM=VALUE,…/", pmu->name);

	offer(walk, &(struct catalog_entry){ .group = group, .name = raw, .description = "any event, by its terms" });
	for (const char **name = pmu_format_names(pmu, arena); *name; name++)
		offer(walk, &(struct catalog_entry){ .name = *name, .description = "term", .is_detail = true });
}

static void offer_mask(const char *name, const char *description, void *closure)
{
	offer(closure, &(struct catalog_entry){ .name = name, .description = description, .is_detail = true });
}

static void offer_pfm(const struct pfm_event *event, void *closure)
{
	struct walk *walk = closure;
	auto_free char *group = memory_format("libpfm4: %s (%s)", event->pmu_description, event->pmu);
	auto_free char *name = memory_format("%s::%s", event->pmu, event->name);

	offer(walk, &(struct catalog_entry){ .group = group, .name = name, .description = event->description,
					     .is_event = true, .counters = 1 });
	if (walk->shown && walk->wish->details)
		pfm_each_mask(event->index, offer_mask, walk);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void walk_subsystem(struct walk *walk, const char *subsystem, const char *path)
{
	struct dirent **names = NULL;
	int count = scandir(path, &names, is_visible, alphasort);

	for (int i = 0; i < count; i++) {
		auto_free char *name = memory_format("%s:%s", subsystem, names[i]->d_name);
		auto_free char *id = memory_format("%s/%s/id", path, names[i]->d_name);

		if (!access(id, F_OK))
			offer(walk, &(struct catalog_entry){ .group = "Tracepoints", .name = name, .description = "",
							     .is_event = true });
		free(names[i]);
	}
	free(names);
}

static void walk_tracepoints(struct walk *walk)
{
	auto_free char *events = memory_format("%s/events", walk->machine.roots.tracing);
	struct dirent **names = NULL;
	int count = scandir(events, &names, is_visible, alphasort);

	for (int i = 0; i < count; i++) {
		auto_free char *path = memory_format("%s/%s", events, names[i]->d_name);

		walk_subsystem(walk, names[i]->d_name, path);
		free(names[i]);
	}
	free(names);
}

static struct error *walk_metrics(struct walk *walk)
{
	struct metric_table *table = NULL;
	struct error *err = metric_table_load(&walk->machine.roots, &table);

	for (size_t i = 0; !err && i < metric_count(table); i++) {
		const struct metric *metric = metric_at(table, i);
		auto_free char *description = memory_format("%s: %s", metric->expression, metric->description);

		offer(walk, &(struct catalog_entry){ .group = "Metrics", .name = metric->name,
						     .description = description });
	}
	metric_table_destroy(table);
	return err;
}

struct error *catalog_each(const struct event_roots *roots, const struct catalog_wish *wish,
			   void (*visit)(const struct catalog_entry *entry, void *closure), void *closure)
{
	cleanup(walk_guard) struct walk walk = { .wish = wish, .visit = visit, .closure = closure };
	const struct pmu_set *pmus;
	struct error *err;

	event_machine_init(&walk.machine, roots ? roots : &(struct event_roots){ 0 });
	pmus = event_machine_pmus(&walk.machine);
	walk_generic(&walk, PERF_TYPE_SOFTWARE, "Software events");
	walk_generic(&walk, PERF_TYPE_HARDWARE, "Hardware events");
	generic_each_cache(offer_cache, &walk);
	err = walk_aliases(&walk);
	if (err)
		return err;
	for (size_t i = 0; i < pmus->count; i++)
		walk_pmu(&walk, &pmus->items[i]);
	pfm_each_event(walk.machine.roots.any_cpu, offer_pfm, &walk);
	if (wish->glob || wish->tracepoints)
		walk_tracepoints(&walk);
	return walk_metrics(&walk);
}
