/* Tab-separated tables, and the CPU globs and PMU formats that stand in them and in sysfs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "event/pmu.h"
#include "event/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct perf_event_attr attr = { 0 };
	struct table table = { 0 };
	struct error *err = table_parse("fuzz", memory_strndup((const char *)bytes, size), 3, &table);

	for (size_t i = 0; !err && i < table.count; i++) {
		if (!*table.rows[i].fields[2])
			abort();
		table_cpu_matches(table.rows[i].fields[1], "x86_64/skl,x86_64/glm");
		error_destroy(pmu_format_apply(table.rows[i].fields[0], UINT64_MAX, &attr));
	}
	error_destroy(err);
	table_release(&table);
	return 0;
}
