/* From sites to functions, inline frames and lines, each asked for once. */
#include "profile/resolve.h"

#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/index.h"
#include "profile/origin.h"

/* What is known of a site; 0: not asked yet. */
struct site_names {
	uint32_t place_plus_one;
	uint32_t frames, frame_count; /* in resolver.frames */
	const char *line, *file;
};

struct resolver {
	const struct profile *profile;
	struct symbolizer *symbolizer, *owned_symbolizer;
	bool inlines;
	uint64_t recorded_ns;         /* when the recording was written, CLOCK_REALTIME; 0: unknown */
	struct binary **binaries;     /* [objects], asked for once */
	struct function *ksymbols;    /* [objects] */
	struct site_names *sites;     /* [site_capacity] */
	size_t site_capacity;
	struct tuples place_keys;
	struct place *places;
	size_t place_capacity;
	uint32_t *frames;
	size_t frame_count, frame_capacity;
};

const struct profile *resolver_profile(const struct resolver *resolver)
{
	return resolver->profile;
}

struct symbolizer *resolver_symbolizer(struct resolver *resolver)
{
	return resolver->symbolizer;
}

static const struct object *object_at(const struct resolver *resolver, uint32_t object)
{
	return &resolver->profile->objects->items[object];
}

/* The build id of a kernel that was recorded without one. kernel_id: where it is kept for name. */
static void find_kernel(const struct resolver *resolver, uint8_t kernel_id[BUILD_ID_MAX], struct binary_name *name)
{
	if (!profile_is_of_running_kernel(resolver->profile))
		return;
	name->build_id = kernel_id;
	error_destroy(build_id_of_file("/sys/kernel/notes", kernel_id, &name->build_id_size));
}

struct binary *resolver_binary(struct resolver *resolver, uint32_t number)
{
	const struct object *object = object_at(resolver, number);

	if (object->kind == OBJECT_UNKNOWN || object->kind == OBJECT_KSYMBOL)
		return NULL;
	if (!resolver->binaries[number]) {
		uint8_t kernel_id[BUILD_ID_MAX];
		struct binary_name name = { .path = object->path, .build_id = object->build_id,
					    .build_id_size = object->build_id_size, .pid = object->pid,
					    .reference = object->reference,
					    .recorded_ns = resolver->recorded_ns };

		if (object->kind == OBJECT_KERNEL || object->kind == OBJECT_MODULE)
			name.pid = 0;
		if (object->kind == OBJECT_KERNEL && !name.build_id_size)
			find_kernel(resolver, kernel_id, &name);
		resolver->binaries[number] = symbolizer_binary(resolver->symbolizer, &name);
	}
	return resolver->binaries[number];
}

bool resolver_address(struct resolver *resolver, uint32_t site, uint64_t *ret)
{
	const struct site *at = &resolver->profile->sites[site];
	struct binary *binary = resolver_binary(resolver, at->object);

	if (!binary) {
		*ret = at->offset;
		return object_at(resolver, at->object)->kind == OBJECT_KSYMBOL;
	}
	return binary_address(binary, at->offset, ret);
}

static const struct function *site_function(struct resolver *resolver, uint32_t site)
{
	const struct site *at = &resolver->profile->sites[site];
	const struct object *object = object_at(resolver, at->object);
	struct binary *binary = resolver_binary(resolver, at->object);
	uint64_t address;

	if (object->kind == OBJECT_KSYMBOL) {
		struct function *function = &resolver->ksymbols[at->object];

		*function = (struct function){ .name = object->path, .shown = object->path,
					       .start = object->load_address,
					       .end = object->load_address + object->length };
		return function;
	}
	if (!binary || !binary_address(binary, at->offset, &address))
		return NULL;
	return binary_function(binary, address);
}

static uint32_t intern_place(struct resolver *resolver, const struct place *place)
{
	const struct function *function = place->function;
	uint64_t identity = place->offset;

	if (function)
		identity = place->is_inlined ? (uintptr_t)function->shown : (uintptr_t)function;

	uint64_t key[3] = { (uintptr_t)object_at(resolver, place->object)->shown, identity,
			    (function ? 1u : 0u) | (place->is_inlined ? 2u : 0u) };
	size_t known = resolver->place_keys.count;
	uint32_t number = tuples_intern(&resolver->place_keys, key);

	if (number == known) {
		array_grow(&resolver->places, known, &resolver->place_capacity);
		resolver->places[number] = *place;
	}
	return number;
}

static uint32_t place_of(struct resolver *resolver, uint32_t site, const struct function *function, bool is_inlined)
{
	const struct site *at = &resolver->profile->sites[site];
	struct place place = { .object = at->object, .mark = at->mark, .is_inlined = is_inlined,
			       .function = function, .offset = function ? 0 : at->offset,
			       .address = function ? 0 : at->address };

	return intern_place(resolver, &place);
}

/* While samples are still being read, sites are added. */
static struct site_names *names_of(struct resolver *resolver, uint32_t site)
{
	size_t old = resolver->site_capacity;

	if (site >= old) {
		resolver->site_capacity = site + 1 > 2 * old ? site + 1 : 2 * old;
		resolver->sites = memory_resize(resolver->sites, resolver->site_capacity, sizeof(*resolver->sites));
		memset(resolver->sites + old, 0, (resolver->site_capacity - old) * sizeof(*resolver->sites));
	}
	return &resolver->sites[site];
}

uint32_t resolver_place(struct resolver *resolver, uint32_t site)
{
	struct site_names *names = names_of(resolver, site);

	if (!names->place_plus_one)
		names->place_plus_one = place_of(resolver, site, site_function(resolver, site), false) + 1;
	return names->place_plus_one - 1;
}

static void append_frame(struct resolver *resolver, uint32_t place)
{
	array_grow(&resolver->frames, resolver->frame_count, &resolver->frame_capacity);
	resolver->frames[resolver->frame_count++] = place;
}

static const struct frame *raw_frames(struct resolver *resolver, uint32_t site, size_t *count)
{
	const struct site *at = &resolver->profile->sites[site];
	struct binary *binary = resolver_binary(resolver, at->object);
	const struct frame *frames = NULL;
	uint64_t address;

	*count = 0;
	if (binary && binary_address(binary, at->offset, &address))
		*count = binary_frames(binary, address, &frames);
	return frames;
}

size_t resolver_frames(struct resolver *resolver, uint32_t site, const uint32_t **ret)
{
	struct site_names *names = names_of(resolver, site);

	if (!names->frame_count) {
		size_t count = 0;
		const struct frame *frames = resolver->inlines ? raw_frames(resolver, site, &count) : NULL;

		names->frames = (uint32_t)resolver->frame_count;
		/* The outermost frame is the function of the symbol table. */
		for (size_t i = 0; i + 1 < count; i++)
			if (frames[i].function)
				append_frame(resolver, place_of(resolver, site, frames[i].function, true));
		append_frame(resolver, resolver_place(resolver, site));
		names->frame_count = (uint32_t)resolver->frame_count - names->frames;
	}
	*ret = resolver->frames + names->frames;
	return names->frame_count;
}

const struct place *resolver_place_at(const struct resolver *resolver, uint32_t place)
{
	return &resolver->places[place];
}

static void find_line(struct resolver *resolver, uint32_t site)
{
	struct site_names *names = names_of(resolver, site);
	size_t count;
	const struct frame *frames = raw_frames(resolver, site, &count);
	const struct place *place = resolver_place_at(resolver, resolver_place(resolver, site));
	struct intern *table = resolver->profile->names;
	uint64_t address = 0;
	auto_text struct text line = { 0 };

	names->file = intern_text(table, count && frames[0].file ? text_base_name(frames[0].file) : ".");
	resolver_address(resolver, site, &address);
	if (count && frames[0].file && frames[0].line)
		text_format(&line, "%s:%u", text_base_name(frames[0].file), frames[0].line);
	else if (place->function)
		text_format(&line, "%s+%llu", place->function->shown,
			    (unsigned long long)(address - place->function->start));
	else
		text_format(&line, "%s[%llx]", place_object(resolver, place), (unsigned long long)place->offset);
	names->line = intern_text(table, line.bytes);
}

const char *resolver_line(struct resolver *resolver, uint32_t site)
{
	if (!names_of(resolver, site)->line)
		find_line(resolver, site);
	return resolver->sites[site].line;
}

const char *resolver_file(struct resolver *resolver, uint32_t site)
{
	resolver_line(resolver, site);
	return resolver->sites[site].file;
}

const char *resolver_reason(struct resolver *resolver, uint32_t site)
{
	const struct site *at = &resolver->profile->sites[site];
	struct binary *binary = resolver_binary(resolver, at->object);

	if (!binary) {
		if (at->mark == 'g' || at->mark == 'u' || at->mark == 'H')
			return "code of a guest or hypervisor";
		return "no mapping held the address";
	}
	if (binary_state(binary) != BINARY_OK)
		return binary_state_text(binary_state(binary));
	return "no symbol covers the address";
}

const char *place_object(const struct resolver *resolver, const struct place *place)
{
	return object_at(resolver, place->object)->shown;
}

const char *place_name(const struct place *place)
{
	return place->function ? place->function->shown : NULL;
}

struct resolver *resolver_create_shared(const struct profile *profile, struct symbolizer *symbolizer, bool inlines)
{
	struct resolver *resolver = memory_zeroed(1, sizeof(*resolver));

	resolver->profile = profile;
	resolver->symbolizer = symbolizer;
	resolver->inlines = inlines;
	resolver->recorded_ns = profile_written_ns(profile);
	resolver->binaries = memory_zeroed(profile->objects->count, sizeof(struct binary *));
	resolver->ksymbols = memory_zeroed(profile->objects->count, sizeof(struct function));
	names_of(resolver, (uint32_t)profile->site_count);
	resolver->place_keys.words = 3;
	return resolver;
}

struct error *resolver_create(const struct profile *profile, const struct symbolizer_setup *setup,
			      struct resolver **ret)
{
	struct symbolizer *symbolizer;
	struct error *err = symbolizer_create(setup, &symbolizer);

	if (err)
		return err;
	*ret = resolver_create_shared(profile, symbolizer, setup->inlines);
	(*ret)->owned_symbolizer = symbolizer;
	return NULL;
}

void resolver_destroy(struct resolver *resolver)
{
	if (!resolver)
		return;
	symbolizer_destroy(resolver->owned_symbolizer);
	tuples_release(&resolver->place_keys);
	free(resolver->binaries);
	free(resolver->ksymbols);
	free(resolver->sites);
	free(resolver->places);
	free(resolver->frames);
	free(resolver);
}
