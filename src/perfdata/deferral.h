/* Samples whose user call chain comes later, in a CALLCHAIN_DEFERRED record, when the task returns to user mode. */
#ifndef PERFDATA_DEFERRAL_H
#define PERFDATA_DEFERRAL_H

#include <stdbool.h>

#include "perfdata/record.h"

struct deferred_sample {
	struct record record;
	uint64_t *body; /* owned; record.body */
	size_t chain_at; /* word of the count of its chain */
	uint64_t cookie;
	uint32_t tid;
	bool is_whole;
};

/* Zero-initialised is empty. */
struct deferral {
	struct deferred_sample *items;
	size_t count, capacity, whole_count;
	uint64_t *given; /* of the sample last given */
};

/* Does the attribute ask for deferred chains? attr.defer_callchain, newer than some headers. */
bool deferral_wanted(const struct perf_event_attr *attr);
/* Keep a sample whose chain ends in a cookie; false: it has none. */
bool deferral_hold(struct deferral *deferral, const struct perf_event_attr *attr, const struct record *record);
/* A CALLCHAIN_DEFERRED record of a thread: its chain goes to every sample with its cookie. */
void deferral_resolve(struct deferral *deferral, const struct record *record, uint32_t tid);
/* A sample that became whole; or, when all, any, its user part missing. Valid until the next call. */
bool deferral_take(struct deferral *deferral, bool all, struct record *ret);
void deferral_release(struct deferral *deferral);

#endif
