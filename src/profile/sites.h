/* Sites and stacks while samples are read: addresses to numbers, through small caches. */
#ifndef PROFILE_SITES_H
#define PROFILE_SITES_H

#include "profile/profile.h"

struct profile_scratch;

struct profile_scratch *profile_scratch_create(void);
void profile_scratch_destroy(struct profile_scratch *scratch);

/* The site of an address; cpumode: PERF_RECORD_MISC_*. */
uint32_t profile_site(struct profile *profile, const struct space_view *view, unsigned cpumode, uint64_t address);
/* The stack of a call chain as the kernel wrote it, PERF_CONTEXT_* among the addresses; more: user addresses found
 * by unwinding, or none. 0 for a chain that makes no sense. */
struct chain {
	const uint64_t *words, *more;
	size_t count, more_count, limit;
};
uint32_t profile_stack(struct profile *profile, const struct space_view *view, const struct chain *chain);

#endif
