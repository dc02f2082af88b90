/* The build-id cache as a whole: listing, removing, and expiry of what was used longest ago. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbol/binary.h"
#include "symbol/build_id_cache_private.h"

static void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}
#define auto_closedir cleanup(close_directory)

struct entries {
	struct build_id_cache_entry *items;
	size_t count, capacity;
};

static int64_t time_ns(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

/* "../../usr/bin/x/ID" → "/usr/bin/x"; the caller frees. */
static char *name_of_target(const char *target)
{
	const char *begin = text_starts_with(target, "../../") ? target + 6 : target;
	const char *end = strrchr(begin, '/');

	return memory_format("%s%.*s", *begin == '[' ? "" : "/", (int)(end ? end - begin : 0), begin);
}

static uint64_t bytes_in(const char *directory)
{
	auto_closedir DIR *dir = opendir(directory);
	uint64_t bytes = 0;
	struct dirent *item;
	struct stat file;

	while (dir && (item = readdir(dir)))
		if (!fstatat(dirfd(dir), item->d_name, &file, AT_SYMLINK_NOFOLLOW) && S_ISREG(file.st_mode))
			bytes += (uint64_t)file.st_size;
	return bytes;
}

static char *file_in(const char *directory)
{
	static const char *const files[] = { "elf", "vdso", "kallsyms" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		auto_free char *file = memory_format("%s/%s", directory, files[i]);

		if (!access(file, F_OK))
			return take(file);
	}
	return NULL;
}

static void read_entry(struct entries *entries, const char *link, const char *id)
{
	struct build_id_cache_entry entry = { 0 };
	char target[PATH_MAX];
	struct stat found;
	ssize_t length = readlink(link, target, sizeof(target) - 1);

	if (length <= 0 || !build_id_parse(id, entry.build_id, &entry.size))
		return;
	target[length] = '\0';
	entry.name = name_of_target(target);
	if (!stat(link, &found)) {
		entry.used_ns = time_ns(&found.st_mtim);
		entry.bytes = S_ISDIR(found.st_mode) ? bytes_in(link) : (uint64_t)found.st_size;
		entry.file = S_ISDIR(found.st_mode) ? file_in(link) : memory_strdup(link);
	}
	array_grow(&entries->items, entries->count, &entries->capacity);
	entries->items[entries->count++] = entry;
}

static void read_bucket(struct entries *entries, const char *root, const char *bucket)
{
	auto_free char *path = memory_format("%s/%s", root, bucket);
	auto_closedir DIR *dir = opendir(path);
	struct dirent *item;

	while (dir && (item = readdir(dir))) {
		auto_free char *link = memory_format("%s/%s", path, item->d_name);
		auto_free char *id = memory_format("%s%s", bucket, item->d_name);

		if (item->d_name[0] != '.')
			read_entry(entries, link, id);
	}
}

static int by_name(const void *left, const void *right)
{
	const struct build_id_cache_entry *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : memcmp(a->build_id, b->build_id, sizeof(a->build_id));
}

struct error *build_id_cache_entries(struct build_id_cache *cache, struct build_id_cache_entry **ret, size_t *count)
{
	auto_free char *root = memory_format("%s/.build-id", cache->directory);
	auto_closedir DIR *dir = opendir(root);
	struct entries entries = { 0 };
	struct dirent *item;

	if (!dir && errno != ENOENT)
		return error_os(errno, "read the build-id cache %s", cache->directory);
	while (dir && (item = readdir(dir)))
		if (item->d_name[0] != '.')
			read_bucket(&entries, root, item->d_name);
	if (entries.count)
		qsort(entries.items, entries.count, sizeof(*entries.items), by_name);
	*ret = entries.items;
	*count = entries.count;
	return NULL;
}

void build_id_cache_entries_free(struct build_id_cache_entry *entries, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(entries[i].name);
		free(entries[i].file);
	}
	free(entries);
}

static void remove_files(const char *directory)
{
	auto_closedir DIR *dir = opendir(directory);
	struct dirent *item;

	while (dir && (item = readdir(dir)))
		if (strcmp(item->d_name, ".") && strcmp(item->d_name, ".."))
			unlinkat(dirfd(dir), item->d_name, 0);
}

/* Directories that became empty, up to the cache's own. */
static void remove_empty_parents(const char *root, char *path)
{
	size_t root_length = strlen(root);

	while (strlen(path) > root_length && !rmdir(path))
		*strrchr(path, '/') = '\0';
}

struct error *build_id_cache_remove(struct build_id_cache *cache, const uint8_t *build_id, size_t size)
{
	auto_free char *link = build_id_cache_link(cache, build_id, size);
	auto_free char *directory = realpath(link, NULL);
	auto_free char *root = realpath(cache->directory, NULL);
	bool is_inside = directory && root && text_starts_with(directory, root) && directory[strlen(root)] == '/';

	if (unlink(link) && errno == ENOENT) {
		char id[BUILD_ID_TEXT_MAX];

		build_id_format(build_id, size, id);
		return error_new(ERROR_NOT_FOUND, "%s is not in the build-id cache %s", id, cache->directory);
	}
	if (!access(link, F_OK))
		return error_os(EACCES, "remove %s", link);
	if (!is_inside)
		return NULL;
	remove_files(directory);
	remove_empty_parents(root, directory);
	return NULL;
}

enum { SUFFIXES = 4 };

/* $PERFMINI_CACHE_MAX: a size as "500M"; 0: no limit. */
static struct error *read_limit(uint64_t *ret)
{
	static const struct { char letter; unsigned shift; } suffixes[SUFFIXES] = {
		{ 'K', 10 }, { 'M', 20 }, { 'G', 30 }, { 'T', 40 } };
	const char *text = getenv("PERFMINI_CACHE_MAX");
	char *end;
	unsigned shift = 0;

	*ret = 2ull << 30;
	if (!text || !*text)
		return NULL;
	*ret = strtoull(text, &end, 10);
	for (size_t i = 0; i < SUFFIXES; i++)
		if ((*end & ~0x20) == suffixes[i].letter)
			shift = suffixes[i].shift;
	if (end == text || *text == '-' || (*end && (!shift || end[1])) || *ret > UINT64_MAX >> shift)
		return error_new(ERROR_USAGE, "PERFMINI_CACHE_MAX is '%s', not a size such as 500M or 2G", text);
	*ret <<= shift;
	return NULL;
}

static int by_use(const void *left, const void *right)
{
	const struct build_id_cache_entry *a = left, *b = right;

	return a->used_ns < b->used_ns ? -1 : a->used_ns > b->used_ns;
}

struct error *build_id_cache_expire(struct build_id_cache *cache, const char *kept_id)
{
	struct build_id_cache_entry *entries;
	uint64_t limit, total = 0;
	size_t count;
	struct error *err = read_limit(&limit);

	if (!err && limit)
		err = build_id_cache_entries(cache, &entries, &count);
	if (err || !limit)
		return err;
	for (size_t i = 0; i < count; i++)
		total += entries[i].bytes;
	if (total > limit)
		qsort(entries, count, sizeof(*entries), by_use);
	for (size_t i = 0; i < count && total > limit && !err; i++) {
		char id[BUILD_ID_TEXT_MAX];

		build_id_format(entries[i].build_id, entries[i].size, id);
		if (!strcmp(id, kept_id))
			continue;
		total -= entries[i].bytes;
		err = build_id_cache_remove(cache, entries[i].build_id, entries[i].size);
	}
	build_id_cache_entries_free(entries, count);
	return err;
}
