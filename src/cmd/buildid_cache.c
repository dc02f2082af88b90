/* perfmini buildid-cache: binaries kept by build id, so that old recordings still resolve. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "symbol/binary.h"
#include "symbol/build_id_cache.h"

struct buildid_cache_options {
	struct option_texts add, remove, purge, update;
	bool list, purge_all, verify, verbose;
};

#define TEXTS(letter, name, member, argument, help) \
	{ letter, name, OPTION_TEXTS, offsetof(struct buildid_cache_options, member), argument, help, NULL, NULL }
#define FLAG(letter, name, member, help) \
	{ letter, name, OPTION_FLAG, offsetof(struct buildid_cache_options, member), NULL, help, NULL, NULL }

static const struct option options[] = {
	TEXTS('a', "add", add, "FILE", "copy FILE into the cache; [kernel.kallsyms]: this kernel's symbols"),
	TEXTS('r', "remove", remove, "FILE", "remove the entry with FILE's build id, or that of the build id given"),
	TEXTS('p', "purge", purge, "FILE", "remove every entry kept for FILE's path, whatever its build id"),
	TEXTS('u', "update", update, "FILE", "copy FILE again, in place of what was kept for its build id"),
	FLAG('P', "purge-all", purge_all, "remove everything"),
	FLAG('l', "list", list, "list the entries: build id and path"),
	FLAG(0, "verify", verify, "check that each kept file has the build id it is kept by"),
	FLAG('v', "verbose", verbose, "with --list, also the size in bytes; else say what was done"),
	{ .type = OPTION_END },
};

/* What one action works with. */
struct action {
	struct build_id_cache *cache;
	bool verbose;
};

typedef struct error *action_call(const struct action *action, const char *file);

static void print_line(const struct build_id_cache_entry *entry, bool with_bytes)
{
	auto_text struct text name = { 0 };
	char id[BUILD_ID_TEXT_MAX];

	build_id_format(entry->build_id, entry->size, id);
	text_append_escaped(&name, entry->name);
	if (with_bytes)
		printf("%s %12" PRIu64 " %s\n", id, entry->bytes, name.bytes ? name.bytes : "");
	else
		printf("%s %s\n", id, name.bytes ? name.bytes : "");
}

static void say(const struct action *action, const char *what, const char *file)
{
	auto_text struct text name = { 0 };

	text_append_escaped(&name, file);
	if (action->verbose)
		printf("%s %s\n", what, name.bytes ? name.bytes : "");
}

static bool is_kernel(const char *file)
{
	return !strcmp(file, "[kernel.kallsyms]") || !strcmp(file, "/proc/kallsyms");
}

static struct error *build_id_of(const char *file, uint8_t *build_id, size_t *size)
{
	const char *source = is_kernel(file) ? "/sys/kernel/notes" : file;
	struct error *err = build_id_of_file(source, build_id, size);

	if (!err && !*size)
		err = error_hint(error_new(ERROR_NOT_FOUND, "%s has no build id", file),
				 "link it with -Wl,--build-id");
	return err;
}

/* A copy of hidden addresses would answer every question with nothing. */
static struct error *check_addresses(void)
{
	auto_free char *text = NULL;
	struct error *err = file_read("/proc/kallsyms", &text, NULL);

	if (err)
		return err;
	/* Per-CPU symbols stand first, at 0 in any case. */
	for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (strtoull(line, NULL, 16))
			return NULL;
	return error_hint(error_new(ERROR_PERMISSION, "/proc/kallsyms shows no addresses"),
			  "run as root, or set kernel.kptr_restrict=0");
}

static struct error *add(const struct action *action, const char *file)
{
	uint8_t build_id[BUILD_ID_MAX];
	size_t size = 0;
	struct error *err = build_id_of(file, build_id, &size);

	if (!err && is_kernel(file))
		err = check_addresses();
	if (err)
		return err;
	err = is_kernel(file) ? build_id_cache_add(action->cache, "/proc/kallsyms", "[kernel.kallsyms]", build_id, size)
			      : build_id_cache_add(action->cache, file, NULL, build_id, size);
	if (!err)
		say(action, "added", file);
	return err;
}

static struct error *remove_entry(const struct action *action, const char *file)
{
	uint8_t build_id[BUILD_ID_MAX];
	size_t size;
	struct error *err = NULL;

	if (!build_id_parse(file, build_id, &size))
		err = build_id_of(file, build_id, &size);
	if (!err)
		err = build_id_cache_remove(action->cache, build_id, size);
	if (!err)
		say(action, "removed", file);
	return err;
}

static struct error *update(const struct action *action, const char *file)
{
	uint8_t build_id[BUILD_ID_MAX];
	size_t size;
	struct error *err = build_id_of(file, build_id, &size);

	if (err)
		return err;
	err = build_id_cache_remove(action->cache, build_id, size);
	if (err && error_kind(err) != ERROR_NOT_FOUND)
		return err;
	error_destroy(err);
	return add(action, file);
}

/* Every entry of that path; NULL: every entry. */
static struct error *remove_named(const struct action *action, const char *name, size_t *removed)
{
	struct build_id_cache_entry *entries;
	size_t count;
	struct error *err = build_id_cache_entries(action->cache, &entries, &count);

	if (err)
		return err;
	for (size_t i = 0; i < count && !err; i++) {
		if (name && strcmp(entries[i].name, name))
			continue;
		err = build_id_cache_remove(action->cache, entries[i].build_id, entries[i].size);
		if (!err)
			say(action, "removed", entries[i].name);
		++*removed;
	}
	build_id_cache_entries_free(entries, count);
	return err;
}

static struct error *purge(const struct action *action, const char *file)
{
	auto_free char *whole = file[0] == '[' ? NULL : realpath(file, NULL);
	size_t removed = 0;
	struct error *err = remove_named(action, whole ? whole : file, &removed);

	if (!err && !removed)
		err = error_new(ERROR_NOT_FOUND, "nothing is kept for %s in the build-id cache %s", whole ? whole : file,
				build_id_cache_directory(action->cache));
	return err;
}

static struct error *list(const struct action *action)
{
	struct build_id_cache_entry *entries;
	size_t count;
	struct error *err = build_id_cache_entries(action->cache, &entries, &count);

	if (err)
		return err;
	for (size_t i = 0; i < count; i++)
		print_line(&entries[i], action->verbose);
	build_id_cache_entries_free(entries, count);
	return NULL;
}

/* NULL: as it should be; kallsyms carry no build id to compare. */
static const char *what_is_wrong(const struct build_id_cache_entry *entry)
{
	uint8_t build_id[BUILD_ID_MAX];
	size_t size = 0;
	struct error *err;

	if (!entry->file)
		return "its file is gone";
	if (text_starts_with(entry->name, "[kernel") && text_ends_with(entry->file, "/kallsyms"))
		return entry->bytes ? NULL : "its file is empty";
	err = build_id_of_file(entry->file, build_id, &size);
	error_destroy(err);
	if (err)
		return "its file is no ELF file";
	return build_id_equal(build_id, size, entry->build_id, entry->size) ? NULL : "its file has another build id";
}

static struct error *verify(const struct action *action)
{
	struct build_id_cache_entry *entries;
	size_t count, wrong = 0;
	struct error *err = build_id_cache_entries(action->cache, &entries, &count);

	if (err)
		return err;
	for (size_t i = 0; i < count; i++) {
		const char *why = what_is_wrong(&entries[i]);
		auto_text struct text name = { 0 };
		char id[BUILD_ID_TEXT_MAX];

		if (!why)
			continue;
		wrong++;
		build_id_format(entries[i].build_id, entries[i].size, id);
		text_append_escaped(&name, entries[i].name);
		printf("%s %s: %s\n", id, name.bytes ? name.bytes : "", why);
	}
	build_id_cache_entries_free(entries, count);
	if (wrong)
		return error_hint(error_new(ERROR_FORMAT, "%zu of %zu entries are damaged", wrong, count),
				  "remove each with: perfmini buildid-cache --remove BUILD-ID");
	printf("%zu entries are right\n", count);
	return NULL;
}

/* perf takes lists with commas; a name that itself holds one is found first. */
static struct error *for_one(const struct action *action, const char *text, action_call *call)
{
	auto_free char *names = memory_strdup(text);
	struct error *err = NULL;

	if (!access(text, F_OK))
		return call(action, text);
	for (char *name = names, *next; name && !err; name = next) {
		next = strchr(name, ',');
		if (next)
			*next++ = '\0';
		if (*name)
			err = call(action, name);
	}
	return err;
}

static struct error *for_all(const struct action *action, const struct option_texts *files, action_call *call)
{
	struct error *err = NULL;

	for (size_t i = 0; i < files->count && !err; i++)
		err = for_one(action, files->items[i], call);
	return err;
}

static bool has_something_to_do(const struct buildid_cache_options *chosen)
{
	return chosen->add.count || chosen->remove.count || chosen->purge.count || chosen->update.count ||
	       chosen->list || chosen->purge_all || chosen->verify;
}

static struct error *act(const struct buildid_cache_options *chosen)
{
	cleanup(build_id_cache_guard) struct build_id_cache *cache = NULL;
	struct action action = { .verbose = chosen->verbose };
	size_t removed = 0;
	struct error *err = build_id_cache_open(NULL, &cache);

	action.cache = cache;
	if (!err && chosen->purge_all)
		err = remove_named(&action, NULL, &removed);
	if (!err)
		err = for_all(&action, &chosen->purge, purge);
	if (!err)
		err = for_all(&action, &chosen->remove, remove_entry);
	if (!err)
		err = for_all(&action, &chosen->add, add);
	if (!err)
		err = for_all(&action, &chosen->update, update);
	if (!err && chosen->list)
		err = list(&action);
	if (!err && chosen->verify)
		err = verify(&action);
	return err;
}

static struct error *run(int argc, char **argv, int *status)
{
	struct buildid_cache_options chosen = { 0 };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_buildid_cache, &parse, &operands, &helped);

	if (!err && !helped && operands[0])
		err = error_hint(error_new(ERROR_USAGE, "unexpected argument '%s'", operands[0]),
				 "to add it: perfmini buildid-cache --add %s", operands[0]);
	if (!err && !helped && !has_something_to_do(&chosen))
		err = error_hint(error_new(ERROR_USAGE, "nothing to do"), "perfmini buildid-cache --list");
	if (!err && !helped)
		err = act(&chosen);
	option_texts_release(&chosen.add);
	option_texts_release(&chosen.remove);
	option_texts_release(&chosen.purge);
	option_texts_release(&chosen.update);
	if (!err)
		*status = 0;
	return err;
}

const struct command command_buildid_cache = { "buildid-cache",
					       "keep binaries by build id, so that old recordings still resolve", run,
					       options, "[OPTIONS]" };
