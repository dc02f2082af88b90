/* Rows into entries. Each distinct row is looked at once, whatever number of samples it stands for. */
#include "profile/entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What building needs beside its result. */
struct builder {
	struct entries *entries;
	const struct profile *profile;
	uint32_t *stamps; /* [entries] row + 1 that touched it last: recursion counts once */
	size_t stamp_capacity;
	size_t total_capacity;
	size_t member;
	const struct row_total *total;
};

struct frame_buffer {
	uint32_t *places, *sites;
	size_t count, capacity;
};

/* One buffer an entries object; kept behind it. */
struct entries_private {
	struct entries public;
	struct frame_buffer frames;
};

static struct frame_buffer *buffer_of(struct entries *entries)
{
	return &((struct entries_private *)entries)->frames;
}

static void buffer_push(struct frame_buffer *buffer, uint32_t place, uint32_t site)
{
	if (buffer->count == buffer->capacity) {
		buffer->capacity = buffer->capacity ? buffer->capacity * 2 : 256;
		buffer->places = memory_resize(buffer->places, buffer->capacity, sizeof(*buffer->places));
		buffer->sites = memory_resize(buffer->sites, buffer->capacity, sizeof(*buffer->sites));
	}
	buffer->places[buffer->count] = place;
	buffer->sites[buffer->count++] = site;
}

static void reverse(uint32_t *items, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		uint32_t swapped = items[i];

		items[i] = items[count - 1 - i];
		items[count - 1 - i] = swapped;
	}
}

size_t entries_chain(struct entries *entries, size_t row, const uint32_t **ret)
{
	struct frame_buffer *buffer = buffer_of(entries);
	const struct profile *profile = resolver_profile(entries->resolver);
	uint32_t stack = (uint32_t)row_word(profile, row, ROW_STACK);

	buffer->count = 0;
	while (stack) {
		struct stack_node node = stack_at(profile, stack);
		const uint32_t *frames;
		size_t count = resolver_frames(entries->resolver, node.site, &frames);

		for (size_t i = 0; i < count; i++)
			if (!entries->setup->filter.hide_unresolved ||
			    resolver_place_at(entries->resolver, frames[i])->function)
				buffer_push(buffer, frames[i], node.site);
		stack = node.caller;
	}
	if (entries->setup->caller_first) {
		reverse(buffer->places, buffer->count);
		reverse(buffer->sites, buffer->count);
	}
	*ret = buffer->places;
	return buffer->count;
}

static bool listed(const char *name, const char *const *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (name && !strcmp(items[i], name))
			return true;
	return !count;
}

static bool is_filtered(const struct builder *builder, size_t row, uint32_t place_number)
{
	const struct entry_filter *filter = &builder->entries->setup->filter;
	const struct place *place = resolver_place_at(builder->entries->resolver, place_number);
	const struct object *object = &builder->profile->objects->items[place->object];
	const char *comm = (const char *)(uintptr_t)row_word(builder->profile, row, ROW_COMM);
	const char *name = place_name(place);

	if (place->mark == 'g' || place->mark == 'u')
		return true;
	if (!listed(comm, filter->comms, filter->comm_count))
		return true;
	if (!listed(object->shown, filter->objects, filter->object_count) &&
	    !listed(object->path, filter->objects, filter->object_count))
		return true;
	if (!listed(name, filter->symbols, filter->symbol_count) &&
	    !(place->function && listed(place->function->name, filter->symbols, filter->symbol_count)))
		return true;
	return filter->symbol_part && (!name || !strstr(name, filter->symbol_part));
}

static void make_room(struct builder *builder)
{
	struct entries *entries = builder->entries;
	size_t old = builder->stamp_capacity;

	array_grow(&entries->items, entries->count, &entries->capacity);
	if (entries->count < old)
		return;
	builder->stamp_capacity = old ? old * 2 : 64;
	builder->stamps = memory_resize(builder->stamps, builder->stamp_capacity, sizeof(*builder->stamps));
	entries->totals = memory_resize(entries->totals, builder->stamp_capacity * entries->members,
					sizeof(*entries->totals));
	memset(builder->stamps + old, 0, (builder->stamp_capacity - old) * sizeof(*builder->stamps));
	memset(entries->totals + old * entries->members, 0,
	       (builder->stamp_capacity - old) * entries->members * sizeof(*entries->totals));
}

static uint32_t find_entry(struct builder *builder, const struct key_source *source)
{
	struct entries *entries = builder->entries;
	bool filtered = is_filtered(builder, source->row, source->place);
	uint64_t values[32];
	size_t count = 0;

	for (; count < entries->setup->key_count; count++)
		values[count] = entries->setup->keys[count]->value(source);
	values[count] = filtered;

	uint32_t number = tuples_intern(&entries->values, values);

	if (number == entries->count) {
		make_room(builder);
		entries->items[entries->count++] = (struct entry){
			.row = (uint32_t)source->row, .place = source->place, .site = source->site,
			.is_filtered = filtered };
	}
	return number;
}

static void add_occurrence(struct builder *builder, uint32_t number, size_t row, size_t skip, size_t length)
{
	struct entries *entries = builder->entries;
	struct entry *entry = &entries->items[number];

	if (length <= skip)
		return;
	array_grow(&entries->occurrences, entries->occurrence_count, &entries->occurrence_capacity);
	entries->occurrences[entries->occurrence_count++] =
		(struct occurrence){ (uint32_t)row, (uint32_t)skip, entry->occurrences };
	entry->occurrences = (uint32_t)entries->occurrence_count;
	if (length - skip > entry->depth)
		entry->depth = (uint32_t)(length - skip);
}

static struct entry_total *total_of(struct builder *builder, uint32_t number)
{
	return &builder->entries->totals[number * builder->entries->members + builder->member];
}

/* An entry for each frame above the row's own. */
static void add_children(struct builder *builder, size_t row, const uint32_t *places, size_t length)
{
	const uint32_t *sites = buffer_of(builder->entries)->sites;

	for (size_t i = 0; i < length; i++) {
		struct key_source source = { builder->entries->resolver, row, sites[i], places[i],
					     builder->entries->setup->parent };
		uint32_t number = find_entry(builder, &source);

		if (builder->stamps[number] == row + 1)
			continue;
		builder->stamps[number] = (uint32_t)row + 1;
		total_of(builder, number)->children += builder->total->period;
		add_occurrence(builder, number, row, i, length);
	}
}

static void add_row(struct builder *builder, size_t row)
{
	struct entries *entries = builder->entries;
	uint32_t site = row_site(builder->profile, row);
	struct key_source source = { entries->resolver, row, site, resolver_place(entries->resolver, site),
				     entries->setup->parent };
	const uint32_t *places;

	if (entries->setup->filter.hide_unresolved &&
	    !resolver_place_at(entries->resolver, source.place)->function)
		return;

	uint32_t number = find_entry(builder, &source);
	struct entry_total *total = total_of(builder, number);
	size_t length = entries_chain(entries, row, &places);

	builder->stamps[number] = (uint32_t)row + 1;
	total->samples += builder->total->samples;
	total->period += builder->total->period;
	total->children += builder->total->period;
	entries->sums[builder->member].samples += builder->total->samples;
	entries->sums[builder->member].period += builder->total->period;
	if (!entries->items[number].is_filtered) {
		entries->shown_sums[builder->member].samples += builder->total->samples;
		entries->shown_sums[builder->member].period += builder->total->period;
	}
	add_occurrence(builder, number, row, 0, length);
	if (entries->setup->children)
		add_children(builder, row, places, length);
}

static int compare_totals(const struct entries *entries, uint32_t a, uint32_t b)
{
	const struct entry_total *left = entry_totals(entries, a), *right = entry_totals(entries, b);
	bool children = entries->setup->children;

	for (size_t i = 0; children && i < entries->members; i++)
		if (left[i].children != right[i].children)
			return left[i].children > right[i].children ? -1 : 1;
	if (children && entries->items[a].depth != entries->items[b].depth) {
		bool deeper = entries->items[a].depth > entries->items[b].depth;

		return deeper == entries->setup->caller_first ? -1 : 1;
	}
	for (size_t i = 0; i < entries->members; i++)
		if (left[i].period != right[i].period)
			return left[i].period > right[i].period ? -1 : 1;
	return 0;
}

static int compare_entries(const void *left, const void *right, void *data)
{
	const struct entries *entries = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = compare_totals(entries, a, b);

	for (size_t i = 0; !order && i < entries->setup->key_count; i++)
		order = sort_key_compare(entries->setup->keys[i], entries->resolver, entry_values(entries, a)[i],
					 entry_values(entries, b)[i]);
	return order ? order : (a < b ? -1 : a > b);
}

static void sort_entries(struct entries *entries)
{
	entries->order = memory_alloc((entries->count + 1) * sizeof(*entries->order));
	for (size_t i = 0; i < entries->count; i++)
		if (!entries->items[i].is_filtered)
			entries->order[entries->shown++] = (uint32_t)i;
	qsort_r(entries->order, entries->shown, sizeof(*entries->order), compare_entries, entries);
}

static size_t count_members(const struct profile *profile, const struct entry_setup *setup)
{
	size_t members = 0;

	for (size_t i = setup->event; setup->group && i < profile->event_count; i++)
		members += profile->events[i].leader == setup->event;
	return members ? members : 1;
}

struct entries *entries_create(struct resolver *resolver, const struct entry_setup *setup)
{
	struct entries_private *owner = memory_zeroed(1, sizeof(*owner));
	struct entries *entries = &owner->public;
	const struct profile *profile = resolver_profile(resolver);
	struct builder builder = { .entries = entries, .profile = profile };

	entries->setup = setup;
	entries->resolver = resolver;
	entries->values.words = setup->key_count + 1;
	entries->members = count_members(profile, setup);
	entries->sums = memory_zeroed(2 * entries->members, sizeof(*entries->sums));
	entries->shown_sums = entries->sums + entries->members;
	for (size_t row = 0; row < profile->rows.count; row++) {
		uint32_t event = row_event(profile, row);

		if (event < setup->event || event >= setup->event + entries->members)
			continue;
		builder.member = event - setup->event;
		builder.total = &profile->totals[row];
		add_row(&builder, row);
	}
	free(builder.stamps);
	sort_entries(entries);
	return entries;
}

void entries_destroy(struct entries *entries)
{
	if (!entries)
		return;

	struct entries_private *owner = (struct entries_private *)entries;

	tuples_release(&entries->values);
	free(entries->items);
	free(entries->order);
	free(entries->totals);
	free(entries->sums);
	free(entries->occurrences);
	free(owner->frames.places);
	free(owner->frames.sites);
	free(owner);
}
