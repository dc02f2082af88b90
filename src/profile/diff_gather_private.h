/* The inside of a gathering. */
#ifndef PROFILE_DIFF_GATHER_PRIVATE_H
#define PROFILE_DIFF_GATHER_PRIVATE_H

#include "base/intern.h"
#include "base/memory.h"
#include "profile/diff_gather.h"
#include "profile/index.h"
#include "profile/resolve.h"

/* An address that was hit in some run, and the item its cost goes to. */
struct gathered_site {
	struct binary *binary; /* NULL: none */
	uint64_t address;      /* ELF */
	uint32_t item;
};

/* What one site cost in one run. */
struct gathered_cell {
	uint32_t event, site, run;
	double period, samples;
};

struct gathering {
	struct gather_setup setup;
	struct intern *names;
	struct recording *recordings; /* [setup.path_count] */
	struct gathered_event *events;
	size_t event_count, event_capacity;
	struct pair_item *items;
	struct binary **binaries;     /* [item_count], NULL: none */
	size_t item_count, item_capacity, binary_capacity;
	struct tuples item_keys;      /* object path, build id, name, start */
	struct gathered_site *sites;
	size_t site_count, site_capacity;
	struct tuples site_keys;      /* binary or object path, address */
	struct gathered_cell *cells;
	size_t cell_count, cell_capacity;
	double *period, *samples;     /* the arrays of the last gathering_side() */
	size_t described_count;       /* items whose file and code hashes were looked for */
};

/* The item of a function, added when new; name NULL: the unresolved rest of the object. */
uint32_t gathering_item(struct gathering *gathering, const struct pair_item *item, struct binary *binary);
/* Add the cost of one recording as run number run. */
must_use struct error *gathering_load(struct gathering *gathering, size_t run);
/* Find declaring files where names are not enough, and hash the code of every item that the other side has not in the
 * same build. */
void gathering_describe(struct gathering *gathering, const struct gathering *other);

#endif
