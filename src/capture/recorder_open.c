/* Begin a recording: events, rings, file, and what is there already. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/memory.h"
#include "capture/description.h"
#include "capture/recorder_private.h"
#include "capture/synthesis.h"
#include "perfdata/format.h"

enum {
	RING_BYTES = 512 * 1024,
	RING_BYTES_PRIVILEGED = 2 * 1024 * 1024, /* not held to perf_event_mlock_kb */
	WAKE_AT = 4, /* a quarter full */
};

static struct error *open_counters(const struct recorder *recorder, struct event_list *events, bool inherit,
				   struct counters **ret)
{
	const struct recorder_setup *setup = &recorder->setup;
	struct counters_setup counters = {
		.kernel = setup->kernel,
		.events = events,
		.target = setup->target,
		.inherit = inherit,
		/* What control is to switch on and off must not be left to the exec. */
		.enable_on_exec = target_is_command(setup->target) &&
				  (events == recorder->side_events || (!setup->start_disabled && !setup->control)),
		.sampling = true,
	};

	return counters_open(&counters, ret);
}

/* A recording with an event less than asked for would mislead. */
static struct error *check_open(const struct counters *counters, size_t event_count)
{
	for (size_t i = 0; i < event_count; i++) {
		const struct error *why = counters_why(counters, i);
		struct error *err;

		if (!why)
			continue;
		err = error_new(error_kind(why), "%s", error_message(why));
		return error_hint_text(why) ? error_hint(err, "%s", error_hint_text(why)) : err;
	}
	return NULL;
}

static struct error *open_events(struct recorder *recorder, const struct sampling *sampling)
{
	struct recorder_setup *setup = &recorder->setup;
	struct sampling_support support;
	bool reads, inherit;
	struct error *err;

	sampling_probe(setup->kernel, &support);
	sampling_apply(sampling, &support, setup->events, &reads);
	inherit = setup->inherit && !reads;
	if (reads && setup->inherit && target_is_command(setup->target))
		log_note("with :S child processes are not recorded: the kernel cannot read a child's group");
	err = open_counters(recorder, setup->events, inherit, &recorder->counters);
	if (!err)
		err = check_open(recorder->counters, event_list_count(setup->events));
	if (err || !sampling->separate_side_band)
		return err;
	recorder->side_events = sampling_side_band(sampling, &support);
	err = open_counters(recorder, recorder->side_events, inherit, &recorder->side_counters);
	return err ? err : check_open(recorder->side_counters, 1);
}

static struct error *open_rings(struct recorder *recorder, uint64_t bytes)
{
	struct counters *const counters[] = { recorder->counters, recorder->side_counters };
	size_t counts[] = { event_list_count(recorder->setup.events), 1 };
	struct rings_setup rings = {
		.kernel = recorder->setup.kernel,
		.counters = counters,
		.event_counts = counts,
		.counters_count = recorder->side_counters ? 2 : 1,
		.pages = bytes / (size_t)sysconf(_SC_PAGESIZE),
		.may_shrink = !recorder->setup.ring_bytes,
	};

	return rings_open(&rings, &recorder->rings);
}

/* An event as the file names it; the ids of all its places. */
static struct perfdata_writer_event written_event(const struct counters *counters, const struct event_list *events,
						  size_t index)
{
	const struct place *places;
	size_t place_count = counters_places(counters, &places), count = 0;
	uint64_t *ids = memory_zeroed(place_count, sizeof(*ids));

	for (size_t place = 0; place < place_count; place++) {
		if (counters_fd(counters, index, place) >= 0)
			ids[count++] = counters_id(counters, index, place);
	}

	const struct event *event = event_list_at(events, index);
	bool add_user = counters_user_only(counters, index) && !strchr(event->name, ':');

	return (struct perfdata_writer_event){ &event->attr, memory_format("%s%s", event->name, add_user ? ":u" : ""),
					       ids, count };
}

static struct error *keep_old(const char *path)
{
	auto_free char *old = memory_format("%s.old", path);
	struct stat status;

	if (!strcmp(path, "-") || stat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return NULL;
	return rename(path, old) ? error_os(errno, "keep %s as %s", path, old) : NULL;
}

static struct error *begin_file(struct recorder *recorder, const struct perfdata_writer_event *events, size_t count,
				uint32_t ring_bytes)
{
	const struct recorder_setup *setup = &recorder->setup;
	struct description description = { setup->words, setup->events, events, count, setup->compress, ring_bytes };
	struct error *err = keep_old(setup->output);

	if (!err)
		err = perfdata_create(setup->output, events, count, setup->compress, &recorder->writer);
	return err ? err : describe(recorder->writer, &description);
}

static struct error *write_head(struct recorder *recorder, uint32_t ring_bytes)
{
	size_t count = event_list_count(recorder->setup.events), all = count + (recorder->side_counters != NULL);
	auto_free struct perfdata_writer_event *events = memory_zeroed(all, sizeof(*events));

	for (size_t i = 0; i < count; i++)
		events[i] = written_event(recorder->counters, recorder->setup.events, i);
	if (recorder->side_counters)
		events[count] = written_event(recorder->side_counters, recorder->side_events, 0);

	struct error *err = begin_file(recorder, events, all, ring_bytes);

	for (size_t i = 0; i < all; i++) {
		free((char *)(uintptr_t)events[i].name);
		free((uint64_t *)(uintptr_t)events[i].ids);
	}
	return err;
}

/* A thread's process has the mappings. */
static void describe_tasks(const struct target *target, struct text *records, size_t tail_bytes)
{
	const struct place *places;
	size_t count = target_places(target, &places);
	auto_free pid_t *done = memory_zeroed(count, sizeof(*done));
	size_t done_count = 0;

	for (size_t i = 0; i < count; i++) {
		pid_t process = process_of_thread(places[i].pid);
		bool again = !process;

		for (size_t j = done_count; j-- > 0 && !again;)
			again = done[j] == process;
		if (again)
			continue;
		done[done_count++] = process;
		synthesize_process(records, tail_bytes, process);
	}
}

/* Let hits know of the mappings that were made up here. */
static void note_mappings(struct hits *hits, const struct text *records)
{
	struct perf_event_header header;

	for (size_t at = 0; hits && at < records->length; at += header.size) {
		memcpy(&header, records->bytes + at, sizeof(header));
		if (header.type == PERF_RECORD_MMAP2)
			hits_add_mapping(hits, header.type, header.misc, records->bytes + at + sizeof(header),
					 header.size - sizeof(header));
	}
}

static struct error *describe_what_is_there(struct recorder *recorder)
{
	static const struct perf_event_header finished_init = { PERFDATA_RECORD_FINISHED_INIT, 0,
								sizeof(finished_init) };
	const struct target *target = recorder->setup.target;
	size_t tail_bytes = recorder->layout.tail_size;
	auto_text struct text records = { 0 };
	struct error *err = NULL;

	synthesize_kernel(&records, tail_bytes);
	if (target_is_cpus(target))
		err = synthesize_processes(&records, tail_bytes);
	else if (!target_is_command(target))
		describe_tasks(target, &records, tail_bytes);
	if (err)
		return err;
	note_mappings(recorder->hits, &records);
	text_append_bytes(&records, (const char *)&finished_init, sizeof(finished_init));
	err = perfdata_append(recorder->writer, records.bytes, records.length);
	return err ? err : perfdata_flush(recorder->writer);
}

struct error *recorder_open(const struct recorder_setup *setup, struct recorder **ret)
{
	cleanup(recorder_guard) struct recorder *recorder = memory_zeroed(1, sizeof(*recorder));
	uint64_t ring_bytes = setup->ring_bytes ? setup->ring_bytes :
			      geteuid() == 0	? RING_BYTES_PRIVILEGED :
						  RING_BYTES;
	struct sampling sampling = *setup->sampling;

	recorder->setup = *setup;
	recorder->straddling = memory_alloc(PERFDATA_RECORD_MAX);
	sampling.watermark_bytes = (uint32_t)(ring_bytes / WAKE_AT);

	struct error *err = open_events(recorder, &sampling);

	if (!err)
		err = open_rings(recorder, ring_bytes);
	if (err)
		return err;
	sample_layout_init(&recorder->layout, &event_list_at(setup->events, 0)->attr);
	if (setup->keep_build_ids)
		recorder->hits = hits_create();
	err = write_head(recorder, (uint32_t)ring_bytes);
	if (!err)
		err = describe_what_is_there(recorder);
	if (!err)
		*ret = take(recorder);
	return err;
}

void recorder_destroy(struct recorder *recorder)
{
	if (!recorder)
		return;
	rings_destroy(recorder->rings);
	counters_destroy(recorder->counters);
	counters_destroy(recorder->side_counters);
	event_list_destroy(recorder->side_events);
	perfdata_writer_destroy(recorder->writer);
	hits_destroy(recorder->hits);
	free(recorder->straddling);
	free(recorder);
}
