/* Events sampled together: groups of the recording, and counts of members read at their leader's samples. */
#ifndef PROFILE_GROUP_H
#define PROFILE_GROUP_H

#include "profile/profile.h"

struct group_reads;

struct group_reads *group_reads_create(struct perfdata_reader *reader);
/* What one event counted since its last read. */
struct group_share {
	size_t event;
	uint64_t period;
};
/* The number-th count of a sample with PERF_SAMPLE_READ; false when there are no more. */
bool group_reads_next(struct group_reads *reads, const struct perf_event_attr *attr, const struct sample *sample,
		      size_t number, struct group_share *ret);
void group_reads_destroy(struct group_reads *reads);
DEFINE_GUARD(group_reads)

/* Set leader and group_name of the events from the GROUP_DESC feature. */
void group_describe(struct profile *profile);
/* Take over losses that are known only after the last sample. */
void group_note_lost(struct profile *profile, const struct group_reads *reads);

#endif
