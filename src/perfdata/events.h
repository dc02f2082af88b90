/* The events of a recording, and which of them a record belongs to. */
#ifndef PERFDATA_EVENTS_H
#define PERFDATA_EVENTS_H

#include <stdbool.h>
#include <string.h>

#include "perfdata/reader.h"

/* An event with what the reader owns of it; places are stable. */
struct event_entry {
	struct perfdata_event event;
	uint64_t *ids;
	size_t id_capacity;
	char *name;
};

struct event_slot {
	uint64_t id;
	size_t index; /* of the event, + 1; 0: free */
};

struct event_table {
	struct event_entry **items;
	size_t count, capacity;
	struct event_slot *slots; /* open addressing */
	size_t slot_count, slots_used;
	bool defers;              /* some event's call chains come in CALLCHAIN_DEFERRED records */
	bool same_place;          /* every event has its id at id_at and tail_id */
	int16_t id_at;
	uint8_t tail_id;
	uint64_t last_id;         /* most records follow one of the same event */
	size_t last_index;
};

/* Add an event; attr in native order. Returns its index. */
size_t event_table_add(struct event_table *table, const struct perf_event_attr *attr);
void event_table_add_id(struct event_table *table, size_t index, uint64_t id);
/* SIZE_MAX: nobody declared it. */
size_t event_table_find_id(struct event_table *table, uint64_t id);
void event_table_name(struct event_table *table, size_t index, const char *name, size_t length);
/* The event of a SAMPLE, or of another kernel record, in file order; SIZE_MAX: none, or undeclared. */
size_t event_table_of_sample(struct event_table *table, const void *body, size_t size, bool swapped);
size_t event_table_of_other(struct event_table *table, const void *body, size_t size, bool swapped);
void event_table_release(struct event_table *table);

/* "cycles:u", "cpu-clock", "raw 0x1a8": from type and config alone; the caller frees. */
char *attr_name(const struct perf_event_attr *attr);

#endif
