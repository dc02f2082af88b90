/* What the reader finds in a recording, one "name value" a line, for comparison with what others found.
 * usage: facts [-t] FILE     -t: in order of time */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "perfdata/format.h"
#include "perfdata/reader.h"

enum { TYPES = 128 };

struct facts {
	uint64_t records, by_type[TYPES], others, samples_of[1024];
	uint64_t periods, branches, chain_entries, errors, comms, bad_comms, earlier;
	uint64_t last_time_ns;
};

static void print_error(struct error *err)
{
	printf("error %s\n", error_message(err));
	error_destroy(err);
}

static void add_sample(struct facts *facts, const struct perfdata_reader *reader, const struct record *record)
{
	struct sample sample;
	struct error *err;

	if (record->attr_index == SIZE_MAX)
		return;
	if (record->attr_index < 1024)
		facts->samples_of[record->attr_index]++;
	err = sample_decode(&perfdata_event_at(reader, record->attr_index)->attr, record, &sample);
	if (err) {
		facts->errors++;
		print_error(err);
		return;
	}
	facts->periods += sample.period;
	facts->branches += sample.branch_count;
	facts->chain_entries += sample.callchain_length;
}

static void add_side_band(struct facts *facts, const struct record *record)
{
	struct mapping_record mapping;
	struct comm_record comm;
	struct task_record task;
	struct ksymbol_record symbol;
	struct error *err = NULL;

	if (record->type == PERF_RECORD_COMM)
		err = comm_record_decode(record, &comm);
	else if (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)
		err = mapping_record_decode(record, &mapping);
	else if (record->type == PERF_RECORD_FORK || record->type == PERF_RECORD_EXIT)
		err = task_record_decode(record, &task);
	else if (record->type == PERF_RECORD_KSYMBOL)
		err = ksymbol_record_decode(record, &symbol);
	if (err) {
		facts->errors++;
		print_error(err);
	}
}

static void add(struct facts *facts, const struct perfdata_reader *reader, const struct record *record)
{
	facts->records++;
	if (record->type < TYPES)
		facts->by_type[record->type]++;
	else
		facts->others++;
	if (record->time_ns && record->time_ns < facts->last_time_ns)
		facts->earlier++;
	if (record->time_ns && record->time_ns != UINT64_MAX && record->type < PERFDATA_RECORD_HEADER_ATTR)
		facts->last_time_ns = record->time_ns;
	if (record->type == PERF_RECORD_SAMPLE)
		add_sample(facts, reader, record);
	else
		add_side_band(facts, record);
}

static void print(const struct facts *facts, const struct perfdata_reader *reader)
{
	const struct perfdata_losses *losses = perfdata_losses(reader);
	const struct perfdata_build_id *ids;
	size_t id_count = perfdata_build_ids(reader, &ids);

	printf("records %" PRIu64 "\nearlier %" PRIu64 "\nothers %" PRIu64 "\n", facts->records, facts->earlier,
	       facts->others);
	for (size_t i = 0; i < TYPES; i++) {
		if (facts->by_type[i])
			printf("type %s %" PRIu64 "\n", perfdata_record_name((uint32_t)i), facts->by_type[i]);
	}
	for (size_t i = 0; i < perfdata_event_count(reader); i++) {
		auto_text struct text name = { 0 };

		text_append_escaped(&name, perfdata_event_at(reader, i)->name);
		printf("event %s %" PRIu64 "\n", name.bytes, i < 1024 ? facts->samples_of[i] : 0);
	}
	for (size_t i = 0; i < id_count; i++) {
		auto_text struct text path = { 0 };

		text_append_escaped(&path, ids[i].path);
		printf("buildid ");
		for (size_t j = 0; j < ids[i].size; j++)
			printf("%02x", ids[i].bytes[j]);
		printf(" %s\n", path.bytes ? path.bytes : "");
	}
	printf("periods %" PRIu64 "\nbranches %" PRIu64 "\nchain_entries %" PRIu64 "\n", facts->periods,
	       facts->branches, facts->chain_entries);
	printf("lost_events %" PRIu64 "\nlost_samples %" PRIu64 "\nthrottles %" PRIu64 "\nunknown_ids %" PRIu64
	       "\nout_of_order %" PRIu64 "\ntruncated %d\n",
	       losses->lost_events, losses->lost_samples, losses->throttles, losses->unknown_ids, losses->out_of_order,
	       losses->truncated);
}

int main(int argc, char **argv)
{
	bool by_time = argc > 2 && !strcmp(argv[1], "-t");
	auto_free struct facts *facts = memory_zeroed(1, sizeof(*facts));
	cleanup(perfdata_reader_guard) struct perfdata_reader *reader = NULL;
	struct error *err = perfdata_open(argv[argc - 1], by_time ? PERFDATA_TIME_ORDER : PERFDATA_FILE_ORDER, &reader);
	bool done = false;

	if (err) {
		print_error(err);
		return 1;
	}
	while (!done) {
		struct record record;

		err = perfdata_next(reader, &record, &done);
		if (err) {
			facts->errors++;
			print_error(err);
		} else if (!done) {
			add(facts, reader, &record);
		}
	}
	print(facts, reader);
	return facts->errors != 0;
}
