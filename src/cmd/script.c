/* perfmini script: the samples of a recording, line by line. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "cmd/cmd.h"
#include "cmd/report_options.h"
#include "output/script.h"
#include "perfdata/record.h"
#include "profile/unwinders.h"

struct script_options {
	struct recording_options recording;
	const char *fields;
	bool hide_chains, show_mappings, show_tasks, folded, periods;
};

static const struct option options[] = {
	RECORDING_OPTIONS(struct script_options),
	{ 'F', "fields", OPTION_TEXT, offsetof(struct script_options, fields), "FIELD,…",
	  "what lines show; +FIELD and -FIELD change the default", NULL, "" },
	{ 'G', "hide-call-graph", OPTION_FLAG, offsetof(struct script_options, hide_chains), NULL,
	  "no call chains", NULL, NULL },
	{ 'C', "cpu", OPTION_TEXT, offsetof(struct script_options, recording.cpus), "LIST", "only these CPUs", NULL, "" },
	{ 0, "show-mmap-events", OPTION_FLAG, offsetof(struct script_options, show_mappings), NULL,
	  "mappings too", NULL, NULL },
	{ 0, "show-task-events", OPTION_FLAG, offsetof(struct script_options, show_tasks), NULL,
	  "names, starts and ends of tasks too", NULL, NULL },
	{ 0, "folded", OPTION_FLAG, offsetof(struct script_options, folded), NULL,
	  "chains as one line each with a count, for flame graphs", NULL, NULL },
	{ 0, "period", OPTION_FLAG, offsetof(struct script_options, periods), NULL,
	  "with --folded: sums of periods, not samples", NULL, NULL },
	{ .type = OPTION_END },
};

static const struct {
	const char *name;
	uint32_t field;
} field_names[] = {
	{ "comm", SCRIPT_COMM },     { "pid", SCRIPT_PID },	  { "tid", SCRIPT_TID },	 { "cpu", SCRIPT_CPU },
	{ "time", SCRIPT_TIME },     { "period", SCRIPT_PERIOD }, { "event", SCRIPT_EVENT },	 { "addr", SCRIPT_ADDR },
	{ "weight", SCRIPT_WEIGHT }, { "ip", SCRIPT_IP },	  { "sym", SCRIPT_SYM },	 { "symoff", SCRIPT_SYMOFF },
	{ "dso", SCRIPT_DSO },	     { "srcline", SCRIPT_SRCLINE }, { "phys_addr", SCRIPT_PHYS_ADDR },
};

enum {
	DEFAULT_FIELDS = SCRIPT_COMM | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME | SCRIPT_PERIOD | SCRIPT_EVENT | SCRIPT_IP |
			 SCRIPT_SYM | SCRIPT_SYMOFF | SCRIPT_DSO,
	FLUSH_AT = 1 << 16,
};

/* One run of the command. */
struct script {
	struct script_options options;
	struct symbolizer_setup symbols;
	struct script_view view;
	struct script_writer *writer;
	struct resolver *resolver;
	struct text out;
};

static uint32_t field_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(field_names); i++)
		if (!strcmp(field_names[i].name, name))
			return field_names[i].field;
	return 0;
}

static struct error *unknown_field(const char *name)
{
	const char *names[ARRAY_SIZE(field_names)];
	auto_text struct text all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(field_names); i++) {
		names[i] = field_names[i].name;
		text_format(&all, "%s%s", i ? ", " : "", names[i]);
	}
	return error_hint(error_new(ERROR_USAGE, "-F: unknown field '%s'", name), "the fields are %s", all.bytes);
}

static struct error *choose_fields(const char *text, uint32_t *ret)
{
	cleanup(word_list_release) struct word_list words = { 0 };
	uint32_t fields = text && text[0] != '+' && text[0] != '-' ? 0 : DEFAULT_FIELDS;

	word_list_add(&words, text);
	for (size_t i = 0; i < words.count; i++) {
		const char *word = words.items[i];
		char sign = *word == '+' || *word == '-' ? *word++ : '+';
		uint32_t field = field_of(word);

		if (!field)
			return unknown_field(word);
		fields = sign == '-' ? fields & ~field : fields | field;
	}
	*ret = fields;
	return NULL;
}

static struct error *prepare_output(struct script *script, const struct profile *profile)
{
	if (script->resolver)
		return NULL;

	bool has_stacks = false;

	for (size_t i = 0; i < profile->event_count; i++) {
		size_t length = strlen(profile->events[i].name);

		if (length > script->view.event_width)
			script->view.event_width = length;
		has_stacks |= profile->events[i].has_stacks;
	}
	script->view.chains = has_stacks && !script->options.hide_chains;
	script->writer = script_writer_create(&script->view);
	return resolver_create(profile, &script->symbols, &script->resolver);
}

static void flush_when_full(struct script *script)
{
	if (script->out.length >= FLUSH_AT)
		print_text(&script->out);
}

static struct error *print_sample(void *data, struct profile *profile, const struct profile_sample *given)
{
	struct script *script = data;
	struct error *err = prepare_output(script, profile);
	struct moment when = { given->record->time_ns, given->record->file_offset };
	struct script_line line = { given, NULL, &profile->events[given->event] };

	if (err)
		return err;
	line.comm = space_comm(profile->space, given->sample->tid, when, false);
	script_append(script->writer, script->resolver, &line, &script->out);
	flush_when_full(script);
	return NULL;
}

static struct error *append_mapping(const struct record *record, uint32_t *tid, struct text *out)
{
	struct mapping_record mapping;
	struct error *err = mapping_record_decode(record, &mapping);

	if (err)
		return err;
	*tid = mapping.tid;
	text_format(out, "PERF_RECORD_MMAP%s %d/%d: [0x%" PRIx64 "(0x%" PRIx64 ") @ 0x%" PRIx64 " %02x:%02x %" PRIu64 "]: ",
		    record->type == PERF_RECORD_MMAP2 ? "2" : "", (int)mapping.pid, (int)mapping.tid, mapping.address,
		    mapping.length, mapping.file_offset, mapping.device_major, mapping.device_minor, mapping.inode);
	text_append_escaped(out, mapping.path);
	return NULL;
}

static struct error *append_task_change(const struct record *record, uint32_t *tid, struct text *out)
{
	struct comm_record comm;
	struct task_record task;
	struct error *err;

	if (record->type == PERF_RECORD_COMM) {
		err = comm_record_decode(record, &comm);
		if (err)
			return err;
		*tid = comm.tid;
		text_format(out, "PERF_RECORD_COMM%s: ", comm.is_exec ? " exec" : "");
		text_append_escaped(out, comm.comm);
		text_format(out, ":%d/%d", (int)comm.pid, (int)comm.tid);
		return NULL;
	}
	err = task_record_decode(record, &task);
	if (err)
		return err;
	*tid = task.tid;
	text_format(out, "PERF_RECORD_%s(%d:%d):(%d:%d)", record->type == PERF_RECORD_FORK ? "FORK" : "EXIT",
		    (int)task.pid, (int)task.tid, (int)task.parent_pid, (int)task.parent_tid);
	return NULL;
}

static struct error *print_other(void *data, struct profile *profile, const struct record *record)
{
	struct script *script = data;
	bool is_mapping = record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2;
	bool is_task = record->type == PERF_RECORD_COMM || record->type == PERF_RECORD_FORK ||
		       record->type == PERF_RECORD_EXIT;
	auto_text struct text line = { 0 };
	struct sample sample = { 0 };
	struct error *err;

	if (!(is_mapping && script->options.show_mappings) && !(is_task && script->options.show_tasks))
		return NULL;
	err = is_mapping ? append_mapping(record, &sample.tid, &line) : append_task_change(record, &sample.tid, &line);
	if (!err)
		err = prepare_output(script, profile);
	if (err || !profile->event_count)
		return err;

	struct profile_sample given = { .record = record, .sample = &sample };
	struct profile_event event = { .attr.sample_type = PERF_SAMPLE_TIME };
	struct moment when = { record->time_ns, record->file_offset };
	struct script_line lead = { &given, space_comm(profile->space, sample.tid, when, false), &event };

	script_append_lead(&script->view, &lead, record->time_ns, &script->out);
	text_append(&script->out, line.bytes);
	text_append_char(&script->out, '\n');
	flush_when_full(script);
	return NULL;
}

static struct error *print_folded(struct script *script, const struct profile *profile)
{
	struct error *err = resolver_create(profile, &script->symbols, &script->resolver);

	if (!err)
		script_folded(profile, script->resolver, script->options.periods, &script->out);
	return err;
}

static struct error *run_script(struct script *script)
{
	cleanup(recording_filter_release) struct recording_filter filter = { 0 };
	cleanup(profile_guard) struct profile *profile = NULL;
	struct error *err = choose_fields(script->options.fields, &script->view.fields);

	if (!err)
		err = recording_filter_parse(&script->options.recording, &filter);
	if (err)
		return err;

	struct profile_setup setup = {
		.fields = 1u << ROW_COMM | (script->options.hide_chains ? 0 : 1u << ROW_STACK),
		.max_stack = script->options.recording.max_stack,
		.force = script->options.recording.force,
		.filter = filter.sample,
		.each = script->options.folded ? NULL : print_sample,
		.each_other = script->options.show_mappings || script->options.show_tasks ? print_other : NULL,
		.each_data = script,
	};

	if (script->options.folded)
		setup.each_other = NULL;
	script->symbols = recording_symbols(&script->options.recording, script->view.fields & SCRIPT_SRCLINE);

	cleanup(unwinders_guard) struct unwinders *unwinders = NULL;

	err = unwinders_attach(&script->symbols, &setup, &unwinders);
	if (!err)
		err = profile_load(script->options.recording.input, &setup, &profile);
	if (!err && script->options.folded)
		err = print_folded(script, profile);
	print_text(&script->out);
	resolver_destroy(take(script->resolver));
	return err;
}

static struct error *run(int argc, char **argv, int *status)
{
	struct script script = { .options = { .recording = RECORDING_DEFAULTS } };
	struct options_parse parse = { options, &script.options, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_script, &parse, &operands, &helped);

	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	if (operands[0])
		script.options.recording.input = operands[0];
	if (operands[0] && operands[1])
		return error_new(ERROR_USAGE, "one recording at a time, not also '%s'", operands[1]);
	err = run_script(&script);
	script_writer_destroy(script.writer);
	text_release(&script.out);
	return err;
}

const struct command command_script = { "script", "print the samples of a recording, line by line", run, options,
					"[OPTIONS] [FILE]" };
