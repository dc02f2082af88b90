/* A recording, aggregated: equal samples are one row, each distinct address is a site, each distinct call chain a
 * stack. Nothing is resolved here; profile/resolve.h names a site when it is asked for. */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "perfdata/reader.h"
#include "profile/index.h"
#include "profile/object.h"
#include "profile/space.h"

/* What tells rows apart beside event and address; ask only for what the view needs. */
enum row_field {
	ROW_SITE,      /* event << 32 | site; always there */
	ROW_STACK,     /* stack number */
	ROW_COMM,      /* const char *, interned */
	ROW_TASK,      /* pid << 32 | tid */
	ROW_PID,
	ROW_CPU,
	ROW_WEIGHT,
	ROW_BRANCH,    /* site jumped from << 32 | site jumped to; each branch of a sample is a row's, at the site jumped to */
	ROW_FIELDS,
};

/* Which samples count at all. */
struct sample_filter {
	const uint32_t *pids, *tids, *cpus;
	size_t pid_count, tid_count, cpu_count; /* 0: all */
	uint64_t first_ns, last_ns;             /* last_ns 0: no end */
};

bool sample_filter_passes(const struct sample_filter *filter, const struct sample *sample);
/* A sample on its way into a profile. */
struct profile_sample {
	const struct record *record;
	const struct sample *sample;
	size_t event;
	const struct space_view *view;
	uint32_t site, stack; /* stack 0: none */
};

struct profile;
struct profile_setup {
	uint32_t fields;         /* 1 << ROW_… */
	size_t max_stack;        /* frames; 0: 127 */
	bool force;              /* go on behind damage */
	bool group_reads;        /* give members of a leader-sampled group their counts */
	struct sample_filter filter;
	/* Called for each sample in order of time, in place of aggregating; NULL: aggregate. */
	struct error *(*each)(void *data, struct profile *profile, const struct profile_sample *sample);
	/* Then also for each side-band record, between the samples; may be NULL. */
	struct error *(*each_other)(void *data, struct profile *profile, const struct record *record);
	void *each_data;
	/* Called now and then with bytes read and bytes in all: false ends the reading, with ERROR_OS. May be NULL. */
	bool (*progress)(void *data, uint64_t done, uint64_t all);
	void *progress_data;
	/* How to unwind user stacks; NULL: leave them. Returns how many addresses, innermost first. */
	size_t (*unwind)(void *data, struct profile *profile, const struct space_view *view,
			 const struct perf_event_attr *attr, const struct sample *sample, uint64_t *addresses,
			 size_t limit);
	void *unwind_data;
};

/* An address in an object. */
struct site {
	uint32_t object;
	char mark;
	uint64_t offset;  /* in the file, or the address itself; see struct location */
	uint64_t address; /* in the first process seen */
};

/* One frame of a stack; stacks share their callers. */
struct stack_node {
	uint32_t caller; /* stack number; 0: outermost */
	uint32_t site;
};

struct row_total {
	uint64_t samples, period;
};

struct profile_event {
	struct perf_event_attr attr;
	const char *name;
	uint64_t samples, period;          /* of all samples that passed sample_filter */
	uint64_t lost_samples;
	size_t leader;                     /* index of the group's first event; its own when alone */
	const char *group_name;            /* of a leader of a described group, else NULL */
	bool has_stacks, has_branches;
	bool is_plain;                     /* what its rows need stands at fixed places: see layout */
	struct sample_layout layout;
};

struct profile {
	const char *path;                  /* borrowed from the caller */
	struct intern *names;
	struct objects *objects;
	struct space *space;
	struct perfdata_reader *reader;    /* its features stay readable */
	struct profile_event *events;
	size_t event_count, event_capacity;
	struct site *sites;
	size_t site_count, site_capacity;
	struct tuples stacks;              /* one word: struct stack_node; number 0 is the empty stack */
	struct tuples rows;                /* see row_word() */
	struct row_total *totals;          /* [rows.count] */
	size_t total_capacity;
	int word_of[ROW_FIELDS];           /* word of a field in a row; -1: not kept */
	uint64_t first_ns, last_ns;        /* of samples */
	uint64_t branch_count;
	struct perfdata_losses losses;
	struct error *damage;              /* with force: the first error. Owned */
	bool is_walked;                    /* by setup.each: there are no rows */
	struct profile_scratch *scratch;
};

/* Read a recording and aggregate it. "-" reads stdin. Errors: as perfdata_open() and perfdata_next(). */
must_use struct error *profile_load(const char *path, const struct profile_setup *setup, struct profile **ret);
void profile_destroy(struct profile *profile);
DEFINE_GUARD(profile)

static inline uint64_t row_word(const struct profile *profile, size_t row, enum row_field field)
{
	int word = profile->word_of[field];

	return word < 0 ? 0 : tuples_at(&profile->rows, row)[word];
}
static inline uint32_t row_event(const struct profile *profile, size_t row)
{
	return (uint32_t)(tuples_at(&profile->rows, row)[0] >> 32);
}
static inline uint32_t row_site(const struct profile *profile, size_t row)
{
	return (uint32_t)tuples_at(&profile->rows, row)[0];
}
static inline struct stack_node stack_at(const struct profile *profile, uint32_t stack)
{
	uint64_t word = *tuples_at(&profile->stacks, stack);

	return (struct stack_node){ (uint32_t)(word >> 32), (uint32_t)word };
}
/* The event whose entries an event is shown with. */
size_t profile_event_leader(const struct profile *profile, size_t event, bool group);

#endif
