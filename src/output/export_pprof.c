/* pprof's profile.proto, packed by gzip: what pprof, Pyroscope and Parca read.
 * Source of the field numbers: github.com/google/pprof/blob/main/proto/profile.proto. */
#include "output/export.h"

#include <string.h>
#include <zlib.h>

#include "base/intern.h"
#include "base/memory.h"
#include "output/protobuf.h"
#include "symbol/binary.h"

enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING,
       PROFILE_TIME_NANOS = 9, PROFILE_DURATION_NANOS, PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_COMMENT,
       PROFILE_DEFAULT_SAMPLE_TYPE };
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING, LABEL_NUMBER };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE, MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS,
       MAPPING_HAS_FILES, MAPPING_HAS_LINES, MAPPING_HAS_INLINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

struct writer {
	const struct export *exported;
	const struct profile *profile;
	struct text *profile_text;   /* the message that is built */
	struct intern *texts;
	struct tuples strings;       /* [1]: pointer into texts; its number is string_table's index */
	struct tuples functions;     /* [3]: name, system name, file, as string numbers; number + 1 is the id */
	uint64_t *location_of;       /* [site_count]: id; 0: not written */
	uint64_t locations;
	uint64_t *limit_of;          /* [object_count]: highest address + 1; 0: no mapping is needed */
};

static void writer_release(struct writer *writer)
{
	intern_destroy(writer->texts);
	tuples_release(&writer->strings);
	tuples_release(&writer->functions);
	free(writer->location_of);
	free(writer->limit_of);
}

static uint64_t string(struct writer *writer, const char *text)
{
	auto_text struct text escaped = { 0 }; /* strings are valid UTF-8 */
	uint64_t pointer;

	if (text)
		text_append_escaped(&escaped, text);
	pointer = (uintptr_t)intern_text(writer->texts, escaped.bytes ? escaped.bytes : "");
	return tuples_intern(&writer->strings, &pointer);
}

static uint64_t function(struct writer *writer, const char *name, const char *system_name, const char *file)
{
	uint64_t key[3] = { string(writer, name), string(writer, system_name), string(writer, file) };

	return tuples_intern(&writer->functions, key) + 1;
}

static void append_line(uint64_t function_id, uint32_t number, struct text *location)
{
	auto_text struct text line = { 0 };

	protobuf_number(&line, LINE_FUNCTION, function_id);
	protobuf_number(&line, LINE_LINE, number);
	protobuf_message(location, LOCATION_LINE, &line);
}

/* Innermost first. The outermost function is the symbol table's; an address without function has no line. */
static void append_lines(struct writer *writer, uint32_t site, uint64_t address, struct text *location)
{
	struct resolver *resolver = writer->exported->resolver;
	struct binary *binary = resolver_binary(resolver, writer->profile->sites[site].object);
	const struct place *place = resolver_place_at(resolver, resolver_place(resolver, site));
	const struct frame *frames = NULL;
	size_t count = binary ? binary_frames(binary, address, &frames) : 0;

	for (size_t i = 0; i + 1 < count; i++)
		if (frames[i].function)
			append_line(function(writer, frames[i].function->shown, frames[i].function->name,
					     frames[i].file), frames[i].line, location);
	if (place->function)
		append_line(function(writer, place->function->shown, place->function->name,
				     count ? frames[count - 1].file : NULL),
			    count ? frames[count - 1].line : 0, location);
}

/* The id of a site's location, written when it is first asked for. */
static uint64_t location(struct writer *writer, uint32_t site)
{
	const struct site *at = &writer->profile->sites[site];
	auto_text struct text message = { 0 };
	uint64_t address = at->address;

	if (writer->location_of[site])
		return writer->location_of[site];
	writer->location_of[site] = ++writer->locations;
	if (!resolver_address(writer->exported->resolver, site, &address))
		address = at->address;
	protobuf_number(&message, LOCATION_ID, writer->locations);
	if (at->object) {
		protobuf_number(&message, LOCATION_MAPPING, at->object);
		if (address >= writer->limit_of[at->object])
			writer->limit_of[at->object] = address + 1 ? address + 1 : address;
	}
	protobuf_number(&message, LOCATION_ADDRESS, address);
	append_lines(writer, site, address, &message);
	protobuf_message(writer->profile_text, PROFILE_LOCATION, &message);
	return writer->locations;
}

static void append_label(struct writer *writer, const char *key, const char *value, struct text *sample)
{
	auto_text struct text label = { 0 };

	protobuf_number(&label, LABEL_KEY, string(writer, key));
	protobuf_number(&label, LABEL_STRING, string(writer, value));
	protobuf_message(sample, SAMPLE_LABEL, &label);
}

static void append_number_label(struct writer *writer, const char *key, uint64_t number, struct text *sample)
{
	auto_text struct text label = { 0 };

	protobuf_number(&label, LABEL_KEY, string(writer, key));
	protobuf_number(&label, LABEL_NUMBER, number);
	protobuf_message(sample, SAMPLE_LABEL, &label);
}

static void append_labels(struct writer *writer, size_t row, struct text *sample)
{
	const struct export *exported = writer->exported;
	uint64_t task = row_word(writer->profile, row, ROW_TASK);

	append_label(writer, "comm", (const char *)(uintptr_t)row_word(writer->profile, row, ROW_COMM), sample);
	if (writer->profile->word_of[ROW_TASK] >= 0) {
		append_number_label(writer, "pid", task >> 32, sample);
		append_number_label(writer, "tid", task & UINT32_MAX, sample);
	}
	for (size_t i = 0; i < exported->label_count; i++)
		append_label(writer, exported->labels[i].key, exported->labels[i].value, sample);
}

static void append_sample(struct writer *writer, size_t row, struct text *out)
{
	const struct row_total *total = &writer->profile->totals[row];
	uint64_t values[2] = { total->samples, total->period };
	uint32_t stack = (uint32_t)row_word(writer->profile, row, ROW_STACK);
	auto_free uint64_t *ids = NULL;
	auto_text struct text sample = { 0 };
	size_t count = 0, capacity = 0;

	do {
		struct stack_node node = stack ? stack_at(writer->profile, stack) :
						 (struct stack_node){ 0, row_site(writer->profile, row) };

		array_grow(&ids, count, &capacity);
		ids[count++] = location(writer, node.site);
		stack = node.caller;
	} while (stack);
	protobuf_numbers(&sample, SAMPLE_LOCATION, ids, count);
	protobuf_numbers(&sample, SAMPLE_VALUE, values, ARRAY_SIZE(values));
	append_labels(writer, row, &sample);
	protobuf_message(out, PROFILE_SAMPLE, &sample);
}

static void append_value_type(struct writer *writer, unsigned field, const char *type, const char *unit)
{
	auto_text struct text value = { 0 };

	protobuf_number(&value, VALUE_TYPE, string(writer, type));
	protobuf_number(&value, VALUE_UNIT, string(writer, unit));
	protobuf_message(writer->profile_text, field, &value);
}

static void append_mapping(struct writer *writer, uint32_t object)
{
	const struct object *at = &writer->profile->objects->items[object];
	auto_text struct text mapping = { 0 };
	char id[BUILD_ID_TEXT_MAX] = "";

	if (at->build_id_size)
		build_id_format(at->build_id, at->build_id_size, id);
	protobuf_number(&mapping, MAPPING_ID, object);
	protobuf_number(&mapping, MAPPING_LIMIT, writer->limit_of[object]);
	protobuf_number(&mapping, MAPPING_FILE, string(writer, at->path));
	protobuf_number(&mapping, MAPPING_BUILD_ID, string(writer, id));
	for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINES; field++)
		protobuf_number(&mapping, field, 1);
	protobuf_message(writer->profile_text, PROFILE_MAPPING, &mapping);
}

static void append_functions(struct writer *writer)
{
	for (size_t i = 0; i < writer->functions.count; i++) {
		const uint64_t *key = tuples_at(&writer->functions, i);
		auto_text struct text message = { 0 };

		protobuf_number(&message, FUNCTION_ID, i + 1);
		protobuf_number(&message, FUNCTION_NAME, key[0]);
		protobuf_number(&message, FUNCTION_SYSTEM_NAME, key[1]);
		protobuf_number(&message, FUNCTION_FILE, key[2]);
		protobuf_message(writer->profile_text, PROFILE_FUNCTION, &message);
	}
}

static void append_description(struct writer *writer)
{
	const struct export *exported = writer->exported;
	const struct perf_event_attr *attr = &writer->profile->events[exported->event_number].attr;
	const char *unit = exported->is_time ? "nanoseconds" : "count";

	append_value_type(writer, PROFILE_SAMPLE_TYPE, "samples", "count");
	append_value_type(writer, PROFILE_SAMPLE_TYPE, exported->event, unit);
	append_value_type(writer, PROFILE_PERIOD_TYPE, exported->event, unit);
	if (!attr->freq)
		protobuf_number(writer->profile_text, PROFILE_PERIOD, attr->sample_period);
	protobuf_number(writer->profile_text, PROFILE_TIME_NANOS, exported->written_ns);
	protobuf_number(writer->profile_text, PROFILE_DURATION_NANOS,
			writer->profile->last_ns - writer->profile->first_ns);
	if (exported->command)
		protobuf_number(writer->profile_text, PROFILE_COMMENT, string(writer, exported->command));
	protobuf_number(writer->profile_text, PROFILE_DEFAULT_SAMPLE_TYPE,
			string(writer, exported->hits ? "samples" : exported->event));
}

static void append_tables(struct writer *writer)
{
	for (uint32_t object = 1; object < writer->profile->objects->count; object++)
		if (writer->limit_of[object])
			append_mapping(writer, object);
	append_functions(writer);
	for (size_t i = 0; i < writer->strings.count; i++) {
		const char *text = (const char *)(uintptr_t)*tuples_at(&writer->strings, i);

		protobuf_bytes(writer->profile_text, PROFILE_STRING, text, strlen(text));
	}
}

static void pack(const struct text *plain, struct text *out)
{
	z_stream stream = { .next_in = (Bytef *)plain->bytes, .avail_in = (uInt)plain->length };
	unsigned char piece[1 << 14];
	int state;

	/* 16: a gzip header around it. */
	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	do {
		stream.next_out = piece;
		stream.avail_out = sizeof(piece);
		state = deflate(&stream, Z_FINISH);
		text_append_bytes(out, (const char *)piece, sizeof(piece) - stream.avail_out);
	} while (state == Z_OK);
	deflateEnd(&stream);
}

void export_pprof(const struct export *exported, struct text *out)
{
	const struct profile *profile = resolver_profile(exported->resolver);
	auto_text struct text message = { 0 };
	cleanup(writer_release) struct writer writer = {
		.exported = exported, .profile = profile, .profile_text = &message, .texts = intern_create(),
		.strings.words = 1, .functions.words = 3,
		.location_of = memory_zeroed(profile->site_count, sizeof(uint64_t)),
		.limit_of = memory_zeroed(profile->objects->count, sizeof(uint64_t)),
	};

	string(&writer, ""); /* the first is the empty one */
	append_description(&writer);
	for (size_t row = 0; row < profile->rows.count; row++)
		if (row_event(profile, row) == exported->event_number)
			append_sample(&writer, row, &message);
	append_tables(&writer);
	pack(&message, out);
}
