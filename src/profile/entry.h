/* Entries of a report: rows put together by sort keys, resolved, with what lies below them (children). */
#ifndef PROFILE_ENTRY_H
#define PROFILE_ENTRY_H

#include "profile/resolve.h"
#include "profile/sort_key.h"

/* Names that entries must have; 0 of a kind: all pass. Borrowed. */
struct entry_filter {
	const char *const *comms, *const *objects, *const *symbols;
	size_t comm_count, object_count, symbol_count;
	const char *symbol_part;   /* must stand in the symbol's name; NULL: none */
	bool hide_unresolved;
};

struct entry_setup {
	const struct sort_key *const *keys;
	size_t key_count;
	size_t event;              /* the event, or a group's leader */
	bool group;                /* take all events of the group together */
	bool children;             /* an entry for each frame of a chain */
	bool caller_first;         /* chains from the outermost frame */
	const regex_t *parent;
	struct entry_filter filter;
};

struct entry_total {
	uint64_t samples, period; /* of its own */
	uint64_t children;        /* period of its own and of what it called; period without children */
};

/* Where an entry stands in a row's chain: skip frames of it come before. */
struct occurrence {
	uint32_t row, skip, next; /* next: occurrence number + 1; 0: last */
};

struct entry {
	uint32_t occurrences;     /* first occurrence number + 1; 0: none */
	uint32_t depth;           /* frames of its longest chain */
	uint32_t row;             /* first row seen */
	uint32_t place;           /* where that row was */
	uint32_t site;            /* where that row was */
	bool is_filtered;         /* counted in the total, not shown */
};

struct entries {
	const struct entry_setup *setup; /* borrowed */
	struct resolver *resolver;       /* borrowed */
	struct entry *items;             /* by order of entries_sort() */
	size_t count, capacity;
	struct tuples values;            /* key values of entry_number */
	uint32_t *order;                 /* [shown] numbers into items, sorted; filtered ones left out */
	size_t shown;
	size_t members;                  /* events side by side; 1 without groups */
	struct entry_total *totals;      /* [count][members] */
	struct entry_total *sums;        /* [members] of all rows, then of those shown */
	struct entry_total *shown_sums;
	struct occurrence *occurrences;
	size_t occurrence_count, occurrence_capacity;
};

struct entries *entries_create(struct resolver *resolver, const struct entry_setup *setup);
static inline const struct entry_total *entry_totals(const struct entries *entries, size_t number)
{
	return entries->totals + number * entries->members;
}
static inline const uint64_t *entry_values(const struct entries *entries, size_t number)
{
	return tuples_at(&entries->values, number);
}
/* Frames of a row's chain in the setup's order, as place numbers, into an array of the resolver's that lasts until
 * the next call. A row without chain gives none. */
size_t entries_chain(struct entries *entries, size_t row, const uint32_t **ret);
void entries_destroy(struct entries *entries);
DEFINE_GUARD(entries)

#endif
