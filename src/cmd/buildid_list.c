/* perfmini buildid-list: the build ids of a recording's binaries. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "profile/profile.h"
#include "symbol/binary.h"
#include "symbol/build_id_cache.h"

struct buildid_list_options {
	const char *input;
	bool kernel, with_hits, missing, force;
};

#define FLAG(letter, name, member, help) \
	{ letter, name, OPTION_FLAG, offsetof(struct buildid_list_options, member), NULL, help, NULL, NULL }

static const struct option options[] = {
	{ 'i', "input", OPTION_TEXT, offsetof(struct buildid_list_options, input), "FILE",
	  "the recording (perf.data); -: standard input", NULL, NULL },
	FLAG('H', "with-hits", with_hits, "only binaries that samples fell into, also those without a build id"),
	FLAG('k', "kernel", kernel, "print the running kernel's build id and read no recording"),
	FLAG('m', "missing", missing, "only binaries whose build id is not in the build-id cache"),
	FLAG('f', "force", force, "go on behind damage"),
	{ .type = OPTION_END },
};

struct listing {
	const struct buildid_list_options *chosen;
	const struct profile *profile;
	struct build_id_cache *cache; /* with --missing */
	bool *is_hit;                 /* [objects] */
};

static struct error *print_kernel(void)
{
	uint8_t build_id[BUILD_ID_MAX];
	char id[BUILD_ID_TEXT_MAX];
	size_t size = 0;
	struct error *err = build_id_of_file("/sys/kernel/notes", build_id, &size);

	if (err)
		return err;
	build_id_format(build_id, size, id);
	puts(id);
	return NULL;
}

static bool is_cached(struct build_id_cache *cache, const struct object *object)
{
	char *path = NULL;
	struct error *err = build_id_cache_find(cache, object->build_id, object->build_id_size, &path);

	free(path);
	error_destroy(err);
	return !err;
}

static bool is_listed(const struct listing *listing, size_t number)
{
	const struct object *object = &listing->profile->objects->items[number];

	if (object->kind == OBJECT_UNKNOWN || object->kind == OBJECT_KSYMBOL || object->kind == OBJECT_ANONYMOUS)
		return false;
	if (listing->chosen->with_hits && !listing->is_hit[number])
		return false;
	if (listing->chosen->missing)
		return object->build_id_size && !is_cached(listing->cache, object);
	return object->build_id_size || listing->chosen->with_hits;
}

/* perf's form: a binary without a build id stands behind as many blanks. */
static void print_object(const struct object *object)
{
	size_t kernel = object_kernel_name_length(object->path);
	auto_free char *path = kernel ? memory_strndup(object->path, kernel) : memory_strdup(object->path);
	auto_text struct text name = { 0 };
	char id[BUILD_ID_TEXT_MAX];

	build_id_format(object->build_id, object->build_id_size, id);
	text_append_escaped(&name, path);
	printf("%*s %s\n", object->build_id_size ? 0 : 2 * BUILD_ID_MAX, id, name.bytes ? name.bytes : "");
}

static bool is_same(const struct object *a, const struct object *b)
{
	return a->path == b->path && a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

/* Code of several processes is several objects, but one line. */
static bool stands_before(const struct listing *listing, size_t number)
{
	const struct object *items = listing->profile->objects->items;

	for (size_t i = 1; i < number; i++)
		if (is_same(&items[i], &items[number]) && is_listed(listing, i))
			return true;
	return false;
}

static void print_objects(struct listing *listing)
{
	const struct profile *profile = listing->profile;

	listing->is_hit = memory_zeroed(profile->objects->count, sizeof(bool));
	for (size_t i = 0; i < profile->rows.count; i++)
		listing->is_hit[profile->sites[row_site(profile, i)].object] = true;
	for (size_t i = 1; i < profile->objects->count; i++)
		if (is_listed(listing, i) && !stands_before(listing, i))
			print_object(&profile->objects->items[i]);
	free(listing->is_hit);
}

static struct error *print_recording(const struct buildid_list_options *chosen)
{
	cleanup(profile_guard) struct profile *profile = NULL;
	cleanup(build_id_cache_guard) struct build_id_cache *cache = NULL;
	struct profile_setup setup = { .fields = 1u << ROW_SITE, .force = chosen->force };
	struct listing listing = { .chosen = chosen };
	struct error *err = chosen->missing ? build_id_cache_open(NULL, &cache) : NULL;

	if (!err)
		err = profile_load(chosen->input, &setup, &profile);
	if (err)
		return err;
	listing.profile = profile;
	listing.cache = cache;
	print_objects(&listing);
	return NULL;
}

static struct error *run(int argc, char **argv, int *status)
{
	struct buildid_list_options chosen = { .input = "perf.data" };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_buildid_list, &parse, &operands, &helped);

	if (err)
		return err;
	if (!helped && operands[0])
		return error_hint(error_new(ERROR_USAGE, "unexpected argument '%s'", operands[0]),
				  "to read it: perfmini buildid-list -i %s", operands[0]);
	if (!helped)
		err = chosen.kernel ? print_kernel() : print_recording(&chosen);
	if (!err)
		*status = 0;
	return err;
}

const struct command command_buildid_list = { "buildid-list", "list the build ids of a recording's binaries", run,
					      options, "[OPTIONS]" };
