/* Reading the PMUs under sysfs. Source: Linux's Documentation/ABI/testing/sysfs-bus-event_source-devices-*. */
#include "event/pmu.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

static void dir_guard(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The first line of a file of the PMU, or NULL. */
static const char *pmu_line(const char *directory, const char *file, struct arena *arena)
{
	auto_free char *path = memory_format("%s/%s", directory, file);
	auto_free char *line = NULL;
	cleanup(error_guard) struct error *err = file_read_line(path, &line);

	return err ? NULL : arena_strdup(arena, line);
}

static void pmu_read_cpus(struct pmu *pmu, struct arena *arena)
{
	const char *mask = pmu_line(pmu->directory, "cpumask", arena);
	const char *cpus = pmu_line(pmu->directory, "cpus", arena);

	pmu->cpus = mask ? mask : cpus;
	pmu->system_wide = mask != NULL;
	pmu->core = !strcmp(pmu->name, "cpu") || (cpus && !mask);
}

static void pmu_read(struct pmu_set *set, const char *devices, const char *name, struct arena *arena)
{
	auto_free char *directory = memory_format("%s/%s", devices, name);
	auto_free char *type_path = memory_format("%s/type", directory);
	long long type;

	if (!file_read_number(type_path, &type) || type < 0 || type > UINT32_MAX)
		return;
	array_grow(&set->items, set->count, &set->capacity);

	struct pmu *pmu = &set->items[set->count++];

	*pmu = (struct pmu){ .name = arena_strdup(arena, name),
			     .directory = arena_strdup(arena, directory),
			     .type = (uint32_t)type };
	pmu_read_cpus(pmu, arena);
	set->core_count += pmu->core;
}

/* cpu_core before cpu_atom: the first PMU is the one a hybrid event is shown by. */
static int compare_pmus(const void *a, const void *b)
{
	const struct pmu *one = a, *other = b;

	if (one->core != other->core)
		return one->core ? -1 : 1;
	if (one->core && one->type != other->type)
		return one->type < other->type ? -1 : 1;
	return strverscmp(one->name, other->name);
}

struct pmu_set *pmu_set_read(const char *sys, struct arena *arena)
{
	struct pmu_set *set = memory_zeroed(1, sizeof(*set));
	auto_free char *devices = memory_format("%s/bus/event_source/devices", sys);
	cleanup(dir_guard) DIR *directory = opendir(devices);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			pmu_read(set, devices, entry->d_name, arena);
	if (set->count)
		qsort(set->items, set->count, sizeof(*set->items), compare_pmus);
	return set;
}

void pmu_set_destroy(struct pmu_set *set)
{
	if (!set)
		return;
	free(set->items);
	free(set);
}

/* "uncore_imc_3" without its number, or without "uncore_" too. */
bool pmu_matches(const struct pmu *pmu, const char *name)
{
	const char *plain = text_starts_with(pmu->name, "uncore_") ? pmu->name + strlen("uncore_") : pmu->name;
	auto_free char *numbered = memory_format("%s_[0-9]*", name);

	return !strcmp(pmu->name, name) || !strcmp(plain, name) || !fnmatch(name, pmu->name, 0) ||
	       !fnmatch(numbered, pmu->name, 0) || !fnmatch(numbered, plain, 0);
}

bool pmu_event_find(const struct pmu *pmu, const char *name, struct arena *arena, struct pmu_event *ret)
{
	auto_free char *file = memory_format("events/%s", name);
	auto_free char *scale_file = memory_format("events/%s.scale", name);
	auto_free char *unit_file = memory_format("events/%s.unit", name);

	if (strchr(name, '/') || name[0] == '.' || name[0] == '\0')
		return false;

	const char *terms = pmu_line(pmu->directory, file, arena);

	if (!terms)
		return false;

	const char *scale = pmu_line(pmu->directory, scale_file, arena);
	const char *unit = pmu_line(pmu->directory, unit_file, arena);

	*ret = (struct pmu_event){ terms, scale ? strtod(scale, NULL) : 1, unit ? unit : "" };
	return true;
}

static bool is_event_file(const char *name)
{
	return name[0] != '.' && !text_ends_with(name, ".scale") && !text_ends_with(name, ".unit") &&
	       !text_ends_with(name, ".snapshot") && !text_ends_with(name, ".per-pkg");
}

static const char **sorted_files(const char *path, struct arena *arena)
{
	cleanup(dir_guard) DIR *directory = opendir(path);
	auto_free const char **names = NULL;
	size_t count = 0, capacity = 0;
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		if (!is_event_file(entry->d_name))
			continue;
		array_grow(&names, count, &capacity);
		names[count++] = arena_strdup(arena, entry->d_name);
	}
	if (count)
		qsort(names, count, sizeof(*names), compare_names);

	const char **kept = arena_alloc(arena, (count + 1) * sizeof(*kept));

	if (count)
		memcpy(kept, names, count * sizeof(*kept));
	return kept;
}

const char **pmu_event_names(const struct pmu *pmu, struct arena *arena)
{
	auto_free char *path = memory_format("%s/events", pmu->directory);

	return sorted_files(path, arena);
}

const char **pmu_format_names(const struct pmu *pmu, struct arena *arena)
{
	auto_free char *path = memory_format("%s/format", pmu->directory);

	return sorted_files(path, arena);
}
