/* One recording into a gathering: its rows by function. */
#include <string.h>

#include "base/text.h"
#include "perfdata/format.h"
#include "profile/diff_gather_private.h"

/* A recording being added. */
struct load {
	struct gathering *gathering;
	struct profile *profile;
	struct resolver *resolver;
	uint32_t run;
	uint32_t *events; /* of the gathering, by the recording's number; UINT32_MAX: not in it */
	uint32_t *sites;  /* of the gathering, by the recording's number, plus one; 0: not asked yet */
	struct index cells; /* event, site -> cell, of this run */
};

static uint32_t gathering_event(struct gathering *gathering, const struct profile_event *event)
{
	struct gathered_event wanted = { .attr = event->attr, .name = intern_text(gathering->names, event->name) };
	size_t known = gathering_find_event(gathering, &wanted);

	if (known == SIZE_MAX) {
		known = gathering->event_count;
		array_grow(&gathering->events, known, &gathering->event_capacity);
		gathering->events[gathering->event_count++] = wanted;
	}
	gathering->events[known].samples += event->samples;
	gathering->events[known].period += event->period;
	return (uint32_t)known;
}

static const char *hex_text(struct gathering *gathering, const uint8_t *bytes, size_t size)
{
	auto_text struct text hex = { 0 };

	for (size_t i = 0; i < size; i++)
		text_format(&hex, "%02x", bytes[i]);
	return size ? intern_text(gathering->names, hex.bytes) : NULL;
}

static const char *intern_or_null(struct gathering *gathering, const char *text)
{
	return text ? intern_text(gathering->names, text) : NULL;
}

/* What the site's function is called in a diff. */
static struct pair_item site_item(struct load *load, uint32_t site)
{
	struct gathering *gathering = load->gathering;
	const struct gather_setup *setup = &gathering->setup;
	const struct place *place = resolver_place_at(load->resolver, resolver_place(load->resolver, site));
	const struct object *object = &load->profile->objects->items[place->object];
	struct pair_item item = {
		.object = intern_text(gathering->names, object->kind == OBJECT_KSYMBOL   ? "[bpf]"
							: object->kind == OBJECT_UNKNOWN ? "[unknown]"
											 : object->path),
		.build_id = hex_text(gathering, object->build_id, object->build_id_size),
	};

	if (place->function && !setup->by_object) {
		item.name = intern_text(gathering->names, place->function->name);
		item.shown = intern_text(gathering->names, place->function->shown);
		item.start = place->function->start;
		item.size = place->function->end - place->function->start;
	}
	if (setup->ignore_object)
		item.object = intern_text(gathering->names, "");
	return item;
}

/* The gathering's site of a recording's site. */
static uint32_t gathering_site(struct load *load, uint32_t site)
{
	struct gathering *gathering = load->gathering;
	struct binary *binary = resolver_binary(load->resolver, load->profile->sites[site].object);
	struct gathered_site found = { .binary = binary };
	struct pair_item item = site_item(load, site);

	if (!resolver_address(load->resolver, site, &found.address))
		found.address = load->profile->sites[site].offset;

	uint64_t key[2] = { binary ? (uintptr_t)binary : (uintptr_t)item.object, found.address };
	size_t known = gathering->site_keys.count;
	uint32_t number = tuples_intern(&gathering->site_keys, key);

	if (number == known) {
		found.item = gathering_item(gathering, &item, binary);
		array_grow(&gathering->sites, known, &gathering->site_capacity);
		gathering->sites[gathering->site_count++] = found;
	}
	return number;
}

static uint32_t known_site(struct load *load, uint32_t site)
{
	if (!load->sites[site])
		load->sites[site] = gathering_site(load, site) + 1;
	return load->sites[site] - 1;
}

static void add_cost(struct load *load, uint32_t event, uint32_t site, const struct row_total *total)
{
	struct gathering *gathering = load->gathering;
	uint64_t key = (uint64_t)event << 32 | site;
	uint32_t number = index_find(&load->cells, key);

	if (number == INDEX_NONE) {
		number = (uint32_t)gathering->cell_count;
		array_grow(&gathering->cells, gathering->cell_count, &gathering->cell_capacity);
		gathering->cells[gathering->cell_count++] = (struct gathered_cell){ event, site, load->run, 0, 0 };
		index_add(&load->cells, key, number);
	}
	gathering->cells[number].period += (double)total->period;
	gathering->cells[number].samples += (double)total->samples;
}

/* Every function of the chain once, however often it recurs. */
static void add_chain(struct load *load, uint32_t event, size_t row)
{
	const struct row_total *total = &load->profile->totals[row];
	uint32_t stack = (uint32_t)row_word(load->profile, row, ROW_STACK);
	uint32_t first = known_site(load, row_site(load->profile, row));
	auto_free uint32_t *items = NULL;
	size_t count = 0, capacity = 0;

	array_grow(&items, count, &capacity);
	items[count++] = load->gathering->sites[first].item;
	add_cost(load, event, first, total);
	for (; stack; stack = stack_at(load->profile, stack).caller) {
		uint32_t site = known_site(load, stack_at(load->profile, stack).site);
		uint32_t item = load->gathering->sites[site].item;
		bool again = false;

		for (size_t i = 0; i < count && !again; i++)
			again = items[i] == item;
		if (again)
			continue;
		array_grow(&items, count, &capacity);
		items[count++] = item;
		add_cost(load, event, site, total);
	}
}

static bool in_list(const char *const *list, const char *text)
{
	if (!list)
		return true;
	for (; *list; list++)
		if (text && !strcmp(*list, text))
			return true;
	return false;
}

static bool row_wanted(struct load *load, size_t row)
{
	const struct gather_setup *setup = &load->gathering->setup;
	uint32_t site = row_site(load->profile, row);
	const struct place *place;

	if (setup->user_only && load->profile->sites[site].mark != '.')
		return false;
	if (!setup->comms && !setup->objects && !setup->functions)
		return true;
	if (!in_list(setup->comms, (const char *)(uintptr_t)row_word(load->profile, row, ROW_COMM)))
		return false;
	place = resolver_place_at(load->resolver, resolver_place(load->resolver, site));
	return in_list(setup->objects, place_object(load->resolver, place)) &&
	       in_list(setup->functions, place_name(place));
}

static void add_rows(struct load *load)
{
	const struct profile *profile = load->profile;

	for (size_t row = 0; row < profile->rows.count; row++) {
		uint32_t event = load->events[row_event(profile, row)];

		if (!row_wanted(load, row))
			continue;
		if (load->gathering->setup.inclusive)
			add_chain(load, event, row);
		else
			add_cost(load, event, known_site(load, row_site(profile, row)), &profile->totals[row]);
	}
}

static const char *command_text(struct gathering *gathering, const struct perfdata_reader *reader)
{
	const char *const *words;
	size_t count = perfdata_command_line(reader, &words);
	auto_text struct text line = { 0 };

	for (size_t i = 0; i < count; i++)
		text_format(&line, "%s%s", i ? " " : "", words[i]);
	return count ? intern_text(gathering->names, line.bytes) : NULL;
}

static void describe_recording(struct load *load, const char *path)
{
	struct gathering *gathering = load->gathering;
	const struct profile *profile = load->profile;
	struct recording *recording = &gathering->recordings[load->run];

	*recording = (struct recording){
		.path = path,
		.cpu = intern_or_null(gathering, perfdata_feature_text(profile->reader, PERFDATA_FEATURE_CPUDESC)),
		.kernel = intern_or_null(gathering, perfdata_feature_text(profile->reader, PERFDATA_FEATURE_OSRELEASE)),
		.machine = intern_or_null(gathering, perfdata_feature_text(profile->reader, PERFDATA_FEATURE_ARCH)),
		.host = intern_or_null(gathering, perfdata_feature_text(profile->reader, PERFDATA_FEATURE_HOSTNAME)),
		.command = command_text(gathering, profile->reader),
		.duration_s = (double)(profile->last_ns - profile->first_ns) / 1e9,
		.lost = profile->losses.lost_events + profile->losses.lost_samples,
		.throttled = profile->losses.throttles,
		.truncated = profile->losses.truncated,
	};
	for (size_t i = 0; i < profile->event_count; i++)
		recording->samples += profile->events[i].samples;
}

static void load_release(struct load *load)
{
	resolver_destroy(load->resolver);
	profile_destroy(load->profile);
	free(load->events);
	free(load->sites);
	index_release(&load->cells);
}

struct error *gathering_load(struct gathering *gathering, size_t run)
{
	const struct gather_setup *setup = &gathering->setup;
	struct profile_setup profile_setup = {
		.fields = 1u << ROW_SITE | (setup->inclusive ? 1u << ROW_STACK : 0) |
			  (setup->comms ? 1u << ROW_COMM : 0),
		.force = setup->force,
		.filter = setup->filter,
	};
	cleanup(load_release) struct load load = { .gathering = gathering, .run = (uint32_t)run };
	struct error *err = profile_load(setup->paths[run], &profile_setup, &load.profile);

	if (err)
		return err;
	load.resolver = resolver_create_shared(load.profile, gathering->setup.symbolizer, false);
	load.events = memory_zeroed(load.profile->event_count, sizeof(*load.events));
	load.sites = memory_zeroed(load.profile->site_count, sizeof(*load.sites));
	for (size_t i = 0; i < load.profile->event_count; i++)
		load.events[i] = gathering_event(gathering, &load.profile->events[i]);
	describe_recording(&load, setup->paths[run]);
	add_rows(&load);
	return NULL;
}
