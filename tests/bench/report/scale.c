/* Make a long recording of a short one: its records again and again, later and in other processes each time.
 * usage: scale IN OUT SAMPLES */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "perfdata/format.h"
#include "perfdata/reader.h"
#include "perfdata/writer.h"

enum { SPACES = 64, PIDS_APART = 100000, RECORD_MAX = 1 << 16 };

struct scaling {
	struct perfdata_reader *reader;
	struct perfdata_writer *writer;
	uint64_t wanted, done, round, first_ns, last_ns;
	_Alignas(8) char buffer[RECORD_MAX];
};

static void shift_ids(struct scaling *scaling, char *at, size_t count)
{
	uint32_t *ids = (uint32_t *)at;

	for (size_t i = 0; i < count; i++)
		if ((int32_t)ids[i] > 0)
			ids[i] += (uint32_t)(scaling->round % SPACES) * PIDS_APART;
}

static void shift_time(struct scaling *scaling, char *at)
{
	*(uint64_t *)at += scaling->round * (scaling->last_ns - scaling->first_ns + 1000000);
}

/* A record other than a sample: false when it belongs into the first round only. */
static bool shift_other(struct scaling *scaling, const struct sample_layout *layout, const struct record *record)
{
	char *body = scaling->buffer + 8, *end = scaling->buffer + record->size;
	bool is_task = record->type == PERF_RECORD_FORK || record->type == PERF_RECORD_EXIT;
	bool has_ids = is_task || record->type == PERF_RECORD_COMM || record->type == PERF_RECORD_MMAP ||
		       record->type == PERF_RECORD_MMAP2;

	if (scaling->round && (!record->time_ns || record->type == PERF_RECORD_KSYMBOL ||
			       record->type == PERF_RECORD_BPF_EVENT || record->type == PERF_RECORD_TEXT_POKE))
		return false;
	if (!record->time_ns)
		return true;
	if (has_ids)
		shift_ids(scaling, body, is_task ? 4 : 2);
	if (is_task)
		shift_time(scaling, body + 16);
	shift_ids(scaling, end - layout->tail_tid, 2);
	shift_time(scaling, end - layout->tail_time);
	return true;
}

static struct error *add(struct scaling *scaling, const struct record *record)
{
	struct perf_event_header header = { record->type, record->misc, (uint16_t)record->size };
	const struct sample_layout *layout;

	if (record->type != PERFDATA_RECORD_FINISHED_ROUND && record->attr_index == SIZE_MAX)
		return NULL;
	memcpy(scaling->buffer, &header, sizeof(header));
	memcpy(scaling->buffer + sizeof(header), record->body, record->size - sizeof(header));
	if (record->attr_index == SIZE_MAX)
		return perfdata_append(scaling->writer, scaling->buffer, record->size);
	layout = &perfdata_event_at(scaling->reader, record->attr_index)->layout;
	if (record->type != PERF_RECORD_SAMPLE) {
		if (!shift_other(scaling, layout, record))
			return NULL;
	} else {
		if (scaling->done == scaling->wanted)
			return NULL;
		scaling->done++;
		shift_ids(scaling, scaling->buffer + 8 + layout->tid, 2);
		shift_time(scaling, scaling->buffer + 8 + layout->time);
	}
	return perfdata_append(scaling->writer, scaling->buffer, record->size);
}

/* One time through the short recording; without a writer only its times are noted. */
static struct error *run_round(struct scaling *scaling)
{
	struct error *err = perfdata_rewind(scaling->reader);
	struct record record;

	while (!err) {
		bool done;

		err = perfdata_next(scaling->reader, &record, &done);
		if (err || done)
			break;
		if (scaling->writer) {
			err = add(scaling, &record);
		} else if (record.time_ns) {
			if (!scaling->first_ns || record.time_ns < scaling->first_ns)
				scaling->first_ns = record.time_ns;
			if (record.time_ns > scaling->last_ns)
				scaling->last_ns = record.time_ns;
		}
	}
	return err;
}

static struct error *begin(struct scaling *scaling, const char *in, const char *out)
{
	const struct perfdata_event *event;
	struct error *err = perfdata_open(in, PERFDATA_FILE_ORDER, &scaling->reader);

	if (!err)
		err = run_round(scaling);
	if (err)
		return err;
	event = perfdata_event_at(scaling->reader, 0);
	if (event->layout.time < 0 || event->layout.tid < 0 || !event->layout.tail_time || !event->layout.tail_tid)
		return error_new(ERROR_UNSUPPORTED, "%s: samples need time and tid", in);
	return perfdata_create(out, &(struct perfdata_writer_event){ &event->attr, event->name, event->ids, event->id_count },
			       1, false, &scaling->writer);
}

static struct error *end(struct scaling *scaling)
{
	struct error *err = NULL;
	size_t size;

	for (unsigned feature = PERFDATA_FEATURE_BUILD_ID; !err && feature <= PERFDATA_FEATURE_CMDLINE; feature++) {
		const void *bytes = perfdata_feature(scaling->reader, feature, &size);

		if (bytes)
			err = perfdata_set_feature(scaling->writer, feature, bytes, size);
	}
	return err ? err : perfdata_finish(scaling->writer);
}

int main(int argc, char **argv)
{
	static struct scaling scaling;
	struct error *err;

	if (argc != 4)
		return 2;
	scaling.wanted = strtoull(argv[3], NULL, 10);
	err = begin(&scaling, argv[1], argv[2]);
	for (uint64_t before = 1; !err && scaling.done < scaling.wanted && before != scaling.done; scaling.round++) {
		before = scaling.done;
		err = run_round(&scaling);
		if (before == scaling.done)
			break;
	}
	if (!err)
		err = end(&scaling);
	if (err)
		fprintf(stderr, "scale: %s\n", error_message(err));
	return err != NULL;
}
