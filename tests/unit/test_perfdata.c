/* perf.data as the format's pitfalls have it: byte order, damage, order of time, identity, pipes. Recordings are built
 * here byte by byte; the writer's are read back. */
#include "unit/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "perfdata/byteorder.h"
#include "perfdata/format.h"
#include "perfdata/reader.h"
#include "perfdata/state.h"
#include "perfdata/writer.h"

/* Bytes of a recording under construction, in either order. */
struct build {
	struct text bytes;
	bool swapped;
};

static void put64(struct build *build, uint64_t word)
{
	if (build->swapped)
		word = __builtin_bswap64(word);
	text_append_bytes(&build->bytes, (const char *)&word, sizeof(word));
}

static void put32(struct build *build, uint32_t word)
{
	if (build->swapped)
		word = __builtin_bswap32(word);
	text_append_bytes(&build->bytes, (const char *)&word, sizeof(word));
}

static void put16(struct build *build, uint16_t word)
{
	if (build->swapped)
		word = __builtin_bswap16(word);
	text_append_bytes(&build->bytes, (const char *)&word, sizeof(word));
}

static void put_header(struct build *build, uint32_t type, uint16_t misc, uint16_t size)
{
	put32(build, type);
	put16(build, misc);
	put16(build, size);
}

/* The header of a file with one event, whose flags word stands as the other machine would have it. size: of the
 * attribute; its tail is zero. data_size: SIZE_MAX leaves room to be set by close_data(). */
static void put_file_header(struct build *build, uint64_t sample_type, uint32_t attr_size)
{
	uint64_t attrs = sizeof(struct perfdata_header), data = attrs + attr_size + 16;

	put64(build, PERFDATA_MAGIC);
	put64(build, sizeof(struct perfdata_header));
	put64(build, attr_size + 16);
	put64(build, attrs);
	put64(build, attr_size + 16);
	put64(build, data);
	for (int i = 0; i < 7; i++)
		put64(build, 0);
	put32(build, PERF_TYPE_SOFTWARE);
	put32(build, attr_size);
	put64(build, PERF_COUNT_SW_CPU_CLOCK);
	put64(build, 1000);
	put64(build, sample_type);
	put64(build, 0);
	/* sample_id_all is bit 18: of byte 2 the third from the end where bits count from the other end. */
	text_append_bytes(&build->bytes, build->swapped ? "\0\0\x20\0\0\0\0\0" : "\0\0\x04\0\0\0\0\0", 8);
	for (uint32_t at = 48; at < attr_size; at += 4)
		put32(build, 0);
	put64(build, 0);
	put64(build, 0);
}

static void close_data(struct build *build)
{
	uint64_t offset, size;

	memcpy(&offset, build->bytes.bytes + 40, 8);
	size = build->bytes.length - (build->swapped ? __builtin_bswap64(offset) : offset);
	size = build->swapped ? __builtin_bswap64(size) : size;
	memcpy(build->bytes.bytes + 48, &size, 8);
}

#define BASIC (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static void put_sample(struct build *build, uint64_t ip, uint32_t pid, uint64_t time_ns)
{
	put_header(build, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 32);
	put64(build, ip);
	put32(build, pid);
	put32(build, pid + 1);
	put64(build, time_ns);
}

static void put_comm(struct build *build, uint32_t pid, const char *comm, uint64_t time_ns)
{
	char text[16] = { 0 };

	snprintf(text, sizeof(text), "%s", comm);
	put_header(build, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 8 + 8 + 16 + 16);
	put32(build, pid);
	put32(build, pid);
	text_append_bytes(&build->bytes, text, sizeof(text));
	put32(build, pid);
	put32(build, pid);
	put64(build, time_ns);
}

static struct perfdata_reader *open_build(const struct build *build, enum perfdata_order order)
{
	struct perfdata_reader *reader;

	assert_success(perfdata_open_bytes("built", build->bytes.bytes, build->bytes.length, order, &reader));
	return reader;
}

/* The next record, which there must be. */
static struct record next(struct perfdata_reader *reader)
{
	struct record record = { 0 };
	bool done;

	assert_success(perfdata_next(reader, &record, &done));
	assert_false(done);
	return record;
}

static void assert_done(struct perfdata_reader *reader)
{
	struct record record;
	bool done;

	assert_success(perfdata_next(reader, &record, &done));
	assert_true(done);
}

static void check_basic(bool swapped, uint32_t attr_size)
{
	struct build build = { .swapped = swapped };
	struct comm_record comm;
	struct sample sample;

	put_file_header(&build, BASIC, attr_size);
	put_comm(&build, 7, "seven", 5);
	put_sample(&build, 0x123456789a, 7, 6);
	close_data(&build);

	struct perfdata_reader *reader = open_build(&build, PERFDATA_FILE_ORDER);
	struct record record = next(reader);

	assert_int_equal(perfdata_event_count(reader), 1);
	assert_true(perfdata_event_at(reader, 0)->attr.sample_id_all);
	assert_false(perfdata_event_at(reader, 0)->attr.inherit);
	assert_true(text_starts_with(perfdata_event_at(reader, 0)->name, "cpu-clock"));
	assert_success(comm_record_decode(&record, &comm));
	assert_string_equal(comm.comm, "seven");
	assert_int_equal(comm.pid, 7);
	assert_int_equal(record.time_ns, 5);
	record = next(reader);
	assert_success(sample_decode(&perfdata_event_at(reader, 0)->attr, &record, &sample));
	assert_int_equal(sample.ip, 0x123456789a);
	assert_int_equal(sample.pid, 7);
	assert_int_equal(sample.tid, 8);
	assert_int_equal(sample.time_ns, 6);
	assert_int_equal(sample.period, 1000);
	assert_int_equal(record.time_ns, 6);
	assert_done(reader);
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}

void test_perfdata__reads_both_byte_orders(void **state)
{
	(void)state;
	check_basic(false, 96);
	check_basic(true, 96);
}

void test_perfdata__reads_attributes_of_every_size(void **state)
{
	(void)state;
	for (uint32_t size = 64; size <= 144; size += 8) {
		check_basic(false, size);
		check_basic(true, size);
	}
	check_basic(false, 4096);
}

/* RAW and the stack copy are bytes, not numbers. */
void test_perfdata__does_not_swap_raw_and_stack(void **state)
{
	struct build build = { .swapped = true };
	struct sample sample;

	(void)state;
	put_file_header(&build, PERF_SAMPLE_IP | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW | PERF_SAMPLE_STACK_USER, 96);
	put_header(&build, PERF_RECORD_SAMPLE, 0, 8 + 8 + 8 + 16 + 8 + 16 + 8);
	put64(&build, 1);
	put32(&build, 3);
	put32(&build, 0);
	put32(&build, 12);
	text_append_bytes(&build.bytes, "abcdefghijkl", 12);
	put64(&build, 16);
	text_append_bytes(&build.bytes, "0123456789abcdef", 16);
	put64(&build, 9);
	close_data(&build);

	struct perfdata_reader *reader = open_build(&build, PERFDATA_FILE_ORDER);
	struct record record = next(reader);

	assert_success(sample_decode(&perfdata_event_at(reader, 0)->attr, &record, &sample));
	assert_int_equal(sample.cpu, 3);
	assert_int_equal(sample.raw_size, 12);
	assert_memory_equal(sample.raw, "abcdefghijkl", 12);
	assert_int_equal(sample.user_stack_size, 9);
	assert_memory_equal(sample.user_stack, "0123456789abcdef", 16);
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}

void test_perfdata__finds_cgroup_before_page_sizes(void **state)
{
	struct build build = { 0 };
	struct sample sample;

	(void)state;
	put_file_header(&build, PERF_SAMPLE_IP | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
				PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX, 96);
	put_header(&build, PERF_RECORD_SAMPLE, 0, 8 + 5 * 8);
	for (uint64_t i = 1; i <= 4; i++)
		put64(&build, i);
	put64(&build, 0);
	close_data(&build);

	struct perfdata_reader *reader = open_build(&build, PERFDATA_FILE_ORDER);
	struct record record = next(reader);

	assert_success(sample_decode(&perfdata_event_at(reader, 0)->attr, &record, &sample));
	assert_int_equal(sample.cgroup, 2);
	assert_int_equal(sample.data_page_size, 3);
	assert_int_equal(sample.code_page_size, 4);
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}

void test_perfdata__a_chain_longer_than_its_record_is_an_error(void **state)
{
	struct build build = { 0 };
	struct sample sample;

	(void)state;
	put_file_header(&build, PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN, 96);
	put_header(&build, PERF_RECORD_SAMPLE, 0, 32);
	put64(&build, 1);
	put64(&build, UINT64_MAX / 8);
	put64(&build, 2);
	close_data(&build);

	struct perfdata_reader *reader = open_build(&build, PERFDATA_FILE_ORDER);
	struct record record = next(reader);

	assert_failure(sample_decode(&perfdata_event_at(reader, 0)->attr, &record, &sample), ERROR_FORMAT, "SAMPLE");
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}

/* Two rings, read one after another; what is older than the newest of the round before may go. */
void test_perfdata__puts_rounds_in_order_of_time(void **state)
{
	static const uint64_t times[] = { 10, 30, 20, 25, 0, 40, 60, 28, 50, 0, 70 };
	static const uint64_t wanted[] = { 10, 20, 25, 28, 30, 40, 50, 60, 70 };
	struct build build = { 0 };

	(void)state;
	put_file_header(&build, BASIC, 64);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		if (times[i])
			put_sample(&build, times[i], 1, times[i]);
		else
			put_header(&build, PERFDATA_RECORD_FINISHED_ROUND, 0, 8);
	}
	close_data(&build);

	struct perfdata_reader *reader = open_build(&build, PERFDATA_TIME_ORDER);

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < ARRAY_SIZE(wanted);) {
			struct record record = next(reader);

			if (record.type == PERF_RECORD_SAMPLE)
				assert_int_equal(record.time_ns, wanted[i++]);
		}
		assert_done(reader);
		assert_int_equal(perfdata_losses(reader)->out_of_order, 0);
		assert_success(perfdata_rewind(reader));
	}
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}

void test_perfdata__counts_what_comes_too_late(void **state)
{
	static const uint64_t times[] = { 10, 20, 0, 30, 0, 40, 0, 5, 0 };
	struct build build = { 0 };
	bool done = false;

	(void)state;
	put_file_header(&build, BASIC, 64);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		if (times[i])
			put_sample(&build, 1, 1, times[i]);
		else
			put_header(&build, PERFDATA_RECORD_FINISHED_ROUND, 0, 8);
	}
	close_data(&build);

	struct perfdata_reader *reader = open_build(&build, PERFDATA_TIME_ORDER);

	while (!done) {
		struct record record;

		assert_success(perfdata_next(reader, &record, &done));
	}
	assert_int_equal(perfdata_losses(reader)->out_of_order, 1);
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}

void test_perfdata__reads_a_killed_recorders_file_to_its_end(void **state)
{
	struct build build = { 0 };

	(void)state;
	put_file_header(&build, BASIC, 64);
	put_sample(&build, 1, 1, 1);
	put_header(&build, PERF_RECORD_SAMPLE, 0, 32);
	put64(&build, 2);

	struct perfdata_reader *reader = open_build(&build, PERFDATA_FILE_ORDER);

	assert_int_equal(next(reader).type, PERF_RECORD_SAMPLE);
	assert_done(reader);
	assert_true(perfdata_losses(reader)->truncated);
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}

void test_perfdata__a_cut_file_gives_what_there_is_then_an_error(void **state)
{
	struct build build = { 0 };
	struct record record;
	bool done;

	(void)state;
	put_file_header(&build, BASIC, 64);
	put_sample(&build, 1, 1, 1);
	put_sample(&build, 2, 1, 2);
	close_data(&build);
	build.bytes.length -= 20;

	struct perfdata_reader *reader = open_build(&build, PERFDATA_TIME_ORDER);

	assert_failure(perfdata_next(reader, &record, &done), ERROR_FORMAT, "offset 0xd8");
	assert_int_equal(next(reader).time_ns, 1);
	assert_done(reader);
	assert_true(perfdata_losses(reader)->truncated);
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}

void test_perfdata__counts_are_checked_against_the_file(void **state)
{
	/* Offset in the header, a value that cannot be. */
	static const struct {
		size_t offset;
		uint64_t value;
	} lies[] = { { 8, 17 }, { 16, 3 }, { 16, UINT64_MAX }, { 24, 1ull << 62 }, { 32, UINT64_MAX }, { 40, UINT64_MAX },
		     { 104 + 64, 1ull << 63 }, { 104 + 72, UINT64_MAX } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		struct build build = { 0 };
		struct perfdata_reader *reader;

		put_file_header(&build, BASIC, 64);
		put_sample(&build, 1, 1, 1);
		close_data(&build);
		memcpy(build.bytes.bytes + lies[i].offset, &lies[i].value, 8);
		assert_failure(perfdata_open_bytes("lying", build.bytes.bytes, build.bytes.length, PERFDATA_FILE_ORDER,
						   &reader), ERROR_FORMAT, "lying: offset");
		text_release(&build.bytes);
	}
}

void test_perfdata__says_what_is_no_recording(void **state)
{
	struct perfdata_reader *reader;

	(void)state;
	assert_failure(perfdata_open_bytes("x", "", 0, PERFDATA_FILE_ORDER, &reader), ERROR_FORMAT, "it is empty");
	assert_failure(perfdata_open_bytes("x", "#!/bin/sh\necho no perf.data", 27, PERFDATA_FILE_ORDER, &reader),
		       ERROR_FORMAT, "not a perf.data file");
	assert_failure(perfdata_open("/no/such/file", PERFDATA_FILE_ORDER, &reader), ERROR_NOT_FOUND, "/no/such/file");
	assert_failure(perfdata_open("/proc", PERFDATA_FILE_ORDER, &reader), ERROR_FORMAT, "without a recording");
}

void test_perfdata__text_without_end_is_an_error(void **state)
{
	struct perf_event_header header = { PERF_RECORD_COMM, 0, 24 };
	uint64_t body[2] = { 1, 0x4141414141414141 };
	struct record record = { .type = header.type, .size = header.size, .body = body };
	struct comm_record comm;
	struct mapping_record mapping;

	(void)state;
	assert_failure(comm_record_decode(&record, &comm), ERROR_FORMAT, "COMM");
	record.type = PERF_RECORD_MMAP2;
	assert_failure(mapping_record_decode(&record, &mapping), ERROR_FORMAT, "MMAP2");
}

/* Branch flags from the other end: mispred is the first bit, cycles the 5th to 20th. */
void test_perfdata__turns_branch_flags_round(void **state)
{
	(void)state;
	assert_int_equal(branch_flags_swap(1ull << 63), 1);
	assert_int_equal(branch_flags_swap(1ull << 62), 2);
	assert_int_equal(branch_flags_swap(0x1234ull << 44), 0x1234ull << 4);
}

/* Three events, each with its id; one sample whose id nobody declared. */
static void write_three(const char *path, bool compress)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
					.sample_type = BASIC | PERF_SAMPLE_IDENTIFIER, .sample_id_all = 1 };
	uint64_t ids[] = { 11, 22, 33 };
	struct perfdata_writer_event events[3];
	struct perfdata_writer *writer;
	struct build build = { 0 };

	for (size_t i = 0; i < 3; i++)
		events[i] = (struct perfdata_writer_event){ &attr, i == 1 ? "second" : "other", &ids[i], 1 };
	for (uint64_t i = 0; i < 40; i++) {
		put_header(&build, PERF_RECORD_SAMPLE, 0, 40);
		put64(&build, i == 39 ? 44 : ids[i % 3]);
		put64(&build, 0x1000 + i);
		put64(&build, 1);
		put64(&build, i + 1);
	}
	assert_success(perfdata_create(path, events, 3, compress, &writer));
	assert_success(perfdata_set_feature(writer, PERFDATA_FEATURE_HOSTNAME, "\4\0\0\0abc", 8));
	assert_success(perfdata_append(writer, build.bytes.bytes, build.bytes.length));
	assert_success(perfdata_finish(writer));
	perfdata_writer_destroy(writer);
	text_release(&build.bytes);
}

static void check_three(struct perfdata_reader *reader)
{
	for (uint64_t i = 0; i < 40; i++) {
		struct record record = next(reader);

		while (record.type != PERF_RECORD_SAMPLE)
			record = next(reader);
		assert_int_equal(record.attr_index, i == 39 ? SIZE_MAX : i % 3);
	}
	assert_done(reader);
	assert_int_equal(perfdata_losses(reader)->unknown_ids, 1);
	assert_string_equal(perfdata_feature_text(reader, PERFDATA_FEATURE_HOSTNAME), "abc");
	assert_int_equal(perfdata_event_at(reader, 1)->attr.size, 64);
}

void test_perfdata__reads_back_what_the_writer_wrote(void **state)
{
	char path[] = "/tmp/perfmini-test-XXXXXX";
	int fd = mkstemp(path);
	struct perfdata_reader *reader;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (int compress = 0; compress < 2; compress++) {
		write_three(path, compress);
		assert_success(perfdata_open(path, PERFDATA_FILE_ORDER, &reader));
		check_three(reader);
		perfdata_reader_destroy(reader);
	}
	unlink(path);
}

/* Events, names and features come as records; a pipe cannot be read twice. */
void test_perfdata__reads_a_pipe(void **state)
{
	int ends[2], out = dup(STDOUT_FILENO), in = dup(STDIN_FILENO);
	struct perfdata_reader *reader;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	fflush(stdout);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	write_three("-", false);
	dup2(out, STDOUT_FILENO);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	assert_success(perfdata_open("-", PERFDATA_FILE_ORDER, &reader));
	dup2(in, STDIN_FILENO);
	close(in);
	close(out);
	check_three(reader);
	assert_true(perfdata_is_pipe(reader));
	assert_string_equal(perfdata_event_at(reader, 1)->name, "second");
	assert_failure(perfdata_rewind(reader), ERROR_UNSUPPORTED, "pipe");
	perfdata_reader_destroy(reader);
}

void test_perfdata__drops_samples_and_keeps_the_rest(void **state)
{
	char path[] = "/tmp/perfmini-test-XXXXXX";
	int fd = mkstemp(path);
	struct perf_event_attr attr = { .sample_type = BASIC, .sample_id_all = 1 };
	uint64_t id = 1;
	struct perfdata_writer_event event = { &attr, "cycles", &id, 1 };
	struct perfdata_writer *writer;
	struct perfdata_reader *reader;
	struct build build = { 0 };

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	put_sample(&build, 1, 1, 1);
	put_comm(&build, 2, "two", 2);
	put_sample(&build, 3, 3, 3);
	assert_success(perfdata_create(path, &event, 1, false, &writer));
	assert_success(perfdata_append(writer, build.bytes.bytes, build.bytes.length));
	assert_success(perfdata_drop_samples(writer));
	assert_success(perfdata_append(writer, build.bytes.bytes, 32));
	assert_success(perfdata_finish(writer));
	perfdata_writer_destroy(writer);
	assert_success(perfdata_open(path, PERFDATA_FILE_ORDER, &reader));
	assert_int_equal(next(reader).type, PERF_RECORD_COMM);
	assert_int_equal(next(reader).time_ns, 1);
	assert_done(reader);
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
	unlink(path);
}

/* The chain's user part comes when the task returns to user mode: by its cookie, and its thread. */
void test_perfdata__joins_deferred_call_chains(void **state)
{
	struct build build = { 0 };
	struct sample sample;
	uint64_t defer_callchain = 1ull << 38 | 1ull << 18;

	(void)state;
	put_file_header(&build, PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_WEIGHT, 64);
	memcpy(build.bytes.bytes + sizeof(struct perfdata_header) + 40, &defer_callchain, 8);
	put_header(&build, PERF_RECORD_SAMPLE, 0, 8 + 8 + 8 + 4 * 8 + 8);
	put32(&build, 1);
	put32(&build, 2);
	put64(&build, 4);
	put64(&build, PERF_CONTEXT_KERNEL);
	put64(&build, 0xffff000000000001);
	put64(&build, PERFDATA_CONTEXT_USER_DEFERRED);
	put64(&build, 99);
	put64(&build, 55);
	put_header(&build, PERFDATA_RECORD_CALLCHAIN_DEFERRED, 0, 8 + 16 + 24 + 8);
	put64(&build, 99);
	put64(&build, 3);
	put64(&build, PERF_CONTEXT_USER);
	put64(&build, 0x1000);
	put64(&build, 0x2000);
	put32(&build, 1);
	put32(&build, 2);
	close_data(&build);

	struct perfdata_reader *reader = open_build(&build, PERFDATA_FILE_ORDER);
	struct record record = next(reader);

	assert_int_equal(record.type, PERFDATA_RECORD_CALLCHAIN_DEFERRED);
	record = next(reader);
	assert_success(sample_decode(&perfdata_event_at(reader, 0)->attr, &record, &sample));
	assert_int_equal(sample.callchain_length, 5);
	assert_int_equal(sample.callchain[1], 0xffff000000000001);
	assert_int_equal(sample.callchain[4], 0x2000);
	assert_int_equal(sample.weight, 55);
	assert_done(reader);
	perfdata_reader_destroy(reader);
	text_release(&build.bytes);
}
