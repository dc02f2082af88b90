/* A recording written again with some of its samples. */
#include "cmd/recording_copy.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "perfdata/format.h"
#include "perfdata/reader.h"
#include "perfdata/writer.h"

struct copying {
	const struct recording_copy *copy;
	struct perfdata_reader *reader;
	struct perfdata_writer *writer; /* NULL before the first record that is kept */
	struct file_replacement *file;  /* NULL: a pipe, or not begun */
	uint64_t kept, dropped;
	uint64_t first_ns, last_ns;     /* of kept samples */
	bool has_event;
	char *bytes;                    /* one record */
	size_t capacity;
};

static void copying_release(struct copying *copying)
{
	perfdata_writer_destroy(copying->writer);
	file_replacement_destroy(copying->file);
	perfdata_reader_destroy(copying->reader);
	free(copying->bytes);
}

/* What a pipe says in records and a file in its header. */
static bool is_head(uint32_t type)
{
	return type == PERFDATA_RECORD_HEADER_ATTR || type == PERFDATA_RECORD_HEADER_FEATURE ||
	       type == PERFDATA_RECORD_EVENT_UPDATE || type == PERFDATA_RECORD_TRACING_DATA ||
	       type == PERFDATA_RECORD_BUILD_ID || type == PERFDATA_RECORD_EVENT_TYPE;
}

/* Features that would not be true of the copy, and what a writer makes itself. */
static bool is_left_out(unsigned feature)
{
	return feature == PERFDATA_FEATURE_AUXTRACE || feature == PERFDATA_FEATURE_COMPRESSED ||
	       feature == PERFDATA_FEATURE_DIR_FORMAT || feature == PERFDATA_FEATURE_SAMPLE_TIME;
}

static struct error *begin(struct copying *copying)
{
	size_t count = perfdata_event_count(copying->reader);
	auto_free struct perfdata_writer_event *events = memory_zeroed(count + 1, sizeof(*events));
	const char *path = copying->copy->output;
	struct error *err;

	for (size_t i = 0; i < count; i++) {
		const struct perfdata_event *event = perfdata_event_at(copying->reader, i);

		events[i] = (struct perfdata_writer_event){ &event->attr, event->name, event->ids, event->id_count };
		copying->has_event |= copying->copy->event && !strcmp(event->name, copying->copy->event);
	}
	if (copying->copy->event && !copying->has_event)
		return error_hint(error_new(ERROR_NOT_FOUND, "%s: has no event '%s'", copying->copy->input,
					    copying->copy->event), "perfmini report --header-only lists its events");
	if (strcmp(path, "-")) {
		err = file_replace_begin(path, 0600, &copying->file);
		if (err)
			return err;
		path = file_replace_path(copying->file);
	}
	return perfdata_create(path, events, count, false, &copying->writer);
}

static struct error *passes(struct copying *copying, const struct record *record, bool *ret)
{
	const struct perfdata_event *event;
	struct sample sample;
	struct error *err;

	*ret = true;
	if (record->type != PERF_RECORD_SAMPLE)
		return NULL;
	*ret = false;
	if (record->attr_index == SIZE_MAX)
		return NULL;
	event = perfdata_event_at(copying->reader, record->attr_index);
	err = sample_decode(&event->attr, record, &sample);
	if (err)
		return err;
	*ret = sample_filter_passes(copying->copy->filter, &sample) &&
	       (!copying->copy->event || !strcmp(event->name, copying->copy->event));
	if (!*ret || !sample.time_ns)
		return NULL;
	if (!copying->first_ns || sample.time_ns < copying->first_ns)
		copying->first_ns = sample.time_ns;
	if (sample.time_ns > copying->last_ns)
		copying->last_ns = sample.time_ns;
	return NULL;
}

static struct error *append(struct copying *copying, const struct record *record)
{
	struct perf_event_header header = { record->type, record->misc, (uint16_t)record->size };

	if (record->type == PERFDATA_RECORD_AUXTRACE || record->type == PERFDATA_RECORD_AUXTRACE_INFO ||
	    record->size > UINT16_MAX)
		return error_hint(error_new(ERROR_UNSUPPORTED, "%s: holds a hardware trace, which cannot be cut",
					    copying->copy->input), "perf script --itrace decodes it");
	if (copying->capacity < record->size) {
		copying->bytes = memory_resize(copying->bytes, record->size, 1);
		copying->capacity = record->size;
	}
	memcpy(copying->bytes, &header, sizeof(header));
	memcpy(copying->bytes + sizeof(header), record->body, record->size - sizeof(header));
	return perfdata_append(copying->writer, copying->bytes, record->size);
}

static struct error *copy_record(struct copying *copying, const struct record *record)
{
	bool passed;
	struct error *err = NULL;

	if (is_head(record->type))
		return NULL;
	if (!copying->writer)
		err = begin(copying);
	if (!err)
		err = passes(copying, record, &passed);
	if (err)
		return err;
	if (record->type == PERF_RECORD_SAMPLE) {
		copying->kept += passed;
		copying->dropped += !passed;
	}
	return passed ? append(copying, record) : NULL;
}

static struct error *copy_records(struct copying *copying)
{
	struct record record;
	bool done = false;
	struct error *err = NULL;

	while (!err && !done) {
		err = perfdata_next(copying->reader, &record, &done);
		if (!err && !done)
			err = copy_record(copying, &record);
		if (err && copying->copy->force && error_kind(err) == ERROR_FORMAT) {
			log_warning("%s", error_message(err));
			error_destroy(take(err));
		}
	}
	if (!err && !copying->writer)
		err = begin(copying);
	return err;
}

static struct error *copy_features(struct copying *copying)
{
	struct error *err = NULL;

	for (unsigned feature = 1; feature < PERFDATA_FEATURE_BITS && !err; feature++) {
		size_t size;
		const void *bytes = perfdata_feature(copying->reader, feature, &size);

		if (bytes && !is_left_out(feature))
			err = perfdata_set_feature(copying->writer, feature, bytes, size);
	}
	if (!err && copying->last_ns) {
		uint64_t times[2] = { copying->first_ns, copying->last_ns };

		err = perfdata_set_feature(copying->writer, PERFDATA_FEATURE_SAMPLE_TIME, times, sizeof(times));
	}
	return err;
}

static struct error *check_paths(const struct recording_copy *copy)
{
	struct stat in, out;

	if (!strcmp(copy->input, "-") || !strcmp(copy->output, "-") || stat(copy->input, &in) || stat(copy->output, &out))
		return NULL;
	if (in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		return error_hint(error_new(ERROR_USAGE, "%s would be written over while it is read", copy->output),
				  "give -o another name");
	return NULL;
}

struct error *recording_copy(const struct recording_copy *copy)
{
	cleanup(copying_release) struct copying copying = { .copy = copy };
	struct error *err = check_paths(copy);

	if (!err)
		err = perfdata_open(copy->input, PERFDATA_FILE_ORDER, &copying.reader);
	if (!err && perfdata_is_swapped(copying.reader))
		err = error_hint(error_new(ERROR_UNSUPPORTED, "%s: is of a machine with the other byte order: it can be read, not "
					   "written", copy->input), "report and script take the same filters");
	if (!err)
		err = copy_records(&copying);
	if (!err)
		err = copy_features(&copying);
	if (!err)
		err = perfdata_finish(copying.writer);
	if (!err && copying.file)
		err = file_replace_commit(take(copying.file));
	if (!err && perfdata_losses(copying.reader)->truncated)
		log_warning("%s: the recorder did not finish it, or it was cut; the end is missing", copy->input);
	if (!err)
		log_note("%s: %llu of %llu samples", copy->output, (unsigned long long)copying.kept,
			 (unsigned long long)(copying.kept + copying.dropped));
	return err;
}
