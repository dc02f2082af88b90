/* From recordings to the sides of a diff: each function's cost in each run. */
#ifndef PROFILE_DIFF_GATHER_H
#define PROFILE_DIFF_GATHER_H

#include <linux/perf_event.h>

#include "base/error.h"
#include "profile/diff.h"
#include "profile/profile.h"
#include "symbol/symbolizer.h"

struct gathering;

struct gather_setup {
	const char *label;                   /* borrowed */
	const char *const *paths;            /* recordings, one a run; borrowed */
	size_t path_count;
	struct symbolizer *symbolizer;       /* shared by all sides; borrowed */
	struct sample_filter filter;
	const char *const *comms, *const *objects, *const *functions; /* keep these alone; NULL-terminated or NULL */
	bool by_object;                      /* one item an object, not a function */
	bool ignore_object;                  /* functions of one name are one, whatever the object */
	bool user_only;                      /* leave the kernel out; events may then differ in counting it */
	bool inclusive;                      /* cost of a function with its callees */
	bool force;
};

/* What a recording says of itself; strings are owned by the gathering, NULL: not said. */
struct recording {
	const char *path, *cpu, *kernel, *machine, *host, *command;
	double duration_s;
	uint64_t samples, lost, throttled;
	bool truncated;
};

/* One event of a side, over all its recordings. */
struct gathered_event {
	struct perf_event_attr attr;         /* of the first recording */
	const char *name;
	uint64_t samples, period;
};

/* Errors: those of the reader, with the path; ERROR_USAGE for recordings of a side without a common event. */
must_use struct error *gathering_create(const struct gather_setup *setup, struct gathering **ret);
size_t gathering_events(const struct gathering *gathering, const struct gathered_event **ret);
size_t gathering_recordings(const struct gathering *gathering, const struct recording **ret);
/* The same event on the other side by full identity (type, config, what is excluded), or SIZE_MAX. */
size_t gathering_find_event(const struct gathering *gathering, const struct gathered_event *event);
/* Cost of functions that were inlined in one build and have a symbol in the other goes to a function of their own. */
void gatherings_split_inlined(struct gathering *a, struct gathering *b, size_t a_event, size_t b_event);
/* The side for one event, to be compared with other: the code of builds that both have needs no look. Arrays are borrowed
 * until the next call or the end of the gathering. */
struct diff_side gathering_side(struct gathering *gathering, const struct gathering *other, size_t event);
/* Are the programs and libraries of both sides, those that cost one percent or more, the same builds? */
bool gatherings_same_builds(const struct gathering *a, const struct gathering *b, size_t a_event, size_t b_event);
void gathering_destroy(struct gathering *gathering);
DEFINE_GUARD(gathering)

#endif
