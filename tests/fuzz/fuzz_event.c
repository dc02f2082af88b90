/* Event syntax: any text either makes events or one error, and leaves the list whole. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "event/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct event_roots roots = { .any_cpu = true, .cpu = "x86_64/skl" };
	auto_free char *text = memory_strndup((const char *)bytes, size);
	cleanup(event_list_guard) struct event_list *list = event_list_create_in(&roots);
	struct error *err = event_list_add(list, text);

	if (err && event_list_count(list))
		abort();
	if (!err && !event_list_count(list))
		abort();
	for (size_t i = 0; i < event_list_count(list); i++)
		if (event_list_at(list, i)->leader > i || event_list_at(list, i)->merge > i)
			abort();
	error_destroy(err);
	return 0;
}
