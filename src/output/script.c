/* Lines of samples. The text of a site is made once; numbers are formatted here, since printf would take a quarter
 * of the time. */
#include "output/script.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct script_writer {
	struct script_view view;
	struct arena *arena;
	/* Text behind a frame's address, made once: frames of a site, innermost first. */
	struct site_text {
		const char **frames;
		size_t count;
	} *sites;
	size_t site_capacity;
};

struct script_writer *script_writer_create(const struct script_view *view)
{
	struct script_writer *writer = memory_zeroed(1, sizeof(*writer));

	writer->view = *view;
	writer->arena = arena_create();
	return writer;
}

void script_writer_destroy(struct script_writer *writer)
{
	if (!writer)
		return;
	arena_destroy(writer->arena);
	free(writer->sites);
	free(writer);
}

static void append_right(struct text *out, const char *digits, size_t length, size_t width)
{
	if (length < width)
		text_append_repeated(out, ' ', width - length);
	text_append_bytes(out, digits, length);
}

static void append_decimal(struct text *out, uint64_t number, size_t width)
{
	char digits[24];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	append_right(out, digits + at, sizeof(digits) - at, width);
}

static void append_hex(struct text *out, uint64_t number, size_t width)
{
	char digits[16];
	size_t at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[number & 15];
		number >>= 4;
	} while (number);
	append_right(out, digits + at, sizeof(digits) - at, width);
}

static void append_signed(struct text *out, uint32_t id, size_t width)
{
	char digits[16];
	size_t at = sizeof(digits);
	int64_t number = (int32_t)id;
	uint64_t rest = number < 0 ? (uint64_t)-number : (uint64_t)number;

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (number < 0)
		digits[--at] = '-';
	append_right(out, digits + at, sizeof(digits) - at, width);
}

static void append_time(struct text *out, uint64_t time_ns)
{
	uint64_t micro = time_ns % 1000000000 / 1000;

	append_decimal(out, time_ns / 1000000000, 5);
	text_append_char(out, '.');
	for (uint64_t unit = 100000; unit; unit /= 10)
		text_append_char(out, (char)('0' + micro / unit % 10));
	text_append(out, ": ");
}

static void append_comm(const struct script_view *view, const char *comm, struct text *out)
{
	auto_text struct text escaped = { 0 };

	text_append_escaped(&escaped, comm);
	append_right(out, escaped.bytes ? escaped.bytes : "", escaped.length, view->chains ? 0 : 16);
	text_append_char(out, ' ');
}

static void append_task(const struct script_view *view, const struct sample *sample, struct text *out)
{
	bool both = view->fields & SCRIPT_PID && view->fields & SCRIPT_TID;

	if (view->fields & SCRIPT_PID)
		append_signed(out, sample->pid, 7);
	if (both)
		text_append_char(out, '/');
	if (view->fields & SCRIPT_TID)
		append_signed(out, sample->tid, both ? 0 : 7);
	if (view->fields & (SCRIPT_PID | SCRIPT_TID))
		text_append_char(out, ' ');
}

void script_append_lead(const struct script_view *view, const struct script_line *line, uint64_t time_ns,
			struct text *out)
{
	const struct sample *sample = line->given->sample;
	uint64_t type = line->event->attr.sample_type;

	if (view->fields & SCRIPT_COMM)
		append_comm(view, line->comm, out);
	append_task(view, sample, out);
	if (view->fields & SCRIPT_CPU && type & PERF_SAMPLE_CPU) {
		text_append(out, sample->cpu < 10 ? "[00" : sample->cpu < 100 ? "[0" : "[");
		append_decimal(out, sample->cpu, 0);
		text_append(out, "] ");
	}
	if (view->fields & SCRIPT_TIME && type & PERF_SAMPLE_TIME)
		append_time(out, time_ns);
}

static void append_numbers(const struct script_view *view, const struct script_line *line, struct text *out)
{
	const struct sample *sample = line->given->sample;
	size_t length = strlen(line->event->name);

	if (view->fields & SCRIPT_PERIOD) {
		append_decimal(out, sample->period, 10);
		text_append_char(out, ' ');
	}
	if (view->fields & SCRIPT_EVENT) {
		if (length < view->event_width)
			text_append_repeated(out, ' ', view->event_width - length);
		text_append_escaped(out, line->event->name);
		text_append(out, ": ");
	}
	if (view->fields & SCRIPT_ADDR) {
		append_hex(out, sample->addr, 16);
		text_append_char(out, ' ');
	}
	if (view->fields & SCRIPT_WEIGHT) {
		append_decimal(out, sample->weight, 16);
		text_append_char(out, ' ');
	}
	if (view->fields & SCRIPT_PHYS_ADDR) {
		append_hex(out, sample->phys_addr, 16);
		text_append_char(out, ' ');
	}
}

static void append_symbol(const struct script_view *view, struct resolver *resolver, uint32_t site,
			  const struct place *place, struct text *out)
{
	/* Of inlined code too, perf counts the offset from the function that holds it. */
	const struct function *outer = resolver_place_at(resolver, resolver_place(resolver, site))->function;
	uint64_t address;

	text_append_char(out, ' ');
	if (!place->function) {
		text_append(out, "[unknown]");
		return;
	}
	text_append_escaped(out, place_name(place));
	if (outer && view->fields & SCRIPT_SYMOFF && resolver_address(resolver, site, &address))
		text_format(out, "+0x%llx", (unsigned long long)(address - outer->start));
	if (place->is_inlined)
		text_append(out, " (inlined)");
}

/* What stands behind an address: symbol, object, line. */
static const char *frame_text(struct script_writer *writer, struct resolver *resolver, uint32_t site, uint32_t number)
{
	const struct place place = *resolver_place_at(resolver, number);
	const struct object *object =
		&resolver_profile(resolver)->objects->items[resolver_profile(resolver)->sites[site].object];
	auto_text struct text out = { 0 };

	if (writer->view.fields & SCRIPT_SYM)
		append_symbol(&writer->view, resolver, site, &place, &out);
	if (writer->view.fields & SCRIPT_DSO && place.is_inlined) {
		/* perf names the object of a whole function only. */
	} else if (writer->view.fields & SCRIPT_DSO) {
		text_append(&out, " (");
		if (object->kind == OBJECT_ANONYMOUS)
			text_format(&out, "/tmp/perf-%u.map", object->pid);
		else
			text_append_escaped(&out, object->path);
		text_append_char(&out, ')');
	}
	if (writer->view.fields & SCRIPT_SRCLINE) {
		text_append(&out, "\n  ");
		text_append_escaped(&out, resolver_line(resolver, site));
	}
	return arena_strdup(writer->arena, out.bytes ? out.bytes : "");
}

static const struct site_text *text_of(struct script_writer *writer, struct resolver *resolver, uint32_t site)
{
	size_t old = writer->site_capacity;

	if (site >= old) {
		writer->site_capacity = site + 1 > 2 * old ? site + 1 : 2 * old;
		writer->sites = memory_resize(writer->sites, writer->site_capacity, sizeof(*writer->sites));
		memset(writer->sites + old, 0, (writer->site_capacity - old) * sizeof(*writer->sites));
	}

	struct site_text *text = &writer->sites[site];

	if (!text->frames) {
		const uint32_t *frames;
		uint32_t one = resolver_place(resolver, site);
		size_t count = writer->view.chains ? resolver_frames(resolver, site, &frames) : 1;

		if (!writer->view.chains)
			frames = &one;
		text->frames = arena_alloc(writer->arena, count * sizeof(*text->frames));
		text->count = count;
		for (size_t i = 0; i < count; i++)
			text->frames[i] = frame_text(writer, resolver, site, frames[i]);
	}
	return text;
}

/* Addresses of the chain are those of this process; the sites have them where mappings are equal, so the words of
 * the sample are walked beside the stack. */
static void append_chain(struct script_writer *writer, struct resolver *resolver, const struct script_line *line,
			 struct text *out)
{
	const struct profile *profile = resolver_profile(resolver);
	const struct sample *sample = line->given->sample;
	size_t word = 0;

	for (uint32_t stack = line->given->stack; stack;) {
		struct stack_node node = stack_at(profile, stack);
		const struct site_text *text = text_of(writer, resolver, node.site);
		uint64_t address = profile->sites[node.site].address;

		while (word < sample->callchain_length && sample->callchain[word] >= (uint64_t)PERF_CONTEXT_MAX)
			word++;
		if (word < sample->callchain_length)
			address = sample->callchain[word++];
		for (size_t i = 0; i < text->count; i++) {
			text_append_char(out, '\t');
			if (writer->view.fields & SCRIPT_IP)
				append_hex(out, address, 16);
			text_append(out, text->frames[i]);
			text_append_char(out, '\n');
		}
		stack = node.caller;
	}
	text_append_char(out, '\n');
}

void script_append(struct script_writer *writer, struct resolver *resolver, const struct script_line *line,
		   struct text *out)
{
	script_append_lead(&writer->view, line, line->given->sample->time_ns, out);
	append_numbers(&writer->view, line, out);
	if (!(writer->view.fields & SCRIPT_IP)) {
		text_append_char(out, '\n');
		return;
	}
	if (writer->view.chains && line->event->has_stacks) {
		text_append_char(out, '\n');
		append_chain(writer, resolver, line, out);
		return;
	}
	text_append_char(out, ' ');
	append_hex(out, line->given->sample->ip, 16);
	text_append(out, text_of(writer, resolver, line->given->site)->frames[0]);
	text_append(out, writer->view.chains ? "\n\n" : "\n");
}

static void append_folded_name(const struct resolver *resolver, uint32_t number, struct text *out)
{
	const struct place *place = resolver_place_at(resolver, number);

	text_append_char(out, ';');
	if (place->function) {
		text_append_escaped(out, place_name(place));
		return;
	}
	text_append_char(out, '[');
	text_append_escaped(out, place_object(resolver, place));
	text_append_char(out, ']');
}

static void append_folded_chain(const struct profile *profile, struct resolver *resolver, size_t row,
				struct text *out)
{
	uint32_t stack = (uint32_t)row_word(profile, row, ROW_STACK);
	auto_free uint32_t *places = NULL;
	size_t count = 0, capacity = 0;

	if (!stack)
		append_folded_name(resolver, resolver_place(resolver, row_site(profile, row)), out);
	while (stack) {
		struct stack_node node = stack_at(profile, stack);
		const uint32_t *frames;
		size_t frame_count = resolver_frames(resolver, node.site, &frames);

		for (size_t i = 0; i < frame_count; i++) {
			array_grow(&places, count, &capacity);
			places[count++] = frames[i];
		}
		stack = node.caller;
	}
	while (count--)
		append_folded_name(resolver, places[count], out);
}

struct folded_line {
	char *text;
	uint64_t weight;
};

static int compare_lines(const void *left, const void *right)
{
	return strcmp(((const struct folded_line *)left)->text, ((const struct folded_line *)right)->text);
}

void script_folded(const struct profile *profile, struct resolver *resolver, bool periods, struct text *out)
{
	auto_free struct folded_line *lines = memory_zeroed(profile->rows.count + 1, sizeof(*lines));

	for (size_t row = 0; row < profile->rows.count; row++) {
		struct text line = { 0 };

		text_append_escaped(&line, (const char *)(uintptr_t)row_word(profile, row, ROW_COMM));
		append_folded_chain(profile, resolver, row, &line);
		lines[row].text = text_steal(&line);
		lines[row].weight = periods ? profile->totals[row].period : profile->totals[row].samples;
	}
	qsort(lines, profile->rows.count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < profile->rows.count; i++) {
		if (i + 1 < profile->rows.count && !strcmp(lines[i].text, lines[i + 1].text)) {
			lines[i + 1].weight += lines[i].weight;
			continue;
		}
		text_append(out, lines[i].text);
		text_format(out, " %llu\n", (unsigned long long)lines[i].weight);
	}
	for (size_t i = 0; i < profile->rows.count; i++)
		free(lines[i].text);
}
