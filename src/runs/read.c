/* Reading a runs file: line by line, everything checked before it is used. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "runs/fields.h"
#include "runs/runs.h"

/* Where the reader stands, for messages. */
struct place {
	const char *name; /* of the file */
	size_t line;
};

static void json_guard(json_t **value)
{
	json_decref(*value);
}
#define auto_json cleanup(json_guard)

static struct error *malformed(const struct place *at, const char *format, ...) printf_like(2, 3);
static struct error *malformed(const struct place *at, const char *format, ...)
{
	va_list args;
	char *what;

	va_start(args, format);
	if (vasprintf(&what, format, args) < 0)
		abort();
	va_end(args);

	struct error *err = error_new(ERROR_FORMAT, "%s: line %zu: %s", at->name, at->line, what);

	free(what);
	return err;
}

static bool json_to_u64(const json_t *value, uint64_t *ret)
{
	char *end;

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*ret = (uint64_t)json_integer_value(value);
		return true;
	}
	if (!json_is_string(value) || !*json_string_value(value) ||
	    strspn(json_string_value(value), "0123456789") != json_string_length(value))
		return false;
	errno = 0;
	*ret = strtoull(json_string_value(value), &end, 10);
	return !errno && !*end;
}

static struct error *read_texts(struct runs *runs, const struct place *at, const json_t *array, const char *name,
				const char *const **ret)
{
	if (!json_is_array(array))
		return malformed(at, "\"%s\" is not a list", name);

	size_t count = json_array_size(array);
	const char **texts = runs_alloc(runs, count + 1, sizeof(*texts));

	for (size_t i = 0; i < count; i++) {
		texts[i] = runs_text(runs, json_string_value(json_array_get(array, i)));
		if (!texts[i])
			return malformed(at, "\"%s\" holds what is not text", name);
	}
	*ret = texts;
	return NULL;
}

static const char *get_text(struct runs *runs, const json_t *object, const char *name)
{
	return runs_text(runs, json_string_value(json_object_get(object, name)));
}

static struct error *read_arms(struct runs *runs, const struct place *at, const json_t *array)
{
	size_t count = json_array_size(array);

	if (!count)
		return malformed(at, "\"arms\" is not a list, or empty");
	runs->arms = runs_alloc(runs, count, sizeof(*runs->arms));
	runs->arm_count = count;
	for (size_t i = 0; i < count; i++) {
		const json_t *object = json_array_get(array, i);
		struct run_arm *arm = &runs->arms[i];

		arm->name = get_text(runs, object, "name");
		arm->build_id = get_text(runs, object, "build_id");
		arm->content_hash = get_text(runs, object, "content_hash");
		if (!arm->name)
			return malformed(at, "arm %zu has no name", i);

		struct error *err = read_texts(runs, at, json_object_get(object, "command"), "command", &arm->command);

		if (err)
			return err;
	}
	return NULL;
}

static struct error *read_events(struct runs *runs, const struct place *at, const json_t *array)
{
	size_t count = json_array_size(array);

	if (!json_is_array(array))
		return malformed(at, "\"events\" is not a list");
	runs->events = runs_alloc(runs, count, sizeof(*runs->events));
	runs->event_count = count;
	for (size_t i = 0; i < count; i++) {
		const json_t *object = json_array_get(array, i);
		struct run_event *event = &runs->events[i];
		uint64_t group;

		event->name = get_text(runs, object, "name");
		event->note = get_text(runs, object, "note");
		event->unit = get_text(runs, object, "unit");
		event->place = get_text(runs, object, "place");
		event->why = get_text(runs, object, "why");
		event->place_cpus = (uint32_t)json_integer_value(json_object_get(object, "place_cpus"));
		event->scale = json_number_value(json_object_get(object, "scale"));
		if (!event->name)
			return malformed(at, "event %zu has no name", i);
		if (!isfinite(event->scale) || event->scale <= 0)
			return malformed(at, "event '%s' has no scale above 0", event->name);
		if (!json_to_u64(json_object_get(object, "group"), &group) || group >= count)
			return malformed(at, "event '%s' is in a group that is not there", event->name);
		event->group = group;
	}
	return NULL;
}

/* Numbers of versions are checked first, so that a future file gets that message and no other. */
static struct error *check_version(const struct place *at, const json_t *object)
{
	const json_t *version = json_object_get(object, "perfmini_runs");

	if (!json_is_integer(version) || json_integer_value(version) < 1)
		return malformed(at, "not a runs file: no \"perfmini_runs\"");
	if (json_integer_value(version) > RUNS_FORMAT_VERSION)
		return error_hint(error_new(ERROR_UNSUPPORTED,
					    "%s: runs format %" JSON_INTEGER_FORMAT " is newer than this program's %d",
					    at->name, json_integer_value(version), RUNS_FORMAT_VERSION),
				  "read it with the perfmini that wrote it, or a newer one");
	return NULL;
}

static struct error *read_lists(struct runs *runs, const struct place *at, const json_t *object)
{
	struct error *err = read_texts(runs, at, json_object_get(object, "plan"), "plan", &runs->plan);

	if (!err)
		err = read_texts(runs, at, json_object_get(object, "settings"), "settings", &runs->settings);
	if (!err)
		err = read_texts(runs, at, json_object_get(object, "printed"), "printed", &runs->printed);
	if (err)
		return err;
	runs->plan_count = json_array_size(json_object_get(object, "plan"));
	runs->setting_count = json_array_size(json_object_get(object, "settings"));
	runs->printed_count = json_array_size(json_object_get(object, "printed"));
	return NULL;
}

static struct error *read_header(struct runs *runs, const struct place *at, const json_t *object)
{
	struct error *err = check_version(at, object);

	if (err)
		return err;
	runs->kind = get_text(runs, object, "kind");
	runs->version = get_text(runs, object, "version");
	runs->host = get_text(runs, object, "host");
	runs->kernel = get_text(runs, object, "kernel");
	runs->machine = get_text(runs, object, "machine");
	runs->cpu_model = get_text(runs, object, "cpu_model");
	if (!runs->kind || (strcmp(runs->kind, "stat") && strcmp(runs->kind, "ab")))
		return malformed(at, "\"kind\" is neither \"stat\" nor \"ab\"");
	if (!json_to_u64(json_object_get(object, "seed"), &runs->seed))
		return malformed(at, "\"seed\" is not a whole number from 0 up");
	err = read_lists(runs, at, object);
	if (!err)
		err = read_arms(runs, at, json_object_get(object, "arms"));
	return err ? err : read_events(runs, at, json_object_get(object, "events"));
}

static bool read_hex(const json_t *value, uint64_t *ret)
{
	const char *text = json_string_value(value);

	if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
		return false;
	*ret = strtoull(text, NULL, 16);
	return true;
}

/* Store one field; false when the value does not fit it. */
static bool read_field(struct runs *runs, struct run *run, const struct run_field *field, const json_t *value)
{
	void *at = (char *)run + field->offset;
	json_int_t number = json_integer_value(value);

	switch (field->type) {
	case FIELD_U32:
		*(uint32_t *)at = (uint32_t)number;
		return json_is_integer(value) && number >= 0 && number <= UINT32_MAX;
	case FIELD_INT:
		*(int *)at = (int)number;
		return json_is_integer(value) && number >= INT32_MIN && number <= INT32_MAX;
	case FIELD_U64:
		return json_to_u64(value, at);
	case FIELD_TEXT:
		*(const char **)at = runs_text(runs, json_string_value(value));
		return json_is_string(value);
	case FIELD_HEX:
		return read_hex(value, at);
	}
	return false;
}

static struct error *read_fields(struct runs *runs, struct run *run, const struct place *at, const json_t *object)
{
	for (const struct run_field *field = run_fields; field->name; field++) {
		const json_t *value = json_object_get(object, field->name);

		if (!value && field->type == FIELD_U32 && field->absent < 0)
			return malformed(at, "a run without \"%s\"", field->name);
		if (value && !read_field(runs, run, field, value))
			return malformed(at, "\"%s\" is out of range or of the wrong type", field->name);
	}
	run->is_void = run->void_why != NULL;
	if (run->arm >= runs->arm_count)
		return malformed(at, "arm %u, but there are %zu", run->arm, runs->arm_count);
	return NULL;
}

static size_t find_name(const char *const *names, const char *name)
{
	size_t i = 0;

	while (names[i] && (!name || strcmp(names[i], name)))
		i++;
	return i;
}

static struct error *read_count(struct run_count *count, const struct place *at, const json_t *value)
{
	if (json_is_string(value)) {
		size_t state = find_name(count_state_names, json_string_value(value));

		if (!count_state_names[state])
			return malformed(at, "count state '%s' is unknown", json_string_value(value));
		count->state = (enum count_state)(state + 1);
		return NULL;
	}
	if (json_array_size(value) != 3 || !json_to_u64(json_array_get(value, 0), &count->value) ||
	    !json_to_u64(json_array_get(value, 1), &count->enabled_ns) ||
	    !json_to_u64(json_array_get(value, 2), &count->running_ns))
		return malformed(at, "a count is not [value, enabled, running]");
	return NULL;
}

static struct error *read_counts(struct runs *runs, struct run *run, const struct place *at, const json_t *object)
{
	const json_t *counts = json_object_get(object, "counts");
	const json_t *printed = json_object_get(object, "printed");

	if (!json_is_array(counts) || json_array_size(counts) != runs->event_count)
		return malformed(at, "%zu counts for %zu events", json_array_size(counts), runs->event_count);
	for (size_t i = 0; i < runs->event_count; i++) {
		struct error *err = read_count(&run->counts[i], at, json_array_get(counts, i));

		if (err)
			return err;
	}
	if (json_array_size(printed) != runs->printed_count)
		return malformed(at, "%zu printed numbers, wanted %zu", json_array_size(printed), runs->printed_count);
	for (size_t i = 0; i < runs->printed_count; i++) {
		const json_t *number = json_array_get(printed, i);

		if (!json_is_number(number) && !json_is_null(number))
			return malformed(at, "a printed number is no number");
		run->printed[i] = json_is_null(number) ? NAN : json_number_value(number);
	}
	return NULL;
}

static struct error *read_flags(struct run *run, const struct place *at, const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *name = json_string_value(json_array_get(array, i));
		size_t flag = find_name(run_flag_names, name);

		if (!run_flag_names[flag])
			return malformed(at, "flag '%s' is unknown", name ? name : "(not text)");
		run->flags |= 1u << flag;
	}
	return NULL;
}

static struct error *read_run(struct runs *runs, const struct place *at, const json_t *object)
{
	struct run *run = runs_add(runs);
	struct error *err = read_fields(runs, run, at, object);

	if (!err)
		err = read_counts(runs, run, at, object);
	return err ? err : read_flags(run, at, json_object_get(object, "flags"));
}

static struct error *parse_line(const struct place *at, const char *line, size_t length, json_t **ret)
{
	json_error_t where;
	json_t *value = json_loadb(line, length, JSON_REJECT_DUPLICATES, &where);

	if (!value)
		return error_new(ERROR_FORMAT, "%s: line %zu, column %d: %s", at->name, at->line, where.column,
				 where.text);
	if (!json_is_object(value)) {
		json_decref(value);
		return malformed(at, "not an object");
	}
	*ret = value;
	return NULL;
}

/* Runs of the last block of items, so that an incomplete one can be dropped. */
static size_t last_block_first(const struct runs *runs)
{
	size_t first = runs->count;

	while (first && runs->items[first - 1].block == runs->items[runs->count - 1].block)
		first--;
	return first;
}

static bool last_block_is_whole(const struct runs *runs)
{
	size_t first = last_block_first(runs), voids = 0;

	for (size_t i = first; i < runs->count; i++)
		voids += runs->items[i].is_void;
	return !runs->count || voids || runs->count - first == runs->arm_count;
}

/* Reading state of one file. */
struct reader {
	struct place at;
	const char *bytes;
	size_t size, offset;
	size_t block_start; /* offset of the first run of the current block */
	uint32_t block;
	bool ended;
};

static struct error *check_order(const struct reader *reader, const struct runs *runs)
{
	const struct run *last = &runs->items[runs->count - 1];

	if (strcmp(runs->kind, "ab"))
		return NULL;
	if (runs->count > 1 && last->block < last[-1].block)
		return malformed(&reader->at, "block %u after block %u", last->block, last[-1].block);
	for (size_t i = last_block_first(runs); i + 1 < runs->count; i++)
		if (runs->items[i].arm == last->arm)
			return malformed(&reader->at, "arm %u twice in block %u", last->arm, last->block);
	return NULL;
}

static struct error *read_line(struct reader *reader, struct runs *runs, size_t length)
{
	auto_json json_t *object = NULL;
	struct error *err = parse_line(&reader->at, reader->bytes + reader->offset, length, &object);
	uint64_t wanted;

	if (err)
		return err;
	if (reader->ended)
		return malformed(&reader->at, "more after the end line");
	if (reader->at.line == 1)
		return read_header(runs, &reader->at, object);
	if (!json_object_get(object, "end")) {
		err = read_run(runs, &reader->at, object);
		return err ? err : check_order(reader, runs);
	}
	if (!json_to_u64(json_object_get(object, "runs"), &wanted) || wanted != runs->count)
		return malformed(&reader->at, "the end line does not count the %zu runs before it", runs->count);
	reader->ended = true;
	return NULL;
}

/* Remember where the last whole block ended: there a resumed experiment goes on. */
static void note_block(struct reader *reader, struct runs *runs, size_t line_start)
{
	const struct run *last = runs->count ? &runs->items[runs->count - 1] : NULL;

	if (last && (runs->count == 1 || last->block != reader->block)) {
		reader->block = last->block;
		reader->block_start = line_start;
	}
	if (!reader->ended)
		runs->whole_bytes = reader->offset;
}

static struct error *cut_short(const struct reader *reader, struct runs *runs)
{
	size_t before = runs->count;

	if (strcmp(runs->kind ? runs->kind : "", "ab"))
		return error_hint(malformed(&reader->at, "the file ends early, at byte %zu: no end line", reader->size),
				  "it was cut short; take the measurement again");
	if (!last_block_is_whole(runs)) {
		runs->count = last_block_first(runs);
		runs->whole_bytes = reader->block_start;
	}
	runs->cut = runs_text(runs, "");

	auto_free char *note = memory_format("%s ends early, at line %zu, byte %zu: %zu whole runs kept, %zu dropped",
					     reader->at.name, reader->at.line, reader->size, runs->count,
					     before - runs->count + (runs->whole_bytes < reader->size));

	runs->cut = runs_text(runs, note);
	return NULL;
}

struct error *runs_parse(const char *bytes, size_t size, const char *name, struct runs **ret)
{
	cleanup(runs_guard) struct runs *runs = memory_zeroed(1, sizeof(*runs));
	struct reader reader = { { name, 0 }, bytes, size, 0, 0, 0, false };

	runs->arena = arena_create();
	while (reader.offset < size) {
		const char *line = bytes + reader.offset, *newline = memchr(line, '\n', size - reader.offset);
		size_t start = reader.offset;

		reader.at.line++;
		if (!newline && reader.at.line > 1)
			break;

		struct error *err = read_line(&reader, runs, newline ? (size_t)(newline - line) : size - start);

		if (err)
			return err;
		reader.offset = newline ? (size_t)(newline - bytes) + 1 : size;
		note_block(&reader, runs, start);
	}
	if (!reader.at.line)
		return error_new(ERROR_FORMAT, "%s: the file is empty", name);
	if (!reader.ended || reader.offset < size) {
		struct error *err = cut_short(&reader, runs);

		if (err)
			return err;
	}
	*ret = take(runs);
	return NULL;
}

struct error *runs_load(const char *path, struct runs **ret)
{
	auto_free char *bytes = NULL;
	size_t size;
	struct error *err = file_read(path, &bytes, &size);

	return err ? err : runs_parse(bytes, size, path, ret);
}
