/* What makes two sides unlike: each a line that the reader of a diff must know. */
#ifndef PROFILE_COMPARABILITY_H
#define PROFILE_COMPARABILITY_H

#include "profile/diff_gather.h"

struct comparability {
	char **items; /* owned */
	size_t count, capacity;
};

/* Compare machines, commands, events, losses and sizes of both sides for one event. */
void comparability_check(const struct gathering *a, const struct gathering *b, size_t a_event, size_t b_event,
			 struct comparability *ret);
/* That the machine is the sample, or why it is not. */
struct diff_machines;
void comparability_tell_machines(const struct diff_machines *machines, struct comparability *ret);
void comparability_release(struct comparability *lines);

#endif
