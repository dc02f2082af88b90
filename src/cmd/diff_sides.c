/* The sides of a diff as the command line names them. */
#include "cmd/diff_sides.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/bundle.h"

static void add_path(struct side_paths *side, const char *path)
{
	array_grow(&side->items, side->count, &side->capacity);
	side->items[side->count++] = memory_strdup(path);
}

static void side_paths_release(struct side_paths *side)
{
	for (size_t i = 0; i < side->count; i++)
		free(side->items[i]);
	free(side->items);
	free(side->label);
	*side = (struct side_paths){ 0 };
}

void side_list_release(struct side_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		side_paths_release(&list->items[i]);
	free(list->items);
	free(list->binaries);
	*list = (struct side_list){ 0 };
}

static bool exists(const char *directory, const char *name)
{
	auto_free char *path = memory_format("%s/%s", directory, name);
	struct stat status;

	return !stat(path, &status);
}

/* perf's directory format is one recording, though it is a directory. */
static bool is_recording_directory(const char *path)
{
	return exists(path, "data") || exists(path, "header");
}

static int is_recording_name(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && (text_ends_with(entry->d_name, ".data") ||
					   text_ends_with(entry->d_name, ".data.old") ||
					   text_starts_with(entry->d_name, "perf.data"));
}

static struct error *add_directory(struct side_paths *side, const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_recording_name, versionsort);

	if (count < 0)
		return error_os(errno, "open %s", path);
	for (int i = 0; i < count; i++) {
		auto_free char *file = memory_format("%s/%s", path, entries[i]->d_name);

		add_path(side, file);
		free(entries[i]);
	}
	free(entries);
	if (!count)
		return error_hint(error_new(ERROR_NOT_FOUND, "%s holds no recording", path),
				  "recordings of a directory are named *.data");
	return NULL;
}

static struct error *add_pattern(struct side_paths *side, const char *pattern)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found)) {
		globfree(&found);
		return error_new(ERROR_NOT_FOUND, "open %s: %s", pattern, strerror(ENOENT));
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_path(side, found.gl_pathv[i]);
	globfree(&found);
	return NULL;
}

static struct error *add_named(struct side_paths *side, const char *path)
{
	struct stat status;

	if (strcmp(path, "-") && stat(path, &status)) {
		if (errno == ENOENT && strpbrk(path, "*?["))
			return add_pattern(side, path);
		return errno == ENOENT ? error_new(ERROR_NOT_FOUND, "open %s: %s", path, strerror(errno))
				       : error_os(errno, "open %s", path);
	}
	if (strcmp(path, "-") && S_ISDIR(status.st_mode) && !is_recording_directory(path))
		return add_directory(side, path);
	add_path(side, path);
	return NULL;
}

static void label_side(struct side_paths *side, const char *name)
{
	side->label = side->count == 1 ? memory_strdup(side->items[0])
				       : memory_format("%zu recordings of %s", side->count, name);
}

static struct side_paths *new_side(struct side_list *list)
{
	array_grow(&list->items, list->count, &list->capacity);
	list->items[list->count] = (struct side_paths){ 0 };
	return &list->items[list->count++];
}

static struct error *collect_one(struct side_list *list, const char *path)
{
	struct side_paths *side = new_side(list);
	struct error *err = add_named(side, path);

	if (!err)
		label_side(side, path);
	return err;
}

static struct error *collect_texts(struct side_list *list, const struct option_texts *texts)
{
	struct side_paths *side = new_side(list);
	struct error *err = NULL;

	for (size_t i = 0; !err && i < texts->count; i++)
		err = add_named(side, texts->items[i]);
	if (!err)
		label_side(side, texts->items[0]);
	return err;
}

/* Every arm of an experiment is a side; run i of each was one block. */
static struct error *collect_bundle(struct side_list *list, const char *directory)
{
	cleanup(runs_guard) struct runs *runs = NULL;
	cleanup(bundle_recordings_release) struct bundle_recordings recordings = { 0 };
	struct error *err = bundle_load(directory, &runs, &recordings);

	if (err)
		return err;
	if (runs->arm_count < 2)
		return error_new(ERROR_NOT_FOUND, "%s has one arm: there is nothing to compare", directory);
	for (size_t arm = 0; arm < runs->arm_count; arm++) {
		struct side_paths *side = new_side(list);

		for (size_t i = 0; i < recordings.count; i++)
			add_path(side, bundle_recordings_of(&recordings, arm)[i]);
		label_side(side, runs->arms[arm].name);
	}
	list->paired = true;
	list->binaries = bundle_binaries(directory);
	return NULL;
}

static struct error *collect(const struct option_texts *a, const struct option_texts *b, char *const *operands,
			     struct side_list *list)
{
	struct error *err = NULL;

	if (a->count || b->count) {
		if (!a->count || !b->count)
			return error_new(ERROR_USAGE, "-%c is given, but no -%c", a->count ? 'A' : 'B', a->count ? 'B' : 'A');
		if (operands[0])
			return error_new(ERROR_USAGE, "unexpected argument '%s' beside -A and -B", operands[0]);
		err = collect_texts(list, a);
		return err ? err : collect_texts(list, b);
	}
	if (!operands[0]) {
		err = collect_one(list, "perf.data.old");
		return err ? err : collect_one(list, "perf.data");
	}
	if (!operands[1] && bundle_is(operands[0]))
		return collect_bundle(list, operands[0]);
	if (!operands[1])
		return error_hint(error_new(ERROR_USAGE, "only one side is given: %s", operands[0]),
				  "perfmini diff BASE CHANGED; without both, perf.data.old and perf.data");
	for (size_t i = 0; !err && operands[i]; i++)
		err = collect_one(list, operands[i]);
	return err;
}

/* A copy of a run is no second run: it would make the noise look smaller. */
static struct error *check_repeats(const struct side_paths *side)
{
	auto_free struct stat *files = memory_zeroed(side->count, sizeof(*files));

	for (size_t i = 0; i < side->count; i++) {
		if (stat(side->items[i], &files[i]))
			continue; /* opening it will say why */
		for (size_t j = 0; j < i; j++)
			if (files[j].st_ino == files[i].st_ino && files[j].st_dev == files[i].st_dev)
				return error_hint(error_new(ERROR_USAGE, "%s is given twice on one side", side->items[i]),
						  "a recording is one run; record again for another");
	}
	return NULL;
}

static struct error *check_all(const struct side_list *list)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < list->count; i++)
		err = check_repeats(&list->items[i]);
	return err;
}

struct error *side_list_collect(const struct option_texts *a, const struct option_texts *b, char *const *operands,
				struct side_list *ret)
{
	struct side_list list = { 0 };
	struct error *err = collect(a, b, operands, &list);

	if (!err)
		err = check_all(&list);
	if (err)
		side_list_release(&list);
	else
		*ret = list;
	return err;
}
