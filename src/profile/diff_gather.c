/* A side of a diff: its recordings, its functions, and what each cost in each run. */
#include "profile/diff_gather.h"

#include <string.h>

#include "profile/diff_gather_private.h"

uint32_t gathering_item(struct gathering *gathering, const struct pair_item *item, struct binary *binary)
{
	uint64_t key[4] = { (uintptr_t)item->object, (uintptr_t)item->build_id, (uintptr_t)item->name, item->start };
	size_t known = gathering->item_keys.count;
	uint32_t number = tuples_intern(&gathering->item_keys, key);

	if (number < known)
		return number;
	array_grow(&gathering->items, known, &gathering->item_capacity);
	array_grow(&gathering->binaries, known, &gathering->binary_capacity);
	gathering->items[known] = *item;
	gathering->binaries[known] = binary;
	gathering->item_count = known + 1;
	return number;
}

/* An event that not every recording has cannot be compared over runs. */
static void drop_partial_events(struct gathering *gathering, const size_t *seen)
{
	size_t kept = 0;
	auto_free uint32_t *renumbered = memory_zeroed(gathering->event_count, sizeof(*renumbered));

	for (size_t i = 0; i < gathering->event_count; i++) {
		renumbered[i] = seen[i] == gathering->setup.path_count ? (uint32_t)kept : UINT32_MAX;
		if (renumbered[i] != UINT32_MAX)
			gathering->events[kept++] = gathering->events[i];
	}
	gathering->event_count = kept;
	kept = 0;
	for (size_t i = 0; i < gathering->cell_count; i++) {
		struct gathered_cell cell = gathering->cells[i];

		cell.event = renumbered[cell.event];
		if (cell.event != UINT32_MAX)
			gathering->cells[kept++] = cell;
	}
	gathering->cell_count = kept;
}

/* In how many recordings each event is; the caller frees. */
static size_t *count_appearances(const struct gathering *gathering)
{
	size_t runs = gathering->setup.path_count;
	size_t *seen = memory_zeroed(gathering->event_count, sizeof(*seen));
	auto_free bool *marks = memory_zeroed(gathering->event_count * runs, sizeof(*marks));

	for (size_t i = 0; i < gathering->cell_count; i++)
		marks[gathering->cells[i].event * runs + gathering->cells[i].run] = true;
	for (size_t i = 0; i < gathering->event_count; i++)
		for (size_t run = 0; run < runs; run++)
			seen[i] += marks[i * runs + run];
	return seen;
}

static struct gathering *gathering_new(const struct gather_setup *setup)
{
	struct gathering *gathering = memory_zeroed(1, sizeof(*gathering));

	gathering->setup = *setup;
	gathering->names = intern_create();
	gathering->recordings = memory_zeroed(setup->path_count, sizeof(*gathering->recordings));
	gathering->item_keys.words = 4;
	gathering->site_keys.words = 2;
	return gathering;
}

static struct error *load_all(struct gathering *gathering)
{
	struct error *err = NULL;

	for (size_t run = 0; !err && run < gathering->setup.path_count; run++)
		err = gathering_load(gathering, run);
	return err;
}

struct error *gathering_create(const struct gather_setup *setup, struct gathering **ret)
{
	cleanup(gathering_guard) struct gathering *gathering = gathering_new(setup);
	struct error *err = load_all(gathering);

	if (err)
		return err;
	if (setup->path_count > 1) {
		auto_free size_t *seen = count_appearances(gathering);

		drop_partial_events(gathering, seen);
	}
	*ret = take(gathering);
	return NULL;
}

size_t gathering_events(const struct gathering *gathering, const struct gathered_event **ret)
{
	*ret = gathering->events;
	return gathering->event_count;
}

size_t gathering_recordings(const struct gathering *gathering, const struct recording **ret)
{
	*ret = gathering->recordings;
	return gathering->setup.path_count;
}

/* PMU types above the fixed ones are numbered by each kernel anew: there the name says more. */
static bool same_source(const struct gathered_event *a, const struct gathered_event *b)
{
	if (a->attr.type < PERF_TYPE_MAX && a->attr.type != PERF_TYPE_TRACEPOINT)
		return a->attr.type == b->attr.type && a->attr.config == b->attr.config;
	return b->attr.type >= PERF_TYPE_TRACEPOINT && !strcmp(a->name, b->name);
}

static bool same_event(const struct gathered_event *a, const struct gathered_event *b, bool user_only)
{
	const struct perf_event_attr *x = &a->attr, *y = &b->attr;

	return same_source(a, b) && x->config1 == y->config1 && x->config2 == y->config2 &&
	       x->exclude_user == y->exclude_user && x->exclude_idle == y->exclude_idle &&
	       (user_only || (x->exclude_kernel == y->exclude_kernel && x->exclude_guest == y->exclude_guest));
}

size_t gathering_find_event(const struct gathering *gathering, const struct gathered_event *event)
{
	for (size_t i = 0; i < gathering->event_count; i++)
		if (same_event(&gathering->events[i], event, gathering->setup.user_only))
			return i;
	return SIZE_MAX;
}

struct diff_side gathering_side(struct gathering *gathering, const struct gathering *other, size_t event)
{
	size_t runs = gathering->setup.path_count;

	gathering_describe(gathering, other);
	free(gathering->period);
	free(gathering->samples);
	gathering->period = memory_zeroed(gathering->item_count * runs, sizeof(double));
	gathering->samples = memory_zeroed(gathering->item_count * runs, sizeof(double));
	for (size_t i = 0; i < gathering->cell_count; i++) {
		const struct gathered_cell *cell = &gathering->cells[i];
		size_t place = gathering->sites[cell->site].item * runs + cell->run;

		if (cell->event != event)
			continue;
		gathering->period[place] += cell->period;
		gathering->samples[place] += cell->samples;
	}
	return (struct diff_side){ gathering->setup.label, gathering->items, gathering->item_count, gathering->period,
				   gathering->samples, runs };
}

/* What the program and its libraries cost, by build; the kernel and the vdso are alike on one machine. */
struct build_costs {
	struct tuples builds; /* interned text of the build id */
	double *costs, total;
};

static struct build_costs sum_builds(const struct gathering *gathering, size_t event)
{
	struct build_costs sums = { .builds.words = 1 };

	sums.costs = memory_zeroed(gathering->item_count, sizeof(*sums.costs));
	for (size_t i = 0; i < gathering->cell_count; i++) {
		const struct gathered_cell *cell = &gathering->cells[i];
		const struct pair_item *item = &gathering->items[gathering->sites[cell->site].item];
		uint64_t key = (uintptr_t)item->build_id;

		if (cell->event != event || !item->build_id || item->object[0] == '[')
			continue;
		sums.costs[tuples_intern(&sums.builds, &key)] += cell->period;
		sums.total += cell->period;
	}
	return sums;
}

static void build_costs_release(struct build_costs *sums)
{
	tuples_release(&sums->builds);
	free(sums->costs);
}

static bool has_build(const struct gathering *gathering, const char *build_id)
{
	for (size_t i = 0; i < gathering->item_count; i++)
		if (gathering->items[i].build_id && !strcmp(gathering->items[i].build_id, build_id))
			return true;
	return false;
}

/* A build that costs less is no reason to call two sides different. */
static const double telling_share = 0.01;

static bool builds_are_in(const struct gathering *gathering, size_t event, const struct gathering *other)
{
	cleanup(build_costs_release) struct build_costs sums = sum_builds(gathering, event);

	for (size_t i = 0; i < sums.builds.count; i++)
		if (sums.costs[i] >= telling_share * sums.total &&
		    !has_build(other, (const char *)(uintptr_t)*tuples_at(&sums.builds, i)))
			return false;
	return sums.builds.count > 0;
}

bool gatherings_same_builds(const struct gathering *a, const struct gathering *b, size_t a_event, size_t b_event)
{
	return builds_are_in(a, a_event, b) && builds_are_in(b, b_event, a);
}

void gathering_destroy(struct gathering *gathering)
{
	if (!gathering)
		return;
	intern_destroy(gathering->names);
	tuples_release(&gathering->item_keys);
	tuples_release(&gathering->site_keys);
	free(gathering->recordings);
	free(gathering->events);
	free(gathering->items);
	free(gathering->binaries);
	free(gathering->sites);
	free(gathering->cells);
	free(gathering->period);
	free(gathering->samples);
	free(gathering);
}
