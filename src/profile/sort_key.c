/* The values, texts and orders of sort keys. */
#include "profile/sort_key.h"

#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"

static const struct profile *source_profile(const struct key_source *source)
{
	return resolver_profile(source->resolver);
}

static uint64_t object_of(const struct key_source *source, uint32_t site)
{
	const struct profile *profile = source_profile(source);

	return (uintptr_t)profile->objects->items[profile->sites[site].object].shown;
}

static uint32_t branch_from(const struct key_source *source)
{
	return (uint32_t)(row_word(source_profile(source), source->row, ROW_BRANCH) >> 32);
}

static uint32_t branch_to(const struct key_source *source)
{
	return (uint32_t)row_word(source_profile(source), source->row, ROW_BRANCH);
}

static uint64_t key_value_comm(const struct key_source *source)
{
	return row_word(source_profile(source), source->row, ROW_COMM);
}

static uint64_t key_value_dso(const struct key_source *source)
{
	return object_of(source, source->site);
}

static uint64_t key_value_sym(const struct key_source *source)
{
	return source->place;
}

static uint64_t key_value_symbol(const struct key_source *source)
{
	return source->place;
}

static uint64_t task_value(const struct key_source *source, uint32_t id)
{
	const struct profile *profile = source_profile(source);
	const char *comm = (const char *)(uintptr_t)row_word(profile, source->row, ROW_COMM);
	char text[64];

	snprintf(text, sizeof(text), "%7d:%s", (int)id, comm ? comm : "");
	return (uintptr_t)intern_text(profile->names, text);
}

static uint64_t key_value_pid(const struct key_source *source)
{
	return task_value(source, (uint32_t)row_word(source_profile(source), source->row, ROW_PID));
}

static uint64_t key_value_tid(const struct key_source *source)
{
	return task_value(source, (uint32_t)row_word(source_profile(source), source->row, ROW_TASK));
}

static uint64_t key_value_cpu(const struct key_source *source)
{
	return row_word(source_profile(source), source->row, ROW_CPU);
}

static uint64_t key_value_weight(const struct key_source *source)
{
	return row_word(source_profile(source), source->row, ROW_WEIGHT);
}

static uint64_t key_value_local_weight(const struct key_source *source)
{
	return key_value_weight(source);
}

static uint64_t key_value_srcline(const struct key_source *source)
{
	return (uintptr_t)resolver_line(source->resolver, source->site);
}

static uint64_t key_value_srcfile(const struct key_source *source)
{
	return (uintptr_t)resolver_file(source->resolver, source->site);
}

static uint64_t key_value_addr(const struct key_source *source)
{
	uint64_t address;

	if (resolver_address(source->resolver, source->site, &address))
		return address;
	return source_profile(source)->sites[source->site].offset;
}

/* The innermost function of the chain that the pattern names. */
static uint64_t key_value_parent(const struct key_source *source)
{
	const struct profile *profile = source_profile(source);
	uint32_t stack = (uint32_t)row_word(profile, source->row, ROW_STACK);

	while (stack && source->parent) {
		struct stack_node node = stack_at(profile, stack);
		uint32_t place = resolver_place(source->resolver, node.site);
		const char *name = place_name(resolver_place_at(source->resolver, place));

		if (name && !regexec(source->parent, name, 0, NULL, 0))
			return (uintptr_t)intern_text(profile->names, name);
		stack = node.caller;
	}
	return (uintptr_t)intern_text(profile->names, "[other]");
}

static uint64_t key_value_dso_from(const struct key_source *source)
{
	return object_of(source, branch_from(source));
}

static uint64_t key_value_dso_to(const struct key_source *source)
{
	return object_of(source, branch_to(source));
}

static uint64_t key_value_symbol_from(const struct key_source *source)
{
	return resolver_place(source->resolver, branch_from(source));
}

static uint64_t key_value_symbol_to(const struct key_source *source)
{
	return resolver_place(source->resolver, branch_to(source));
}

static const struct sort_key keys[] = {
#define SORT_KEY(id, name, header, fields, kind) { name, header, fields, KEY_##kind, key_value_##id },
#include "profile/sort_key.def"
#undef SORT_KEY
};

const struct sort_key *sort_key_find(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (strlen(keys[i].name) == length && !strncmp(keys[i].name, name, length))
			return &keys[i];
	return NULL;
}

static struct error *unknown_key(const char *name, size_t length)
{
	const char *names[ARRAY_SIZE(keys)];
	auto_free char *word = memory_strndup(name, length);
	auto_text struct text all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		names[i] = keys[i].name;
		text_format(&all, "%s%s", i ? ", " : "", keys[i].name);
	}

	const char *near = text_nearest(word, names, ARRAY_SIZE(keys));
	struct error *err = error_new(ERROR_USAGE, "unknown sort key '%s'", word);

	return near ? error_hint(err, "did you mean %s? The keys are %s", near, all.bytes) :
		      error_hint(err, "the keys are %s", all.bytes);
}

struct error *sort_keys_parse(const char *text, const struct sort_key ***ret, size_t *count)
{
	auto_free const struct sort_key **found = NULL;
	size_t length, got = 0, capacity = 0;

	for (const char *at = text; *at; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		if (!length)
			continue;

		const struct sort_key *key = sort_key_find(at, length);

		if (!key)
			return unknown_key(at, length);
		array_grow(&found, got, &capacity);
		found[got++] = key;
	}
	if (!got)
		return error_new(ERROR_USAGE, "no sort key in '%s'", text);
	*ret = take(found);
	*count = got;
	return NULL;
}

void place_append(const struct resolver *resolver, uint32_t number, struct text *out)
{
	const struct place *place = resolver_place_at(resolver, number);

	text_append_char(out, '[');
	text_append_char(out, place->mark);
	text_append(out, "] ");
	if (!place->function) {
		text_format(out, place->offset ? "0x%016llx" : "%016llx", (unsigned long long)place->offset);
		return;
	}
	text_append_escaped(out, place_name(place));
	if (place->is_inlined)
		text_append(out, " (inlined)");
}

void sort_key_append(const struct sort_key *key, struct resolver *resolver, uint64_t value, struct text *out)
{
	switch (key->kind) {
	case KEY_TEXT:
	case KEY_TASK:
		text_append_escaped(out, value ? (const char *)(uintptr_t)value : "");
		return;
	case KEY_PLACE:
		place_append(resolver, (uint32_t)value, out);
		return;
	case KEY_NUMBER:
		if (key->row_fields == 1u << ROW_CPU)
			text_format(out, "%.3d", (int)value);
		else
			text_format(out, "%llu", (unsigned long long)value);
		return;
	case KEY_ADDRESS:
		text_format(out, "0x%016llx", (unsigned long long)value);
		return;
	}
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_places(const struct resolver *resolver, uint64_t a, uint64_t b)
{
	const struct place *left = resolver_place_at(resolver, (uint32_t)a);
	const struct place *right = resolver_place_at(resolver, (uint32_t)b);

	if (!left->function || !right->function) {
		if (left->function || right->function)
			return left->function ? -1 : 1;
		return compare_numbers(left->offset, right->offset);
	}

	int order = strcmp(left->function->shown, right->function->shown);

	return order ? order : compare_numbers(left->function->start, right->function->start);
}

int sort_key_compare(const struct sort_key *key, const struct resolver *resolver, uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	if (key->kind == KEY_PLACE)
		return compare_places(resolver, a, b);
	if ((key->kind == KEY_TEXT || key->kind == KEY_TASK) && a && b)
		return strcmp((const char *)(uintptr_t)a, (const char *)(uintptr_t)b);
	return compare_numbers(a, b);
}
