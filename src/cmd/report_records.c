/* A recording's records counted, listed and dumped. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cmd/report.h"
#include "perfdata/format.h"
#include "perfdata/reader.h"

enum { TYPES = 96 };

static const char *const type_names[TYPES] = {
	[1] = "MMAP", "LOST", "COMM", "EXIT", "THROTTLE", "UNTHROTTLE", "FORK", "READ", "SAMPLE", "MMAP2", "AUX",
	"ITRACE_START", "LOST_SAMPLES", "SWITCH", "SWITCH_CPU_WIDE", "NAMESPACES", "KSYMBOL", "BPF_EVENT", "CGROUP",
	"TEXT_POKE", "AUX_OUTPUT_HW_ID", "CALLCHAIN_DEFERRED",
	[64] = "ATTR", "EVENT_TYPE", "TRACING_DATA", "BUILD_ID", "FINISHED_ROUND", "ID_INDEX", "AUXTRACE_INFO",
	"AUXTRACE", "AUXTRACE_ERROR", "THREAD_MAP", "CPU_MAP", "STAT_CONFIG", "STAT", "STAT_ROUND", "EVENT_UPDATE",
	"TIME_CONV", "FEATURE", "COMPRESSED", "FINISHED_INIT", "COMPRESSED2", "BPF_METADATA", "SCHEDSTAT_CPU",
	"SCHEDSTAT_DOMAIN",
};

static const char *type_name(uint32_t type)
{
	return type < TYPES && type_names[type] ? type_names[type] : "unknown";
}

/* Call consume for every record of a file. */
static struct error *each_record(const char *path, bool force, enum perfdata_order order,
				 void (*consume)(void *data, struct perfdata_reader *reader,
						 const struct record *record), void *data)
{
	cleanup(perfdata_reader_guard) struct perfdata_reader *reader = NULL;
	struct error *err = perfdata_open(path, order, &reader);
	struct record record;

	while (!err) {
		bool done = false;

		err = perfdata_next(reader, &record, &done);
		if (err && force) {
			error_destroy(err);
			err = NULL;
			continue;
		}
		if (err || done)
			break;
		consume(data, reader, &record);
	}
	return err;
}

struct record_counts {
	uint64_t all, by_type[TYPES + 1];
	uint64_t *samples;
	char **names;
	size_t event_count;
};

static void count_record(void *data, struct perfdata_reader *reader, const struct record *record)
{
	struct record_counts *counts = data;
	size_t events = perfdata_event_count(reader);

	counts->all++;
	counts->by_type[record->type < TYPES ? record->type : TYPES]++;
	for (; counts->event_count < events; counts->event_count++) {
		counts->samples = memory_resize(counts->samples, events, sizeof(*counts->samples));
		counts->names = memory_resize(counts->names, events, sizeof(*counts->names));
		counts->samples[counts->event_count] = 0;
		counts->names[counts->event_count] =
			memory_strdup(perfdata_event_at(reader, counts->event_count)->name);
	}
	if (record->type == PERF_RECORD_SAMPLE && record->attr_index < counts->event_count)
		counts->samples[record->attr_index]++;
}

static void print_counts(const struct record_counts *counts, FILE *out)
{
	fprintf(out, "\nAggregated stats:\n%16s events: %10" PRIu64 "\n", "TOTAL", counts->all);
	for (size_t i = 0; i <= TYPES; i++)
		if (counts->by_type[i])
			fprintf(out, "%16s events: %10" PRIu64 "  (%4.1f%%)\n", type_name((uint32_t)i),
				counts->by_type[i], 100.0 * (double)counts->by_type[i] / (double)counts->all);
	for (size_t i = 0; i < counts->event_count; i++) {
		auto_text struct text name = { 0 };

		text_append_escaped(&name, counts->names[i]);
		if (counts->samples[i])
			fprintf(out, "%s stats:\n%16s events: %10" PRIu64 "\n", name.bytes, "SAMPLE",
				counts->samples[i]);
	}
}

struct error *report_stats(const char *path, bool force, FILE *out)
{
	struct record_counts counts = { 0 };
	struct error *err = each_record(path, force, PERFDATA_FILE_ORDER, count_record, &counts);

	if (!err)
		print_counts(&counts, out);
	for (size_t i = 0; i < counts.event_count; i++)
		free(counts.names[i]);
	free(counts.names);
	free(counts.samples);
	return err;
}

static void print_escaped(FILE *out, const char *name)
{
	auto_text struct text text = { 0 };

	text_append_escaped(&text, name);
	fputs(text.bytes ? text.bytes : "", out);
}

static void dump_sample(const struct perfdata_reader *reader, const struct record *record, FILE *out)
{
	struct sample sample;
	struct error *err;

	if (record->attr_index >= perfdata_event_count(reader))
		return;
	err = sample_decode(&perfdata_event_at(reader, record->attr_index)->attr, record, &sample);
	if (err) {
		fprintf(out, ": %s", error_message(err));
		error_destroy(err);
		return;
	}
	fprintf(out, "(IP, 0x%x): %u/%u: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64, record->misc, sample.pid,
		sample.tid, sample.ip, sample.period, sample.addr);
	if (sample.callchain_length)
		fprintf(out, "\n... chain: nr:%zu", sample.callchain_length);
	for (size_t i = 0; i < sample.callchain_length; i++)
		fprintf(out, "\n.....  %2zu: %016" PRIx64, i, sample.callchain[i]);
}

static void dump_mapping(const struct record *record, FILE *out)
{
	struct mapping_record mapping;
	struct error *err = mapping_record_decode(record, &mapping);

	if (err) {
		fprintf(out, ": %s", error_message(err));
		error_destroy(err);
		return;
	}
	fprintf(out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 "]: ", (int)mapping.pid, (int)mapping.tid,
		mapping.address, mapping.length, mapping.file_offset);
	print_escaped(out, mapping.path);
}

static void dump_comm(const struct record *record, FILE *out)
{
	struct comm_record comm;
	struct error *err = comm_record_decode(record, &comm);

	if (err) {
		fprintf(out, ": %s", error_message(err));
		error_destroy(err);
		return;
	}
	fprintf(out, "%s: ", comm.is_exec ? " exec" : "");
	print_escaped(out, comm.comm);
	fprintf(out, ":%d/%d", (int)comm.pid, (int)comm.tid);
}

static void dump_record(void *data, struct perfdata_reader *reader, const struct record *record)
{
	FILE *out = data;

	fprintf(out, "%" PRIu64 " %#" PRIx64 " [%#x]: PERF_RECORD_%s", record->time_ns, record->file_offset,
		record->size, type_name(record->type));
	if (record->type == PERF_RECORD_SAMPLE)
		dump_sample(reader, record, out);
	else if (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)
		dump_mapping(record, out);
	else if (record->type == PERF_RECORD_COMM)
		dump_comm(record, out);
	fputc('\n', out);
}

struct error *report_dump(const char *path, FILE *out)
{
	return each_record(path, false, PERFDATA_TIME_ORDER, dump_record, out);
}

struct task_listing {
	FILE *out;
	bool with_mappings;
};

static void list_task(void *data, struct perfdata_reader *reader, const struct record *record)
{
	struct task_listing *listing = data;
	struct task_record task;

	(void)reader;
	if (record->type == PERF_RECORD_COMM) {
		fprintf(listing->out, "%14" PRIu64 "  comm", record->time_ns);
		dump_comm(record, listing->out);
	} else if (record->type == PERF_RECORD_FORK || record->type == PERF_RECORD_EXIT) {
		struct error *err = task_record_decode(record, &task);

		if (err) {
			error_destroy(err);
			return;
		}
		fprintf(listing->out, "%14" PRIu64 "  %s %d/%d from %d/%d", record->time_ns,
			record->type == PERF_RECORD_FORK ? "fork" : "exit", (int)task.pid, (int)task.tid,
			(int)task.parent_pid, (int)task.parent_tid);
	} else if (listing->with_mappings &&
		   (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)) {
		fprintf(listing->out, "%14" PRIu64 "  map", record->time_ns);
		dump_mapping(record, listing->out);
	} else {
		return;
	}
	fputc('\n', listing->out);
}

struct error *report_tasks(const char *path, bool with_mappings, FILE *out)
{
	struct task_listing listing = { out, with_mappings };

	fprintf(out, "# %12s  what pid/tid\n", "time ns");
	return each_record(path, false, PERFDATA_TIME_ORDER, list_task, &listing);
}
