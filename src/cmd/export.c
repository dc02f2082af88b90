/* perfmini export: a recording in the format of another viewer. */
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "cmd/cmd.h"
#include "cmd/recording_copy.h"
#include "cmd/report_options.h"
#include "event/clock.h"
#include "output/export.h"
#include "output/flame_diff_svg.h"
#include "perfdata/format.h"
#include "profile/origin.h"
#include "profile/unwinders.h"

struct export_options {
	struct recording_options recording;
	const char *format, *output, *event, *base;
	struct option_texts labels;
	bool hits, tasks;
};

static const struct option options[] = {
	RECORDING_OPTIONS(struct export_options),
	{ 0, "format", OPTION_TEXT, offsetof(struct export_options, format), "FORMAT", "folded, svg, speedscope, firefox, pprof or perf",
	  NULL, "folded svg speedscope firefox pprof perf" },
	{ 'o', "output", OPTION_TEXT, offsetof(struct export_options, output), "FILE",
	  "write FILE; its ending chooses the format (standard output)", NULL, NULL },
	{ 'e', "event", OPTION_TEXT, offsetof(struct export_options, event), "EVENT", "this event (the first with samples)",
	  NULL, "" },
	{ 0, "base", OPTION_TEXT, offsetof(struct export_options, base), "FILE",
	  "for svg: what it was before; the difference is drawn", NULL, NULL },
	{ 'n', "hits", OPTION_FLAG, offsetof(struct export_options, hits), NULL, "weigh by samples, not by period", NULL,
	  NULL },
	{ 0, "label", OPTION_TEXTS, offsetof(struct export_options, labels), "KEY=VALUE",
	  "of the whole recording, for pprof; may be repeated (machine=its host)", NULL, "" },
	{ 0, "tasks", OPTION_FLAG, offsetof(struct export_options, tasks), NULL,
	  "label samples with pid and tid, for pprof", NULL, NULL },
	{ 'C', "cpu", OPTION_TEXT, offsetof(struct export_options, recording.cpus), "LIST", "only these CPUs", NULL, "" },
	{ .type = OPTION_END },
};

static struct error *unknown_format(const char *what, const char *text)
{
	auto_text struct text names = { 0 };

	for (size_t i = 0; i < export_format_count(); i++)
		text_format(&names, "%s, ", export_format_at(i)->name);
	text_append(&names, "perf");
	return error_hint(error_new(ERROR_USAGE, "%s '%s' names no format", what, text), "--format takes %s", names.bytes);
}

static struct error *choose_format(const struct export_options *chosen, const struct export_format **ret)
{
	for (size_t i = 0; i < export_format_count(); i++) {
		const struct export_format *format = export_format_at(i);

		if (chosen->format ? !strcmp(chosen->format, format->name)
				   : chosen->output && text_ends_with(chosen->output, format->ending)) {
			*ret = format;
			return NULL;
		}
	}
	if (chosen->format)
		return unknown_format("--format", chosen->format);
	if (chosen->output)
		return unknown_format("the ending of", chosen->output);
	return error_hint(error_new(ERROR_USAGE, "no format is given"), "perfmini export --format svg -o FILE");
}

static struct error *choose_event(const struct profile *profile, const char *wanted, size_t *ret)
{
	for (size_t i = 0; i < profile->event_count; i++)
		if (wanted ? !strcmp(profile->events[i].name, wanted) : profile->events[i].samples > 0) {
			*ret = i;
			return NULL;
		}
	if (!wanted)
		return error_new(ERROR_NOT_FOUND, "%s: has no samples", profile->path);

	auto_text struct text names = { 0 };

	for (size_t i = 0; i < profile->event_count; i++) {
		text_append(&names, i ? ", " : "");
		text_append_escaped(&names, profile->events[i].name);
	}
	return error_hint(error_new(ERROR_NOT_FOUND, "%s: has no event '%s'", profile->path, wanted), "it has %s",
			  names.bytes ? names.bytes : "none");
}

static struct error *write_out(const char *path, const struct text *out)
{
	cleanup(file_replacement_guard) struct file_replacement *file = NULL;
	struct error *err;

	if (!path || !strcmp(path, "-")) {
		fwrite(out->bytes, 1, out->length, stdout);
		return NULL;
	}
	err = file_replace_begin(path, 0644, &file);
	if (err)
		return err;
	fwrite(out->bytes, 1, out->length, file_replace_stream(file));
	return file_replace_commit(take(file));
}

static void tell_others(const struct export_options *chosen, const struct profile *profile, size_t event)
{
	for (size_t i = event + 1; i < profile->event_count && !chosen->event; i++)
		if (profile->events[i].samples)
			log_note("event %s is exported; -e chooses another, such as %s", profile->events[event].name,
				 profile->events[i].name);
}

/* Labels as given, and the machine unless it is given. */
struct labels {
	struct export_label *items;
	size_t count;
};

static void labels_release(struct labels *labels)
{
	for (size_t i = 0; i < labels->count; i++)
		free((void *)labels->items[i].key);
	free(labels->items);
}

static void add_label(struct labels *labels, char *key, const char *value)
{
	labels->items[labels->count++] = (struct export_label){ key, value };
}

static struct error *make_labels(const struct export_options *chosen, const struct profile *profile,
				 struct labels *labels)
{
	const char *host = perfdata_feature_text(profile->reader, PERFDATA_FEATURE_HOSTNAME);

	labels->items = memory_zeroed(chosen->labels.count + 1, sizeof(*labels->items));
	for (size_t i = 0; i < chosen->labels.count; i++) {
		const char *text = chosen->labels.items[i], *equals = strchr(text, '=');

		if (!equals || equals == text)
			return error_new(ERROR_USAGE, "--label '%s' is not KEY=VALUE", text);
		add_label(labels, memory_strndup(text, (size_t)(equals - text)), equals + 1);
		if (!strcmp(labels->items[i].key, "machine"))
			host = NULL;
	}
	if (host)
		add_label(labels, memory_strdup("machine"), host);
	return NULL;
}

/* The recording of --base, and its flame tree. */
struct before {
	struct profile *profile;
	struct resolver *resolver;
	struct flame_tree *tree;
	struct unwinders *unwinders;
};

static void before_release(struct before *before)
{
	flame_tree_destroy(before->tree);
	resolver_destroy(before->resolver);
	profile_destroy(before->profile);
	unwinders_destroy(before->unwinders);
}

static struct error *load_before(const struct export_options *chosen, const char *event, struct before *ret)
{
	struct symbolizer_setup symbols = recording_symbols(&chosen->recording, false);
	struct profile_setup setup = { .fields = 1u << ROW_COMM | 1u << ROW_STACK,
				       .max_stack = chosen->recording.max_stack, .force = chosen->recording.force };
	struct error *err = unwinders_attach(&symbols, &setup, &ret->unwinders);
	size_t number;

	if (!err)
		err = profile_load(chosen->base, &setup, &ret->profile);
	if (!err)
		err = resolver_create(ret->profile, &symbols, &ret->resolver);
	if (!err)
		err = choose_event(ret->profile, event, &number);
	if (!err)
		ret->tree = flame_tree_create(ret->resolver, number);
	return err;
}

static struct error *export_difference(const struct export_options *chosen, const struct flame_tree *tree,
				       const struct profile *profile, size_t event)
{
	cleanup(before_release) struct before before = { 0 };
	cleanup(flame_diff_guard) struct flame_diff *diff = NULL;
	struct flame_diff_picture picture = { .labels = { chosen->base, chosen->recording.input },
					      .event = profile->events[event].name, .hits = chosen->hits };
	auto_text struct text out = { 0 };
	struct error *err = load_before(chosen, picture.event, &before);

	if (err)
		return err;
	picture.diff = diff = flame_diff_create(before.tree, tree);
	text_append(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	flame_diff_svg_draw(&picture, &out);
	return write_out(chosen->output, &out);
}

static struct error *export_recording(const struct export_options *chosen, const struct export_format *format,
				      struct resolver *resolver)
{
	const struct profile *profile = resolver_profile(resolver);
	cleanup(flame_tree_guard) struct flame_tree *tree = NULL;
	auto_free char *command = profile_command(profile);
	cleanup(labels_release) struct labels labels = { 0 };
	auto_text struct text out = { 0 };
	size_t event = 0;
	struct error *err = choose_event(profile, chosen->event, &event);

	if (!err)
		err = make_labels(chosen, profile, &labels);

	if (err)
		return err;
	if (!format->by_site)
		tree = flame_tree_create(resolver, event);
	if (chosen->base)
		return export_difference(chosen, tree, profile, event);

	struct export exported = {
		.tree = tree, .resolver = resolver, .event_number = event, .event = profile->events[event].name,
		.command = command, .is_time = event_is_clock(&profile->events[event].attr), .hits = chosen->hits,
		.written_ns = profile_written_ns(profile), .labels = labels.items, .label_count = labels.count,
	};

	format->write(&exported, &out);
	tell_others(chosen, profile, event);
	return write_out(chosen->output, &out);
}

/* perf.data again, with the samples that pass. */
static bool is_recording(const struct export_options *chosen)
{
	return chosen->format ? !strcmp(chosen->format, "perf") : chosen->output && text_ends_with(chosen->output, ".data");
}

static struct error *filter_recording(const struct export_options *chosen)
{
	cleanup(recording_filter_release) struct recording_filter filter = { 0 };
	struct error *err = chosen->base ? error_new(ERROR_USAGE, "--base is for --format svg, not perf") :
					   recording_filter_parse(&chosen->recording, &filter);
	struct recording_copy copy = { chosen->recording.input, chosen->output ? chosen->output : "-", chosen->event,
				       &filter.sample, chosen->recording.force };

	return err ? err : recording_copy(&copy);
}

static struct error *run_export(const struct export_options *chosen)
{
	const struct export_format *format = NULL;
	cleanup(recording_filter_release) struct recording_filter filter = { 0 };
	struct symbolizer_setup symbols = recording_symbols(&chosen->recording, false);
	cleanup(unwinders_guard) struct unwinders *unwinders = NULL;
	cleanup(profile_guard) struct profile *profile = NULL;
	cleanup(resolver_guard) struct resolver *resolver = NULL;
	struct error *err = choose_format(chosen, &format);

	if (!err && chosen->base && strcmp(format->name, "svg"))
		err = error_new(ERROR_USAGE, "--base is for --format svg, not %s", format->name);
	if (!err)
		err = recording_filter_parse(&chosen->recording, &filter);
	if (err)
		return err;

	symbols.lines = format->by_site;

	struct profile_setup setup = {
		.fields = 1u << ROW_COMM | 1u << ROW_STACK | (chosen->tasks ? 1u << ROW_TASK : 0),
		.max_stack = chosen->recording.max_stack,
		.force = chosen->recording.force,
		.filter = filter.sample,
	};

	err = unwinders_attach(&symbols, &setup, &unwinders);
	if (!err)
		err = profile_load(chosen->recording.input, &setup, &profile);
	if (!err)
		err = resolver_create(profile, &symbols, &resolver);
	return err ? err : export_recording(chosen, format, resolver);
}

static void release_options(struct export_options *chosen)
{
	option_texts_release(&chosen->labels);
}

static struct error *run(int argc, char **argv, int *status)
{
	cleanup(release_options) struct export_options chosen = { .recording = RECORDING_DEFAULTS };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_export, &parse, &operands, &helped);

	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	if (operands[0])
		chosen.recording.input = operands[0];
	if (operands[0] && operands[1])
		return error_new(ERROR_USAGE, "one recording at a time, not also '%s'", operands[1]);
	return is_recording(&chosen) ? filter_recording(&chosen) : run_export(&chosen);
}

const struct command command_export = { "export", "write a recording in another viewer's format", run, options,
					"[OPTIONS] [FILE]" };
