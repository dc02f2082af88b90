/* Damage a recording in many ways and read each: no crash, no sanitizer's complaint, within 10 s and 512 MiB.
 * usage: damage FILE FLIPS */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "perfdata/reader.h"

enum { SECONDS = 10, PEAK_KIB = 512 * 1024, LARGE = 64 * 1024, LARGE_SHARE = 20 };

static void read_record(const struct perfdata_reader *reader, const struct record *record)
{
	struct sample sample;
	struct mapping_record mapping;
	struct comm_record comm;
	struct task_record task;
	struct ksymbol_record symbol;

	if (record->type == PERF_RECORD_SAMPLE && record->attr_index != SIZE_MAX)
		error_destroy(sample_decode(&perfdata_event_at(reader, record->attr_index)->attr, record, &sample));
	error_destroy(mapping_record_decode(record, &mapping));
	error_destroy(comm_record_decode(record, &comm));
	error_destroy(task_record_decode(record, &task));
	error_destroy(ksymbol_record_decode(record, &symbol));
}

static void read_all(const void *bytes, size_t size, enum perfdata_order order)
{
	cleanup(perfdata_reader_guard) struct perfdata_reader *reader = NULL;
	struct error *err = perfdata_open_bytes("damaged", bytes, size, order, &reader);
	bool done = false;

	if (err) {
		error_destroy(err);
		return;
	}
	while (!done) {
		struct record record;

		err = perfdata_next(reader, &record, &done);
		if (!err && !done)
			read_record(reader, &record);
		error_destroy(err);
	}
}

static void read_both(const void *bytes, size_t size)
{
	/* A copy of exactly that size: a read behind its end is seen. */
	auto_free char *copy = memory_copy(bytes, size);

	alarm(SECONDS);
	read_all(copy, size, PERFDATA_FILE_ORDER);
	read_all(copy, size, PERFDATA_TIME_ORDER);
	alarm(0);
}

static void flip(char *bytes, size_t size, uint64_t count)
{
	uint64_t random = hash_bytes(bytes, size);

	for (uint64_t i = 0; i < count && size; i++) {
		random = hash_word(random + i + 1);

		/* Half of them where the structure is: the first KiB. */
		size_t at = (random >> 8) % (i % 2 && size > 1024 ? 1024 : size);
		char old = bytes[at];

		bytes[at] ^= (char)(1 + random % 255);
		read_both(bytes, size);
		bytes[at] = old;
	}
}

int main(int argc, char **argv)
{
	auto_free char *bytes = NULL;
	size_t size, cuts[] = { 0, 8, 64, 256, 0, 0 };
	struct rusage usage;

	if (argc != 3)
		return 2;

	struct error *err = file_read(argv[1], &bytes, &size);

	if (err) {
		fprintf(stderr, "%s\n", error_message(err));
		error_destroy(err);
		return 2;
	}
	cuts[4] = size / 4;
	cuts[5] = size - size / 4;
	for (size_t i = 0; i < ARRAY_SIZE(cuts); i++) {
		if (cuts[i] <= size)
			read_both(bytes, cuts[i]);
	}
	read_both(bytes, size);
	flip(bytes, size, strtoull(argv[2], NULL, 10) / (size > LARGE ? LARGE_SHARE : 1));
	getrusage(RUSAGE_SELF, &usage);
	if (usage.ru_maxrss > PEAK_KIB)
		fprintf(stderr, "peak memory %ld KiB\n", usage.ru_maxrss);
	return usage.ru_maxrss > PEAK_KIB;
}
