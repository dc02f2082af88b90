/* Rows put together by function, then by instruction. */
#include "profile/annotation.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/index.h"

static int compare_hot(const void *left, const void *right)
{
	const struct hot_function *a = left, *b = right;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* Count the rows of each place: functions come in the order of their first row. */
static void count_rows(struct hot_functions *functions, struct index *by_place)
{
	const struct profile *profile = resolver_profile(functions->resolver);
	size_t capacity = 0;

	for (size_t row = 0; row < profile->rows.count; row++) {
		uint32_t place = resolver_place(functions->resolver, row_site(profile, row));
		uint32_t number = index_find(by_place, place);

		if (!resolver_place_at(functions->resolver, place)->function)
			continue;
		if (number == INDEX_NONE) {
			number = (uint32_t)functions->count;
			array_grow(&functions->items, functions->count, &capacity);
			functions->items[functions->count++] = (struct hot_function){ .place = place };
			index_add(by_place, place, number);
		}
		functions->items[number].row_count++;
		functions->items[number].samples += profile->totals[row].samples;
		functions->items[number].period += profile->totals[row].period;
	}
}

static void sort_rows(struct hot_functions *functions, const struct index *by_place)
{
	const struct profile *profile = resolver_profile(functions->resolver);
	size_t first = 0;

	for (size_t i = 0; i < functions->count; i++) {
		functions->items[i].first = first;
		first += functions->items[i].row_count;
		functions->items[i].row_count = 0;
	}
	functions->rows = memory_zeroed(first + 1, sizeof(*functions->rows));
	for (size_t row = 0; row < profile->rows.count; row++) {
		uint32_t number = index_find(by_place, resolver_place(functions->resolver, row_site(profile, row)));
		struct hot_function *function = number == INDEX_NONE ? NULL : &functions->items[number];

		if (function)
			functions->rows[function->first + function->row_count++] = (uint32_t)row;
	}
}

struct hot_functions *hot_functions_create(struct resolver *resolver)
{
	struct hot_functions *functions = memory_zeroed(1, sizeof(*functions));
	struct index by_place = { 0 };

	functions->resolver = resolver;
	count_rows(functions, &by_place);
	sort_rows(functions, &by_place);
	index_release(&by_place);
	if (functions->count)
		qsort(functions->items, functions->count, sizeof(*functions->items), compare_hot);
	return functions;
}

void hot_functions_destroy(struct hot_functions *functions)
{
	if (!functions)
		return;
	free(functions->items);
	free(functions->rows);
	free(functions);
}

/* The columns: events of the function's rows, in the profile's order. Returns each event's column, plus one. */
static size_t *choose_events(struct annotation *annotation, const struct hot_functions *functions,
			     const struct hot_function *function)
{
	const struct profile *profile = resolver_profile(functions->resolver);
	size_t *columns = memory_zeroed(profile->event_count + 1, sizeof(*columns));

	for (size_t i = 0; i < function->row_count; i++)
		columns[row_event(profile, functions->rows[function->first + i])] = 1;
	annotation->events = memory_zeroed(profile->event_count + 1, sizeof(*annotation->events));
	for (size_t i = 0; i < profile->event_count; i++) {
		if (!columns[i])
			continue;
		annotation->events[annotation->event_count] = (struct annotated_event){
			.event = i, .name = profile->events[i].name,
			.whole = { profile->events[i].samples, profile->events[i].period },
		};
		columns[i] = ++annotation->event_count;
	}
	return columns;
}

static void add_total(struct row_total *to, const struct row_total *from)
{
	to->samples += from->samples;
	to->period += from->period;
}

static void add_rows(struct annotation *annotation, const struct hot_functions *functions,
		     const struct hot_function *function)
{
	const struct profile *profile = resolver_profile(functions->resolver);
	auto_free size_t *columns = choose_events(annotation, functions, function);

	annotation->totals = memory_zeroed(annotation->count * annotation->event_count + 1, sizeof(*annotation->totals));
	for (size_t i = 0; i < function->row_count; i++) {
		size_t row = functions->rows[function->first + i], column = columns[row_event(profile, row)] - 1;
		const struct instruction *instruction = NULL;
		uint64_t address;

		if (resolver_address(functions->resolver, row_site(profile, row), &address))
			instruction = disassembly_find(annotation->disassembly, address);
		if (!instruction)
			continue;

		size_t item = (size_t)(instruction - annotation->items[0].instruction);

		add_total(&annotation->totals[item * annotation->event_count + column], &profile->totals[row]);
		add_total(&annotation->events[column].function, &profile->totals[row]);
	}
}

static void describe(struct annotation *annotation)
{
	const struct instruction *instructions;

	annotation->count = disassembly_instructions(annotation->disassembly, &instructions);
	annotation->items = memory_zeroed(annotation->count + 1, sizeof(*annotation->items));
	for (size_t i = 0; i < annotation->count; i++) {
		struct annotated *item = &annotation->items[i];
		const struct instruction *target = NULL;

		item->instruction = &instructions[i];
		item->frame_count = binary_frames(annotation->binary, instructions[i].address, &item->frames);
		if (instructions[i].kind == INSTRUCTION_JUMP && instructions[i].has_target)
			target = disassembly_find(annotation->disassembly, instructions[i].target);
		item->jump = target ? (size_t)(target - instructions) : SIZE_MAX;
	}
}

struct error *annotation_missing(struct binary *binary, const char *object, const char *name, struct error *err)
{
	static const char kernel_hint[] = "give the kernel's image with -k, or install its debug package";
	enum binary_state state = binary ? binary_state(binary) : BINARY_ANONYMOUS;
	bool is_gone = !binary || !binary_file(binary);
	const char *hint = binary && binary_is_absolute(binary) ? kernel_hint :
			   "'perfmini buildid-cache --add FILE' keeps a binary; --symfs DIR looks elsewhere";

	if (error_kind(err) != ERROR_NOT_FOUND)
		return error_wrap(err, "%s in %s", name, object);
	error_destroy(err);
	if (state == BINARY_ANONYMOUS || (object[0] == '[' && text_starts_with(object, "[JIT]")))
		return error_new(ERROR_NOT_FOUND, "%s in %s: its machine code was made at run time and is in no file", name,
				 object);
	return error_hint(error_new(ERROR_NOT_FOUND, "%s in %s: no machine code: %s", name, object,
				    state == BINARY_OK ? is_gone ? "only its symbols are known" : "the file does not hold it"
						       : binary_state_text(state)), "%s", hint);
}

struct error *annotation_create(const struct hot_functions *functions, const struct hot_function *function,
				const struct disassembly_setup *setup, struct annotation **ret)
{
	const struct place *place = resolver_place_at(functions->resolver, function->place);
	cleanup(annotation_guard) struct annotation *annotation = memory_zeroed(1, sizeof(*annotation));
	struct error *err;

	annotation->function = place->function;
	annotation->object = place_object(functions->resolver, place);
	annotation->binary = resolver_binary(functions->resolver, place->object);
	err = annotation->binary ? disassembly_create(annotation->binary, place->function->start, place->function->end,
						      setup, &annotation->disassembly)
				 : error_new(ERROR_NOT_FOUND, "no file");
	if (err)
		return annotation_missing(annotation->binary, annotation->object, place_name(place), err);
	describe(annotation);
	add_rows(annotation, functions, function);
	*ret = take(annotation);
	return NULL;
}

void annotation_destroy(struct annotation *annotation)
{
	if (!annotation)
		return;
	disassembly_destroy(annotation->disassembly);
	free(annotation->items);
	free(annotation->events);
	free(annotation->totals);
	free(annotation);
}

static bool same_body(const struct annotated *a, const struct annotated *b)
{
	if (a->frame_count != b->frame_count)
		return false;
	for (size_t i = 0; i + 1 < a->frame_count; i++)
		if (a->frames[i].function != b->frames[i].function)
			return false;
	return true;
}

bool annotation_changes_body(const struct annotation *annotation, size_t item)
{
	const struct annotated *items = annotation->items;

	return item ? !same_body(&items[item], &items[item - 1]) : items[0].frame_count > 1;
}

bool annotation_changes_line(const struct annotation *annotation, size_t item)
{
	const struct frame *now = annotation->items[item].frames, *before = item ? annotation->items[item - 1].frames : NULL;

	if (!now->file || !now->line)
		return false;
	return !before || before->file != now->file || before->line != now->line;
}

static int compare_lines(const void *left, const void *right)
{
	const struct annotated_line *a = left, *b = right;

	if (a->total.period != b->total.period)
		return a->total.period < b->total.period ? 1 : -1;
	if (a->total.samples != b->total.samples)
		return a->total.samples < b->total.samples ? 1 : -1;
	return a->file == b->file ? (a->line > b->line) - (a->line < b->line) : strcmp(a->file, b->file);
}

size_t annotation_lines(const struct annotation *annotation, size_t column, struct annotated_line **ret)
{
	struct tuples keys = { .words = 2 };
	struct annotated_line *lines = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < annotation->count; i++) {
		const struct frame *frame = annotation->items[i].frames;
		const struct row_total *total = &annotation_totals(annotation, i)[column];
		uint64_t key[2] = { (uintptr_t)frame->file, frame->line };
		uint32_t number;

		if (!total->samples || !frame->file)
			continue;
		number = tuples_intern(&keys, key);
		if (number == count) {
			array_grow(&lines, count, &capacity);
			lines[count++] = (struct annotated_line){ .file = frame->file, .line = frame->line };
		}
		add_total(&lines[number].total, total);
	}
	tuples_release(&keys);
	if (count)
		qsort(lines, count, sizeof(*lines), compare_lines);
	*ret = lines;
	return count;
}
