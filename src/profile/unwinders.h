/* Call chains from copies of user stacks, for profile_load(). */
#ifndef PROFILE_UNWINDERS_H
#define PROFILE_UNWINDERS_H

#include "profile/profile.h"
#include "symbol/symbolizer.h"

struct unwinders;

/* Make setup unwind user stacks. symbols and setup are borrowed until unwinders_destroy(), to be called after the
 * profile is loaded. */
void unwinders_attach(struct unwinders **ret, const struct symbolizer_setup *symbols, struct profile_setup *setup);
void unwinders_destroy(struct unwinders *unwinders);

#endif
