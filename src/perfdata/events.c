/* The events of a recording, and which of them a record belongs to. */
#include "perfdata/events.h"

#include "base/hash.h"
#include "base/memory.h"
#include "perfdata/byteorder.h"
#include "perfdata/deferral.h"

static void note_place(struct event_table *table, const struct sample_layout *layout)
{
	if (table->count == 1) {
		table->same_place = true;
		table->id_at = layout->id;
		table->tail_id = layout->tail_id;
	} else if (layout->id != table->id_at || layout->tail_id != table->tail_id) {
		table->same_place = false;
	}
}

size_t event_table_add(struct event_table *table, const struct perf_event_attr *attr)
{
	struct event_entry *entry = memory_zeroed(1, sizeof(*entry));

	entry->event.attr = *attr;
	entry->name = attr_name(attr);
	entry->event.name = entry->name;
	sample_layout_init(&entry->event.layout, attr);
	array_grow(&table->items, table->count, &table->capacity);
	table->items[table->count++] = entry;
	note_place(table, &entry->event.layout);
	table->defers |= deferral_wanted(attr);
	return table->count - 1;
}

static struct event_slot *find_slot(const struct event_table *table, uint64_t id)
{
	size_t mask = table->slot_count - 1;
	size_t at = hash_word(id) & mask;

	while (table->slots[at].index && table->slots[at].id != id)
		at = (at + 1) & mask;
	return &table->slots[at];
}

static void grow_slots(struct event_table *table)
{
	struct event_slot *old = table->slots;
	size_t old_count = table->slot_count;

	table->slot_count = old_count ? old_count * 2 : 64;
	table->slots = memory_zeroed(table->slot_count, sizeof(*table->slots));
	for (size_t i = 0; i < old_count; i++) {
		if (old[i].index)
			*find_slot(table, old[i].id) = old[i];
	}
	free(old);
}

void event_table_add_id(struct event_table *table, size_t index, uint64_t id)
{
	struct event_entry *entry = table->items[index];

	if (table->slots_used * 2 >= table->slot_count)
		grow_slots(table);

	struct event_slot *slot = find_slot(table, id);

	if (slot->index)
		return;
	*slot = (struct event_slot){ id, index + 1 };
	table->slots_used++;
	array_grow(&entry->ids, entry->event.id_count, &entry->id_capacity);
	entry->ids[entry->event.id_count++] = id;
	entry->event.ids = entry->ids;
}

size_t event_table_find_id(struct event_table *table, uint64_t id)
{
	if (!table->slot_count)
		return SIZE_MAX;
	return find_slot(table, id)->index - 1;
}

static size_t find_cached(struct event_table *table, uint64_t id)
{
	if (id == table->last_id && table->last_index)
		return table->last_index - 1;
	/* What a recorder made up itself, tasks that were already there, has no id. */
	if (!id)
		return 0;

	size_t index = event_table_find_id(table, id);

	table->last_id = id;
	table->last_index = index + 1;
	return index;
}

/* Events with their ids at different places: the one whose own place holds its own id. */
static size_t search_sample(struct event_table *table, const void *body, size_t size, bool swapped)
{
	for (size_t i = 0; i < table->count; i++) {
		int16_t at = table->items[i]->event.layout.id;

		if (at < 0 || size < (size_t)at + 8)
			continue;
		if (event_table_find_id(table, get_u64((const char *)body + at, swapped)) == i)
			return i;
	}
	return SIZE_MAX;
}

static size_t search_other(struct event_table *table, const void *body, size_t size, bool swapped)
{
	for (size_t i = 0; i < table->count; i++) {
		uint8_t back = table->items[i]->event.layout.tail_id;

		if (!back || size < back)
			continue;
		if (event_table_find_id(table, get_u64((const char *)body + size - back, swapped)) == i)
			return i;
	}
	return 0;
}

size_t event_table_of_sample(struct event_table *table, const void *body, size_t size, bool swapped)
{
	if (table->count <= 1)
		return table->count - 1;
	if (!table->same_place)
		return search_sample(table, body, size, swapped);
	if (table->id_at < 0)
		return 0;
	if (size < (size_t)table->id_at + 8)
		return SIZE_MAX;
	return find_cached(table, get_u64((const char *)body + table->id_at, swapped));
}

size_t event_table_of_other(struct event_table *table, const void *body, size_t size, bool swapped)
{
	if (table->count <= 1)
		return table->count - 1;
	if (!table->same_place)
		return search_other(table, body, size, swapped);
	if (!table->tail_id)
		return 0;
	if (size < table->tail_id)
		return SIZE_MAX;
	return find_cached(table, get_u64((const char *)body + size - table->tail_id, swapped));
}

void event_table_name(struct event_table *table, size_t index, const char *name, size_t length)
{
	struct event_entry *entry = table->items[index];
	size_t end = strnlen(name, length);

	if (!end)
		return;
	free(entry->name);
	entry->name = memory_strndup(name, end);
	entry->event.name = entry->name;
}

void event_table_release(struct event_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		free(table->items[i]->ids);
		free(table->items[i]->name);
		free(table->items[i]);
	}
	free(table->items);
	free(table->slots);
	*table = (struct event_table){ 0 };
}
