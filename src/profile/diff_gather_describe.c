/* What tells functions apart beside their names: declaring files, machine code, and inlined copies. */
#include <string.h>

#include "profile/canonical.h"
#include "profile/diff_gather_private.h"
#include "symbol/code_hash.h"

static int compare_names(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;

	return strcmp(*a, *b);
}

/* Names that the symbol table of a binary has more than once. */
struct repeated {
	struct binary *binary;
	const char **names; /* sorted; owned, its strings borrowed from the binary */
	size_t count;
};

static struct repeated find_repeated(struct binary *binary)
{
	const struct function *const *functions;
	size_t count = binary_functions(binary, &functions), kept = 0;
	const char **names = memory_zeroed(count, sizeof(*names));

	for (size_t i = 0; i < count; i++)
		names[i] = functions[i]->name;
	qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 1; i < count; i++)
		if (!strcmp(names[i], names[i - 1]))
			names[kept++] = names[i];
	return (struct repeated){ binary, names, kept };
}

static bool is_repeated(const struct repeated *repeated, const char *name)
{
	return bsearch(&name, repeated->names, repeated->count, sizeof(*repeated->names), compare_names) != NULL;
}

/* The file that declares a function: of the outermost frame at its start. */
static const char *declaring_file(struct gathering *gathering, struct binary *binary, uint64_t start)
{
	const struct frame *frames;
	size_t count = binary_frames(binary, start, &frames);
	const char *file = count ? frames[count - 1].file : NULL;

	return file ? intern_text(gathering->names, file) : NULL;
}

/* Code of another architecture than libopcodes knows, or a file that is gone: nothing is known of its code. */
static void hash_item(struct pair_item *item, struct binary *binary)
{
	const struct function *function = binary_function(binary, item->start);
	struct code_hash hash;
	struct error *err = function ? code_hash_of(binary, function, &hash) : NULL;

	if (function && !err) {
		item->exact_hash = hash.exact;
		item->code_hash = hash.masked;
	}
	error_destroy(err);
}

static struct repeated *repeated_of(struct repeated **list, size_t *count, size_t *capacity, struct binary *binary)
{
	for (size_t i = 0; i < *count; i++)
		if ((*list)[i].binary == binary)
			return &(*list)[i];
	array_grow(list, *count, capacity);
	(*list)[*count] = find_repeated(binary);
	return &(*list)[(*count)++];
}

/* Does the other side have items of this build? The texts of one side are interned, those of two are not. */
static bool has_build(const struct gathering *other, const char *build_id)
{
	const char *last = NULL;

	for (size_t i = 0; build_id && i < other->item_count; i++) {
		const char *theirs = other->items[i].build_id;

		if (theirs == last || !theirs)
			continue;
		if (!strcmp(theirs, build_id))
			return true;
		last = theirs;
	}
	return false;
}

/* The same question, remembered by build id. */
struct shared_builds {
	const struct gathering *other;
	struct {
		const char *build_id;
		bool shared;
	} *items;
	size_t count, capacity;
};

static bool is_shared(struct shared_builds *builds, const char *build_id)
{
	for (size_t i = 0; i < builds->count; i++)
		if (builds->items[i].build_id == build_id)
			return builds->items[i].shared;
	array_grow(&builds->items, builds->count, &builds->capacity);
	builds->items[builds->count].build_id = build_id;
	builds->items[builds->count].shared = has_build(builds->other, build_id);
	return builds->items[builds->count++].shared;
}

void gathering_describe(struct gathering *gathering, const struct gathering *other)
{
	struct shared_builds builds = { .other = other };
	auto_free struct repeated *list = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = gathering->described_count; i < gathering->item_count; i++) {
		struct pair_item *item = &gathering->items[i];
		struct binary *binary = gathering->binaries[i];

		if (!item->name || !binary || !item->size || is_shared(&builds, item->build_id))
			continue;
		if (is_repeated(repeated_of(&list, &count, &capacity, binary), item->name))
			item->file = declaring_file(gathering, binary, item->start);
		hash_item(item, binary);
	}
	gathering->described_count = gathering->item_count;
	free(builds.items);
	for (size_t i = 0; i < count; i++)
		free(list[i].names);
}

/* Canonical names of the items that an event hit often enough. */
struct name_set {
	const char **names;
	size_t count;
};

static const char *canonical_of(struct gathering *gathering, const char *name)
{
	auto_text struct text out = { 0 };

	canonical_name(name, &out);
	return intern_text(gathering->names, out.bytes ? out.bytes : "");
}

static struct name_set names_hit(struct gathering *gathering, size_t event, double least_samples)
{
	auto_free double *samples = memory_zeroed(gathering->item_count, sizeof(*samples));
	struct name_set set = { memory_zeroed(gathering->item_count, sizeof(char *)), 0 };

	for (size_t i = 0; i < gathering->cell_count; i++)
		if (gathering->cells[i].event == event)
			samples[gathering->sites[gathering->cells[i].site].item] += gathering->cells[i].samples;
	for (size_t i = 0; i < gathering->item_count; i++)
		if (samples[i] >= least_samples && gathering->items[i].name)
			set.names[set.count++] = canonical_of(gathering, gathering->items[i].name);
	qsort(set.names, set.count, sizeof(*set.names), compare_names);
	return set;
}

static bool set_has(const struct name_set *set, const char *name)
{
	return bsearch(&name, set->names, set->count, sizeof(*set->names), compare_names) != NULL;
}

/* The innermost frame whose function stands in wanted, or NULL. Frames: innermost first, the last is the symbol. */
static const struct function *wanted_inline(struct gathering *gathering, const struct gathered_site *site,
					    const struct name_set *wanted)
{
	const struct frame *frames;
	size_t count = binary_frames(site->binary, site->address, &frames);

	for (size_t i = 0; i + 1 < count; i++) {
		const struct function *function = frames[i].function;

		if (function && function->name && set_has(wanted, canonical_of(gathering, function->name)))
			return function;
	}
	return NULL;
}

/* Give the cost of inlined copies of the wanted functions to items of their own. */
static void split_inlined(struct gathering *gathering, const struct name_set *wanted)
{
	for (size_t i = 0; i < gathering->site_count; i++) {
		struct gathered_site *site = &gathering->sites[i];
		const struct function *function;

		if (!site->binary || !gathering->items[site->item].name)
			continue;
		function = wanted_inline(gathering, site, wanted);
		if (!function)
			continue;

		struct pair_item item = {
			.object = gathering->items[site->item].object,
			.build_id = gathering->items[site->item].build_id,
			.name = intern_text(gathering->names, function->name),
			.shown = intern_text(gathering->names, function->shown),
			.is_inlined = true,
		};

		site->item = gathering_item(gathering, &item, NULL);
	}
}

/* The names of one set that the other lacks. */
static struct name_set names_missing(const struct name_set *in, const struct name_set *from)
{
	struct name_set missing = { memory_zeroed(in->count, sizeof(char *)), 0 };

	for (size_t i = 0; i < in->count; i++)
		if (!set_has(from, in->names[i]))
			missing.names[missing.count++] = in->names[i];
	return missing;
}

/* Fewer samples are not worth reading debug information for. */
enum { WORTH_SPLITTING = 10 };

/* Look in one side for inlined copies of what only the other has as a function. */
static void split_missing(struct gathering *from, size_t from_event, struct gathering *in, size_t in_event)
{
	struct name_set theirs = names_hit(from, from_event, WORTH_SPLITTING), ours = names_hit(in, in_event, 1);
	struct name_set missing = names_missing(&theirs, &ours);

	if (missing.count)
		split_inlined(in, &missing);
	free(theirs.names);
	free(ours.names);
	free(missing.names);
}

void gatherings_split_inlined(struct gathering *a, struct gathering *b, size_t a_event, size_t b_event)
{
	split_missing(a, a_event, b, b_event);
	split_missing(b, b_event, a, a_event);
}
