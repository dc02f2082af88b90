/* Writing a runs file: a header line, one line a run, an end line. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "runs/fields.h"
#include "runs/runs.h"

/* jansson's integers are signed: what is larger is written as text of digits. */
static json_t *json_count(uint64_t number)
{
	char digits[24];

	if (number <= INT64_MAX)
		return json_integer((json_int_t)number);
	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	return json_string(digits);
}

/* Text of a file or a command line need not be UTF-8, which JSON demands. */
static json_t *json_text(const char *text)
{
	json_t *value = json_string(text);

	if (value)
		return value;

	auto_text struct text escaped = { 0 };

	text_append_escaped(&escaped, text);
	return json_string(escaped.bytes);
}

static json_t *json_texts(const char *const *items, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_text(items[i]));
	return array;
}

static void set_text(json_t *object, const char *name, const char *text)
{
	if (text)
		json_object_set_new(object, name, json_text(text));
}

/* One JSON line of value, appended to out. Takes value. */
static void append_line(struct text *out, json_t *value)
{
	auto_free char *line = json_dumps(value, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));

	json_decref(value);
	if (!line)
		abort();
	text_append(out, line);
	text_append_char(out, '\n');
}

static json_t *arm_json(const struct run_arm *arm)
{
	json_t *object = json_object();
	size_t words = 0;

	while (arm->command && arm->command[words])
		words++;
	set_text(object, "name", arm->name);
	json_object_set_new(object, "command", json_texts(arm->command, words));
	set_text(object, "build_id", arm->build_id);
	set_text(object, "content_hash", arm->content_hash);
	return object;
}

static json_t *event_json(const struct run_event *event)
{
	json_t *object = json_object();

	set_text(object, "name", event->name);
	set_text(object, "note", event->note);
	set_text(object, "unit", event->unit);
	set_text(object, "place", event->place);
	if (event->place_cpus)
		json_object_set_new(object, "place_cpus", json_integer(event->place_cpus));
	set_text(object, "why", event->why);
	json_object_set_new(object, "scale", json_real(event->scale));
	json_object_set_new(object, "group", json_integer((json_int_t)event->group));
	return object;
}

static void append_header(struct text *out, const struct runs *runs)
{
	json_t *object = json_object(), *arms = json_array(), *events = json_array();

	json_object_set_new(object, "perfmini_runs", json_integer(RUNS_FORMAT_VERSION));
	set_text(object, "kind", runs->kind);
	set_text(object, "version", runs->version);
	set_text(object, "host", runs->host);
	set_text(object, "kernel", runs->kernel);
	set_text(object, "machine", runs->machine);
	set_text(object, "cpu_model", runs->cpu_model);
	json_object_set_new(object, "seed", json_count(runs->seed));
	json_object_set_new(object, "plan", json_texts(runs->plan, runs->plan_count));
	json_object_set_new(object, "settings", json_texts(runs->settings, runs->setting_count));
	for (size_t i = 0; i < runs->arm_count; i++)
		json_array_append_new(arms, arm_json(&runs->arms[i]));
	json_object_set_new(object, "arms", arms);
	for (size_t i = 0; i < runs->event_count; i++)
		json_array_append_new(events, event_json(&runs->events[i]));
	json_object_set_new(object, "events", events);
	json_object_set_new(object, "printed", json_texts(runs->printed, runs->printed_count));
	append_line(out, object);
}

static json_t *field_json(const struct run_field *field, const struct run *run)
{
	const void *at = (const char *)run + field->offset;
	char hex[20];

	switch (field->type) {
	case FIELD_U32:
		return *(const uint32_t *)at == field->absent ? NULL : json_integer(*(const uint32_t *)at);
	case FIELD_INT:
		return *(const int *)at == field->absent ? NULL : json_integer(*(const int *)at);
	case FIELD_U64:
		return *(const uint64_t *)at ? json_count(*(const uint64_t *)at) : NULL;
	case FIELD_TEXT:
		return *(const char *const *)at ? json_text(*(const char *const *)at) : NULL;
	case FIELD_HEX:
		if (!*(const uint64_t *)at)
			return NULL;
		snprintf(hex, sizeof(hex), "%016" PRIx64, *(const uint64_t *)at);
		return json_string(hex);
	}
	return NULL;
}

static json_t *count_json(const struct run_count *count)
{
	if (count->state != COUNT_OK)
		return json_string(count_state_names[count->state - 1]);

	json_t *triple = json_array();

	json_array_append_new(triple, json_count(count->value));
	json_array_append_new(triple, json_count(count->enabled_ns));
	json_array_append_new(triple, json_count(count->running_ns));
	return triple;
}

static json_t *flags_json(uint32_t flags)
{
	json_t *names = json_array();

	for (size_t i = 0; run_flag_names[i]; i++)
		if (flags & (1u << i))
			json_array_append_new(names, json_string(run_flag_names[i]));
	return names;
}

static void append_run(struct text *out, const struct runs *runs, const struct run *run)
{
	json_t *object = json_object(), *counts = json_array(), *printed = json_array();

	for (const struct run_field *field = run_fields; field->name; field++) {
		json_t *value = field_json(field, run);

		if (value)
			json_object_set_new(object, field->name, value);
	}
	if (run->is_void && !run->void_why)
		json_object_set_new(object, "void", json_string("its block is void"));
	if (run->flags)
		json_object_set_new(object, "flags", flags_json(run->flags));
	for (size_t i = 0; i < runs->event_count; i++)
		json_array_append_new(counts, count_json(&run->counts[i]));
	json_object_set_new(object, "counts", counts);
	for (size_t i = 0; i < runs->printed_count; i++)
		json_array_append_new(printed, isfinite(run->printed[i]) ? json_real(run->printed[i]) : json_null());
	if (runs->printed_count)
		json_object_set_new(object, "printed", printed);
	else
		json_decref(printed);
	append_line(out, object);
}

static void append_end(struct text *out, const struct runs *runs)
{
	text_format(out, "{\"end\":true,\"runs\":%zu}\n", runs->count);
}

struct error *runs_save(const struct runs *runs, const char *path)
{
	auto_text struct text all = { 0 };
	struct file_replacement *file;
	struct error *err = file_replace_begin(path, 0644, &file);

	if (err)
		return err;
	append_header(&all, runs);
	for (size_t i = 0; i < runs->count; i++)
		append_run(&all, runs, &runs->items[i]);
	append_end(&all, runs);
	fwrite(all.bytes, 1, all.length, file_replace_stream(file));
	return file_replace_commit(file);
}

enum { SYNC_NS = 100000000 };

struct runs_writer {
	char *path;
	int fd;
	off_t end; /* of what is whole */
	struct timespec synced;
};

/* Blocks of a few milliseconds are synced together: a sync takes as long as they do. */
static bool sync_is_due(struct runs_writer *writer)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if ((now.tv_sec - writer->synced.tv_sec) * 1000000000 + now.tv_nsec - writer->synced.tv_nsec < SYNC_NS)
		return false;
	writer->synced = now;
	return true;
}

static struct error *writer_sync(const struct runs_writer *writer)
{
	return fdatasync(writer->fd) && errno != EINVAL && errno != EROFS ? error_os(errno, "write %s", writer->path) :
									     NULL;
}

static struct error *writer_append(struct runs_writer *writer, const struct text *text)
{
	size_t done = 0;

	while (done < text->length) {
		ssize_t wrote = pwrite(writer->fd, text->bytes + done, text->length - done,
				       writer->end + (off_t)done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0) {
			struct error *err = error_os(errno, "write %s", writer->path);

			/* Half a block must not stay; if this fails too, the reader drops it. */
			if (ftruncate(writer->fd, writer->end))
				return err;
			return err;
		}
		done += (size_t)wrote;
	}
	writer->end += (off_t)text->length;
	return sync_is_due(writer) ? writer_sync(writer) : NULL;
}

static struct error *writer_open(const char *path, struct runs_writer **ret)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return error_os(errno, "open %s", path);

	struct runs_writer *writer = memory_zeroed(1, sizeof(*writer));

	writer->path = memory_strdup(path);
	writer->fd = fd;
	*ret = writer;
	return NULL;
}

struct error *runs_writer_create(const struct runs *runs, const char *path, struct runs_writer **ret)
{
	auto_text struct text header = { 0 };
	struct file_replacement *file;
	struct error *err = file_replace_begin(path, 0644, &file);

	if (err)
		return err;
	append_header(&header, runs);
	fwrite(header.bytes, 1, header.length, file_replace_stream(file));
	err = file_replace_commit(file);
	if (!err)
		err = writer_open(path, ret);
	if (!err)
		(*ret)->end = (off_t)header.length;
	return err;
}

void runs_writer_destroy(struct runs_writer *writer)
{
	if (!writer)
		return;
	close(writer->fd);
	free(writer->path);
	free(writer);
}

struct error *runs_writer_resume(const struct runs *runs, const char *path, struct runs_writer **ret)
{
	cleanup(runs_writer_guard) struct runs_writer *writer = NULL;
	struct error *err = writer_open(path, &writer);

	if (err)
		return err;
	writer->end = (off_t)runs->whole_bytes;
	if (ftruncate(writer->fd, writer->end))
		return error_os(errno, "cut %s", path);
	*ret = take(writer);
	return NULL;
}

struct error *runs_writer_append(struct runs_writer *writer, const struct runs *runs, size_t first)
{
	auto_text struct text lines = { 0 };

	for (size_t i = first; i < runs->count; i++)
		append_run(&lines, runs, &runs->items[i]);
	return lines.length ? writer_append(writer, &lines) : NULL;
}

struct error *runs_writer_finish(struct runs_writer *writer, const struct runs *runs)
{
	auto_text struct text line = { 0 };

	append_end(&line, runs);

	struct error *err = writer_append(writer, &line);

	return err ? err : writer_sync(writer);
}
