/* Any bytes as a recording: open it, read every record in both orders, decode what it says it is. */
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "perfdata/format.h"
#include "perfdata/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void decode(const struct perfdata_reader *reader, const struct record *record)
{
	struct sample sample;
	struct mapping_record mapping;
	struct comm_record comm;

	if (record->type == PERF_RECORD_SAMPLE && record->attr_index != SIZE_MAX)
		error_destroy(sample_decode(&perfdata_event_at(reader, record->attr_index)->attr, record, &sample));
	error_destroy(mapping_record_decode(record, &mapping));
	error_destroy(comm_record_decode(record, &comm));
}

static void read_all(const uint8_t *bytes, size_t size, enum perfdata_order order)
{
	cleanup(perfdata_reader_guard) struct perfdata_reader *reader = NULL;
	struct error *err = perfdata_open_bytes("fuzz", bytes, size, order, &reader);
	bool done = false;

	if (err) {
		error_destroy(err);
		return;
	}
	while (!done) {
		struct record record;

		err = perfdata_next(reader, &record, &done);
		if (!err && !done)
			decode(reader, &record);
		error_destroy(err);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	auto_free uint8_t *copy = memory_copy(bytes, size);

	read_all(copy, size, PERFDATA_FILE_ORDER);
	read_all(copy, size, PERFDATA_TIME_ORDER);
	return 0;
}
