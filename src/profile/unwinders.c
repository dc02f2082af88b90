/* User stacks unwound by symbol/unwind. */
#include "profile/unwinders.h"

#include "base/memory.h"

struct unwinders {
	const struct symbolizer_setup *symbols;
};

void unwinders_attach(struct unwinders **ret, const struct symbolizer_setup *symbols, struct profile_setup *setup)
{
	*ret = memory_zeroed(1, sizeof(**ret));
	(*ret)->symbols = symbols;
	setup->unwind = NULL;
}

void unwinders_destroy(struct unwinders *unwinders)
{
	free(unwinders);
}
