/* An attribute and a SAMPLE body of any bytes: decoded, and swapped and decoded. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "perfdata/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct perfdata_event event = { 0 };
	struct sample sample;

	if (size < sizeof(event.attr))
		return 0;
	memcpy(&event.attr, bytes, sizeof(event.attr));
	sample_layout_init(&event.layout, &event.attr);
	size -= sizeof(event.attr);
	if (size > PERFDATA_RECORD_MAX - 8)
		size = PERFDATA_RECORD_MAX - 8;

	auto_free uint8_t *body = memory_copy(bytes + sizeof(event.attr), size);
	struct record record = { .type = PERF_RECORD_SAMPLE, .size = (uint32_t)size + 8, .body = body };

	error_destroy(sample_decode(&event.attr, &record, &sample));
	/* The reader swaps only samples of at least the fixed size. */
	if (size < event.layout.fixed_size)
		return 0;
	sample_swap(&event, body, size);
	error_destroy(sample_decode(&event.attr, &record, &sample));
	return 0;
}
