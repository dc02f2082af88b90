/* pprof's profile.proto, packed by gzip: what pprof, Pyroscope and Parca read.
 * Source of the field numbers: github.com/google/pprof/blob/main/proto/profile.proto. */
#include "output/pprof.h"

#include <inttypes.h>
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

/* Everything is kept by what it is, not by whose it is, so that recordings share it and can go away. */
struct pprof {
	struct text profile_text;    /* the message that is built: locations so far */
	struct intern *texts;
	struct tuples strings;       /* [1]: pointer into texts; its number is string_table's index */
	struct tuples functions;     /* [3]: name, system name, file, as string numbers; number + 1 is the id */
	struct tuples mappings;      /* [2]: build id, or without one the file, as string numbers; number + 1 is the id */
	struct mapped {
		uint64_t file, limit; /* as it was first met; highest address + 1 */
	} *mapped;                   /* [mappings.count] */
	size_t mapped_capacity;
	struct tuples locations;     /* [3]: mapping id, address, symbol's name as string number; number + 1 is the id */
	struct tuples stacks;        /* [2]: caller, location id; number + 1 is a stack, 0 the empty one */
	struct tuples samples;       /* [2]: stack, pointer into texts: encoded labels */
	struct row_total *totals;    /* [samples.count] */
	size_t total_capacity;
};

/* One recording on its way in. */
struct writer {
	struct pprof *pprof;
	const struct export *exported;
	const struct profile *profile;
	uint64_t *location_of;       /* [site_count]: id; 0: not asked for yet */
	uint64_t *mapping_of;        /* [object_count]: id; 0: not asked for yet */
	struct text labels;          /* of all rows, encoded */
};

static void writer_release(struct writer *writer)
{
	free(writer->location_of);
	free(writer->mapping_of);
	text_release(&writer->labels);
}

struct pprof *pprof_create(void)
{
	struct pprof *pprof = memory_zeroed(1, sizeof(*pprof));

	pprof->texts = intern_create();
	pprof->strings.words = 1;
	pprof->functions.words = pprof->locations.words = 3;
	pprof->mappings.words = pprof->stacks.words = pprof->samples.words = 2;
	return pprof;
}

void pprof_destroy(struct pprof *pprof)
{
	if (!pprof)
		return;
	text_release(&pprof->profile_text);
	intern_destroy(pprof->texts);
	tuples_release(&pprof->strings);
	tuples_release(&pprof->functions);
	tuples_release(&pprof->mappings);
	tuples_release(&pprof->locations);
	tuples_release(&pprof->stacks);
	tuples_release(&pprof->samples);
	free(pprof->mapped);
	free(pprof->totals);
	free(pprof);
}

/* The first string is the empty one. */
static uint64_t string(struct pprof *pprof, const char *text)
{
	auto_text struct text escaped = { 0 }; /* strings are valid UTF-8 */
	uint64_t pointer;

	if (!pprof->strings.count) {
		pointer = (uintptr_t)intern_text(pprof->texts, "");
		tuples_intern(&pprof->strings, &pointer);
	}
	if (text)
		text_append_escaped(&escaped, text);
	pointer = (uintptr_t)intern_text(pprof->texts, escaped.bytes ? escaped.bytes : "");
	return tuples_intern(&pprof->strings, &pointer);
}

static uint64_t function(struct pprof *pprof, const char *name, const char *system_name, const char *file)
{
	uint64_t key[3] = { string(pprof, name), string(pprof, system_name), string(pprof, file) };

	return tuples_intern(&pprof->functions, key) + 1;
}

static void append_line(uint64_t function_id, uint32_t number, struct text *location)
{
	auto_text struct text line = { 0 };

	protobuf_number(&line, LINE_FUNCTION, function_id);
	protobuf_number(&line, LINE_LINE, number);
	protobuf_message(location, LOCATION_LINE, &line);
}

/* Innermost first. The outermost function is the symbol table's; an address without function has no line. */
static void append_lines(struct writer *writer, uint32_t site, const struct function *symbol, uint64_t address,
			 struct text *location)
{
	struct binary *binary = resolver_binary(writer->exported->resolver, writer->profile->sites[site].object);
	const struct frame *frames = NULL;
	size_t count = binary ? binary_frames(binary, address, &frames) : 0;

	for (size_t i = 0; i + 1 < count; i++)
		if (frames[i].function)
			append_line(function(writer->pprof, frames[i].function->shown, frames[i].function->name,
					     frames[i].file), frames[i].line, location);
	if (symbol)
		append_line(function(writer->pprof, symbol->shown, symbol->name, count ? frames[count - 1].file : NULL),
			    count ? frames[count - 1].line : 0, location);
}

static uint64_t mapping(struct writer *writer, uint32_t object)
{
	const struct object *at = &writer->profile->objects->items[object];
	struct pprof *pprof = writer->pprof;
	char build_id[BUILD_ID_TEXT_MAX] = "";
	uint64_t key[2];
	size_t known;

	if (writer->mapping_of[object])
		return writer->mapping_of[object];
	if (at->build_id_size)
		build_id_format(at->build_id, at->build_id_size, build_id);
	key[0] = string(pprof, build_id);
	key[1] = at->build_id_size ? 0 : string(pprof, at->path);
	known = pprof->mappings.count;
	writer->mapping_of[object] = tuples_intern(&pprof->mappings, key) + 1;
	if (pprof->mappings.count > known) {
		array_grow(&pprof->mapped, known, &pprof->mapped_capacity);
		pprof->mapped[known] = (struct mapped){ string(pprof, at->path), 0 };
	}
	return writer->mapping_of[object];
}

/* The id of a site's location, written when it is first met in any recording. */
static uint64_t location(struct writer *writer, uint32_t site)
{
	const struct site *at = &writer->profile->sites[site];
	struct pprof *pprof = writer->pprof;
	struct resolver *resolver = writer->exported->resolver;
	const struct function *symbol;
	auto_text struct text message = { 0 };
	size_t known = pprof->locations.count;
	uint64_t key[3] = { 0, at->address, 0 };

	if (writer->location_of[site])
		return writer->location_of[site];
	symbol = resolver_place_at(resolver, resolver_place(resolver, site))->function;
	if (!resolver_address(resolver, site, &key[1]))
		key[1] = at->address;
	if (at->object)
		key[0] = mapping(writer, at->object);
	key[2] = symbol ? string(pprof, symbol->name) : 0;
	writer->location_of[site] = tuples_intern(&pprof->locations, key) + 1;
	if (pprof->locations.count == known)
		return writer->location_of[site];
	protobuf_number(&message, LOCATION_ID, writer->location_of[site]);
	protobuf_number(&message, LOCATION_MAPPING, key[0]);
	if (key[0] && key[1] >= pprof->mapped[key[0] - 1].limit)
		pprof->mapped[key[0] - 1].limit = key[1] + 1 ? key[1] + 1 : key[1];
	protobuf_number(&message, LOCATION_ADDRESS, key[1]);
	append_lines(writer, site, symbol, key[1], &message);
	protobuf_message(&pprof->profile_text, PROFILE_LOCATION, &message);
	return writer->location_of[site];
}

/* A label as text that can be interned: numbers in decimal, fields ended by a space. kind: LABEL_STRING or LABEL_NUMBER. */
static void append_label(struct writer *writer, const char *key, unsigned kind, uint64_t value, struct text *labels)
{
	text_format(labels, "%" PRIu64 " %u %" PRIu64 " ", string(writer->pprof, key), kind, value);
}

static void append_text_label(struct writer *writer, const char *key, const char *value, struct text *labels)
{
	append_label(writer, key, LABEL_STRING, string(writer->pprof, value), labels);
}

static void append_labels(struct writer *writer, size_t row, struct text *labels)
{
	uint64_t task = row_word(writer->profile, row, ROW_TASK);

	if (writer->profile->word_of[ROW_COMM] >= 0)
		append_text_label(writer, "comm", (const char *)(uintptr_t)row_word(writer->profile, row, ROW_COMM), labels);
	if (writer->profile->word_of[ROW_TASK] >= 0) {
		append_label(writer, "pid", LABEL_NUMBER, task >> 32, labels);
		append_label(writer, "tid", LABEL_NUMBER, task & UINT32_MAX, labels);
	}
	text_append_bytes(labels, writer->labels.bytes, writer->labels.length);
}

static void append_kept_labels(const char *labels, struct text *sample)
{
	while (*labels) {
		char *end;
		uint64_t key = strtoull(labels, &end, 10);
		unsigned kind = (unsigned)strtoul(end, &end, 10);
		auto_text struct text label = { 0 };

		protobuf_number(&label, LABEL_KEY, key);
		protobuf_number(&label, kind, strtoull(end, &end, 10));
		protobuf_message(sample, SAMPLE_LABEL, &label);
		labels = end + strspn(end, " ");
	}
}

/* The number of a chain, its outermost frame first met. */
static uint64_t stack_number(struct writer *writer, uint32_t stack, uint32_t site)
{
	auto_free uint64_t *ids = NULL;
	size_t count = 0, capacity = 0;
	uint64_t number = 0;

	do {
		struct stack_node node = stack ? stack_at(writer->profile, stack) : (struct stack_node){ 0, site };

		array_grow(&ids, count, &capacity);
		ids[count++] = location(writer, node.site);
		stack = node.caller;
	} while (stack);
	while (count--) {
		uint64_t key[2] = { number, ids[count] };

		number = tuples_intern(&writer->pprof->stacks, key) + 1;
	}
	return number;
}

static void add_row(struct writer *writer, size_t row)
{
	struct pprof *pprof = writer->pprof;
	const struct row_total *total = &writer->profile->totals[row];
	auto_text struct text labels = { 0 };
	uint64_t key[2];
	size_t known;
	uint32_t sample;

	append_labels(writer, row, &labels);
	key[0] = stack_number(writer, (uint32_t)row_word(writer->profile, row, ROW_STACK), row_site(writer->profile, row));
	key[1] = (uintptr_t)intern_text(pprof->texts, labels.bytes ? labels.bytes : "");
	known = pprof->samples.count;
	sample = tuples_intern(&pprof->samples, key);
	if (pprof->samples.count > known) {
		array_grow(&pprof->totals, known, &pprof->total_capacity);
		pprof->totals[known] = (struct row_total){ 0, 0 };
	}
	pprof->totals[sample].samples += total->samples;
	pprof->totals[sample].period += total->period;
}

void pprof_add(struct pprof *pprof, const struct export *exported)
{
	const struct profile *profile = resolver_profile(exported->resolver);
	cleanup(writer_release) struct writer writer = {
		.pprof = pprof, .exported = exported, .profile = profile,
		.location_of = memory_zeroed(profile->site_count, sizeof(uint64_t)),
		.mapping_of = memory_zeroed(profile->objects->count, sizeof(uint64_t)),
	};

	for (size_t i = 0; i < exported->label_count; i++)
		append_text_label(&writer, exported->labels[i].key, exported->labels[i].value, &writer.labels);
	for (size_t row = 0; row < profile->rows.count; row++)
		if (row_event(profile, row) == exported->event_number)
			add_row(&writer, row);
}

static void append_sample(struct pprof *pprof, size_t sample, struct text *out)
{
	const uint64_t *key = tuples_at(&pprof->samples, sample);
	uint64_t values[2] = { pprof->totals[sample].samples, pprof->totals[sample].period };
	const char *labels = (const char *)(uintptr_t)key[1];
	auto_free uint64_t *ids = NULL;
	auto_text struct text message = { 0 };
	size_t count = 0, capacity = 0;

	for (uint64_t stack = key[0]; stack;) {
		const uint64_t *node = tuples_at(&pprof->stacks, stack - 1);

		array_grow(&ids, count, &capacity);
		ids[count++] = node[1];
		stack = node[0];
	}
	protobuf_numbers(&message, SAMPLE_LOCATION, ids, count);
	protobuf_numbers(&message, SAMPLE_VALUE, values, ARRAY_SIZE(values));
	append_kept_labels(labels, &message);
	protobuf_message(out, PROFILE_SAMPLE, &message);
}

static void append_value_type(struct pprof *pprof, unsigned field, const char *type, const char *unit)
{
	auto_text struct text value = { 0 };

	protobuf_number(&value, VALUE_TYPE, string(pprof, type));
	protobuf_number(&value, VALUE_UNIT, string(pprof, unit));
	protobuf_message(&pprof->profile_text, field, &value);
}

static void append_mapping(struct pprof *pprof, size_t number)
{
	const uint64_t *key = tuples_at(&pprof->mappings, number);
	auto_text struct text message = { 0 };

	protobuf_number(&message, MAPPING_ID, number + 1);
	protobuf_number(&message, MAPPING_LIMIT, pprof->mapped[number].limit);
	protobuf_number(&message, MAPPING_FILE, pprof->mapped[number].file);
	protobuf_number(&message, MAPPING_BUILD_ID, key[0]);
	for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINES; field++)
		protobuf_number(&message, field, 1);
	protobuf_message(&pprof->profile_text, PROFILE_MAPPING, &message);
}

static void append_functions(struct pprof *pprof)
{
	for (size_t i = 0; i < pprof->functions.count; i++) {
		const uint64_t *key = tuples_at(&pprof->functions, i);
		auto_text struct text message = { 0 };

		protobuf_number(&message, FUNCTION_ID, i + 1);
		protobuf_number(&message, FUNCTION_NAME, key[0]);
		protobuf_number(&message, FUNCTION_SYSTEM_NAME, key[1]);
		protobuf_number(&message, FUNCTION_FILE, key[2]);
		protobuf_message(&pprof->profile_text, PROFILE_FUNCTION, &message);
	}
}

static void append_description(struct pprof *pprof, const struct pprof_description *about)
{
	append_value_type(pprof, PROFILE_SAMPLE_TYPE, "samples", "count");
	append_value_type(pprof, PROFILE_SAMPLE_TYPE, about->event, about->unit);
	append_value_type(pprof, PROFILE_PERIOD_TYPE, about->event, about->unit);
	protobuf_number(&pprof->profile_text, PROFILE_PERIOD, about->sample_period);
	protobuf_number(&pprof->profile_text, PROFILE_TIME_NANOS, about->written_ns);
	protobuf_number(&pprof->profile_text, PROFILE_DURATION_NANOS, about->duration_ns);
	if (about->command)
		protobuf_number(&pprof->profile_text, PROFILE_COMMENT, string(pprof, about->command));
	protobuf_number(&pprof->profile_text, PROFILE_DEFAULT_SAMPLE_TYPE,
			string(pprof, about->hits ? "samples" : about->event));
}

static void append_tables(struct pprof *pprof)
{
	for (size_t i = 0; i < pprof->samples.count; i++)
		append_sample(pprof, i, &pprof->profile_text);
	for (size_t i = 0; i < pprof->mappings.count; i++)
		append_mapping(pprof, i);
	append_functions(pprof);
	for (size_t i = 0; i < pprof->strings.count; i++) {
		const char *text = (const char *)(uintptr_t)*tuples_at(&pprof->strings, i);

		protobuf_bytes(&pprof->profile_text, PROFILE_STRING, text, strlen(text));
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

void pprof_write(struct pprof *pprof, const struct pprof_description *about, struct text *out)
{
	append_description(pprof, about);
	append_tables(pprof);
	pack(&pprof->profile_text, out);
}
