/* perfmini merge: recordings of many machines as one profile. */
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/bundle.h"
#include "cmd/cmd.h"
#include "cmd/report_options.h"
#include "event/clock.h"
#include "output/pprof.h"
#include "perfdata/format.h"
#include "profile/origin.h"
#include "profile/unwinders.h"

struct merge_options {
	struct recording_options recording;
	const char *event;
	struct option_texts labels;
	bool by_machine, hits;
};

#define AT(member) offsetof(struct merge_options, member)

static const struct option options[] = {
	{ 'e', "event", OPTION_TEXT, AT(event), "EVENT", "this event (the first recording's first with samples)", NULL, "" },
	{ 0, "by-machine", OPTION_FLAG, AT(by_machine), NULL, "keep machines apart, by the label machine", NULL, NULL },
	{ 0, "label", OPTION_TEXTS, AT(labels), "KEY=VALUE", "of all samples; may be repeated", NULL, "" },
	{ 'n', "hits", OPTION_FLAG, AT(hits), NULL, "samples are what viewers show first, not events", NULL, NULL },
	{ 0, "symfs", OPTION_TEXT, AT(recording.symfs), "DIR", "look for binaries below DIR", NULL, NULL },
	{ 0, "debuginfod", OPTION_FLAG, AT(recording.debuginfod), NULL, "ask debuginfod servers", NULL, NULL },
	{ 'f', "force", OPTION_FLAG, AT(recording.force), NULL, "use what can be read of damaged files", NULL, NULL },
	{ .type = OPTION_END },
};

/* What all recordings go into. */
struct merge {
	const struct merge_options *options;
	struct pprof *pprof;
	struct symbolizer *symbolizer;
	struct symbolizer_setup symbols;
	char *event;              /* NULL before the first recording */
	bool is_time;
	uint64_t sample_period, written_ns, duration_ns;
	size_t recordings;
	uint64_t samples;
};

static void merge_release(struct merge *merge)
{
	pprof_destroy(merge->pprof);
	symbolizer_destroy(merge->symbolizer);
	free(merge->event);
}

static struct error *find_event(struct merge *merge, const struct profile *profile, size_t *ret)
{
	for (size_t i = 0; i < profile->event_count; i++)
		if (merge->event ? !strcmp(profile->events[i].name, merge->event) : profile->events[i].samples > 0) {
			*ret = i;
			return NULL;
		}
	if (!merge->event)
		return error_hint(error_new(ERROR_NOT_FOUND, "%s: has no samples", profile->path),
				  "leave it out, or name the event with -e");
	return error_hint(error_new(ERROR_NOT_FOUND, "%s: has no event '%s'", profile->path, merge->event),
			  "periods of unlike events cannot be added; -e EVENT chooses one that all have");
}

/* The first recording says what is merged. */
static void describe(struct merge *merge, const struct profile_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	if (!merge->event)
		merge->event = memory_strdup(event->name);
	if (merge->recordings)
		return;
	merge->is_time = event_is_clock(attr);
	merge->sample_period = attr->freq ? 0 : attr->sample_period;
}

/* Labels of every sample of one recording: those given, its machine, its arm. */
struct labels {
	struct export_label *items;
	size_t count, capacity;
};

static void add_label(struct labels *labels, const char *key, const char *value)
{
	array_grow(&labels->items, labels->count, &labels->capacity);
	labels->items[labels->count++] = (struct export_label){ key, value };
}

static struct error *check_labels(const struct option_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++) {
		const char *equals = strchr(texts->items[i], '=');

		if (!equals || equals == texts->items[i])
			return error_new(ERROR_USAGE, "--label '%s' is not KEY=VALUE", texts->items[i]);
	}
	return NULL;
}

static struct error *add_profile(struct merge *merge, struct resolver *resolver, const char *arm)
{
	const struct profile *profile = resolver_profile(resolver);
	const struct option_texts *given = &merge->options->labels;
	const char *host = perfdata_feature_text(profile->reader, PERFDATA_FEATURE_HOSTNAME);
	struct labels labels = { 0 };
	size_t event = 0;
	struct error *err = find_event(merge, profile, &event);

	if (err)
		return err;
	describe(merge, &profile->events[event]);

	struct arena *arena = arena_create();

	for (size_t i = 0; i < given->count; i++) {
		char *key = arena_strdup(arena, given->items[i]), *equals = strchr(key, '=');

		*equals = '\0';
		add_label(&labels, key, equals + 1);
	}
	if (merge->options->by_machine)
		add_label(&labels, "machine", host ? host : "unknown");
	if (arm)
		add_label(&labels, "arm", arm);

	struct export exported = { .resolver = resolver, .event_number = event, .labels = labels.items,
				   .label_count = labels.count };

	pprof_add(merge->pprof, &exported);
	arena_destroy(arena);
	free(labels.items);
	merge->recordings++;
	merge->samples += profile->events[event].samples;
	merge->duration_ns += profile->last_ns - profile->first_ns;
	if (profile_written_ns(profile) > merge->written_ns)
		merge->written_ns = profile_written_ns(profile);
	return NULL;
}

/* One recording, read, added and forgotten. */
static struct error *add_recording(struct merge *merge, const char *path, const char *arm)
{
	cleanup(unwinders_guard) struct unwinders *unwinders = NULL;
	cleanup(profile_guard) struct profile *profile = NULL;
	cleanup(resolver_guard) struct resolver *resolver = NULL;
	struct profile_setup setup = { .fields = 1u << ROW_COMM | 1u << ROW_STACK,
				       .force = merge->options->recording.force };
	struct error *err = unwinders_attach(&merge->symbols, &setup, &unwinders);

	if (!err)
		err = profile_load(path, &setup, &profile);
	if (err)
		return err;
	resolver = resolver_create_shared(profile, merge->symbolizer, true);
	return add_profile(merge, resolver, arm);
}

/* The recordings of an experiment are kept apart by their arms. */
static struct error *add_bundle(struct merge *merge, const char *directory)
{
	cleanup(runs_guard) struct runs *runs = NULL;
	cleanup(bundle_recordings_release) struct bundle_recordings recordings = { 0 };
	struct error *err = bundle_load(directory, &runs, &recordings);

	for (size_t arm = 0; arm < recordings.arm_count && !err; arm++)
		for (size_t i = 0; i < recordings.count && !err; i++)
			err = add_recording(merge, bundle_recordings_of(&recordings, arm)[i], runs->arms[arm].name);
	return err;
}

static struct error *write_out(struct merge *merge, const char *path)
{
	struct pprof_description about = {
		.event = merge->event, .unit = merge->is_time ? "nanoseconds" : "count",
		.sample_period = merge->sample_period, .written_ns = merge->written_ns, .duration_ns = merge->duration_ns,
		.hits = merge->options->hits,
	};
	cleanup(file_replacement_guard) struct file_replacement *file = NULL;
	auto_text struct text out = { 0 };
	struct error *err;

	pprof_write(merge->pprof, &about, &out);
	if (!strcmp(path, "-")) {
		fwrite(out.bytes, 1, out.length, stdout);
		return NULL;
	}
	err = file_replace_begin(path, 0644, &file);
	if (err)
		return err;
	fwrite(out.bytes, 1, out.length, file_replace_stream(file));
	err = file_replace_commit(take(file));
	if (!err)
		log_note("%s: %llu samples of %s, of %zu recordings", path, (unsigned long long)merge->samples, merge->event,
			 merge->recordings);
	return err;
}

static struct error *merge_all(const struct merge_options *chosen, char *const *operands)
{
	cleanup(merge_release) struct merge merge = { .options = chosen, .pprof = pprof_create(),
						      .symbols = recording_symbols(&chosen->recording, true) };
	struct error *err = check_labels(&chosen->labels);

	if (chosen->event)
		merge.event = memory_strdup(chosen->event);
	if (!err)
		err = symbolizer_create(&merge.symbols, &merge.symbolizer);
	for (char *const *in = operands + 1; !err && *in; in++)
		err = bundle_is(*in) ? add_bundle(&merge, *in) : add_recording(&merge, *in, NULL);
	return err ? err : write_out(&merge, operands[0]);
}

static struct error *run(int argc, char **argv, int *status)
{
	struct merge_options chosen = { .recording = RECORDING_DEFAULTS };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_merge, &parse, &operands, &helped);

	*status = 0;
	if (!err && !helped) {
		if (!operands[0] || !operands[1])
			err = error_hint(error_new(ERROR_USAGE, "nothing to merge"),
					 "such as: perfmini merge all.pb.gz one.data two.data");
		else if (strcmp(operands[0], "-") && !text_ends_with(operands[0], ".pb.gz"))
			err = error_hint(error_new(ERROR_USAGE, "'%s' does not end in .pb.gz", operands[0]),
					 "the first file is written, in pprof's format");
		else
			err = merge_all(&chosen, operands);
	}
	option_texts_release(&chosen.labels);
	return err;
}

const struct command command_merge = { "merge", "put recordings of many machines into one profile", run, options,
				       "[OPTIONS] OUT.pb.gz FILE…" };
