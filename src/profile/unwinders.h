/* Call chains from copies of user stacks, for profile_load(). */
#ifndef PROFILE_UNWINDERS_H
#define PROFILE_UNWINDERS_H

#include "profile/profile.h"
#include "symbol/symbolizer.h"

struct unwinders;

/* Make setup unwind user stacks; ret must live until the profile is loaded. Errors: as symbolizer_create(). */
must_use struct error *unwinders_attach(const struct symbolizer_setup *symbols, struct profile_setup *setup,
					struct unwinders **ret);
void unwinders_destroy(struct unwinders *unwinders);
DEFINE_GUARD(unwinders)

#endif
