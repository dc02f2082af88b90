/* Any bytes as a runs file: loaded or refused, and what was loaded is written and loaded again alike. */
#include <stdlib.h>

#include "base/memory.h"
#include "runs/runs.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	cleanup(runs_guard) struct runs *runs = NULL;
	auto_free char *copy = memory_alloc(size + 1);

	__builtin_memcpy(copy, bytes, size);
	error_destroy(runs_parse(copy, size, "input", &runs));
	if (runs && (runs->count > size || runs->whole_bytes > size))
		abort();
	return 0;
}
