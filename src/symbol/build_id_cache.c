/* The build-id cache: finding, adding, removing. */
#include "symbol/build_id_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "symbol/binary.h"
#include "symbol/build_id_cache_private.h"

struct error *build_id_cache_open(const char *directory, struct build_id_cache **ret)
{
	const char *home = getenv("HOME");
	struct build_id_cache *cache;

	if (!directory)
		directory = getenv("PERFMINI_BUILD_ID_DIR");
	if (directory && !*directory)
		directory = NULL;
	if (!directory && (!home || !*home))
		return error_hint(error_new(ERROR_USAGE, "no place for the build-id cache: HOME is not set"),
				  "set PERFMINI_BUILD_ID_DIR=DIRECTORY");
	cache = memory_zeroed(1, sizeof(*cache));
	cache->directory = directory ? memory_strdup(directory) : memory_format("%s/.debug", home);
	*ret = cache;
	return NULL;
}

const char *build_id_cache_directory(const struct build_id_cache *cache)
{
	return cache->directory;
}

void build_id_cache_destroy(struct build_id_cache *cache)
{
	if (!cache)
		return;
	free(cache->directory);
	free(cache);
}

char *build_id_cache_link(const struct build_id_cache *cache, const uint8_t *build_id, size_t size)
{
	char id[BUILD_ID_TEXT_MAX];

	build_id_format(build_id, size, id);
	return memory_format("%s/.build-id/%.2s/%s", cache->directory, id, id + 2);
}

static struct error *not_cached(const struct build_id_cache *cache, const uint8_t *build_id, size_t size)
{
	char id[BUILD_ID_TEXT_MAX];

	build_id_format(build_id, size, id);
	return error_new(ERROR_NOT_FOUND, "%s is not in the build-id cache %s", id, cache->directory);
}

/* The clock of expiry is the entry's own time: access times are often not kept. */
static void mark_used(const char *link)
{
	utimensat(AT_FDCWD, link, NULL, 0);
}

struct error *build_id_cache_find_file(struct build_id_cache *cache, const uint8_t *build_id, size_t size,
				       const char *file, char **path)
{
	auto_free char *link = build_id_cache_link(cache, build_id, size);
	auto_free char *found = memory_format("%s/%s", link, file);

	if (size < 2 || access(found, R_OK))
		return not_cached(cache, build_id, size);
	mark_used(link);
	*path = take(found);
	return NULL;
}

struct error *build_id_cache_find(struct build_id_cache *cache, const uint8_t *build_id, size_t size, char **path)
{
	static const char *const files[] = { "elf", "vdso", "kallsyms" };
	auto_free char *link = build_id_cache_link(cache, build_id, size);
	struct stat old;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct error *err = build_id_cache_find_file(cache, build_id, size, files[i], path);

		if (!err)
			return NULL;
		error_destroy(err);
	}
	/* Before Linux 4.7 perf linked the id to the file itself. */
	if (stat(link, &old) || !S_ISREG(old.st_mode))
		return not_cached(cache, build_id, size);
	*path = take(link);
	return NULL;
}

/* A name becomes a path below the directory: it must not lead out of it. */
static struct error *check_name(const char *name)
{
	size_t length = strlen(name);

	if (!length || length > PATH_MAX / 2 || strstr(name, "/../") || text_starts_with(name, "../") ||
	    text_ends_with(name, "/..") || !strcmp(name, "..") || text_ends_with(name, "/"))
		return error_new(ERROR_USAGE, "'%s' is no name for a file in the build-id cache", name);
	return NULL;
}

static struct error *check_directory(const struct build_id_cache *cache)
{
	struct stat found;
	char target[PATH_MAX];
	ssize_t length;

	if (lstat(cache->directory, &found) || !S_ISLNK(found.st_mode))
		return NULL;
	length = readlink(cache->directory, target, sizeof(target) - 1);
	target[length < 0 ? 0 : length] = '\0';
	return error_hint(error_new(ERROR_UNSUPPORTED, "the build-id cache %s is a symbolic link to %s; not writing there",
				    cache->directory, target),
			  "if it is yours, name it: PERFMINI_BUILD_ID_DIR=%s", target);
}

static struct error *copy_bytes(int from, const char *path, FILE *to)
{
	auto_free char *chunk = memory_alloc(1 << 18);
	ssize_t got;

	while ((got = read(from, chunk, 1 << 18)) > 0)
		if (fwrite(chunk, 1, (size_t)got, to) != (size_t)got)
			return NULL; /* the commit tells what went wrong */
	return got < 0 ? error_os(errno, "read %s", path) : NULL;
}

static struct error *copy_file(const char *from, const char *to)
{
	cleanup(file_replacement_guard) struct file_replacement *file = NULL;
	auto_close int fd = open(from, O_RDONLY | O_CLOEXEC);
	struct error *err;

	if (fd < 0 && errno == ENOENT)
		return error_new(ERROR_NOT_FOUND, "open %s: %s", from, strerror(errno));
	if (fd < 0)
		return error_os(errno, "open %s", from);
	err = file_replace_begin(to, 0600, &file);
	if (!err)
		err = copy_bytes(fd, from, file_replace_stream(file));
	return err ? err : file_replace_commit(take(file));
}

static const char *file_of_name(const char *name)
{
	if (text_starts_with(name, "[kernel") || text_starts_with(name, "[guest.kernel"))
		return "kallsyms";
	return name[0] == '[' ? "vdso" : "elf";
}

static struct error *make_link(const char *link, const char *name, const char *id)
{
	auto_free char *target = memory_format("../../%s/%s", name[0] == '/' ? name + 1 : name, id);
	auto_free char *directory = memory_strndup(link, (size_t)(strrchr(link, '/') - link));
	struct error *err = file_make_directories(directory, 0755);
	struct stat found;

	if (err)
		return err;
	/* A link left behind by an entry that is gone would hide the new one. */
	if (!lstat(link, &found) && S_ISLNK(found.st_mode) && stat(link, &found))
		unlink(link);
	if (symlink(target, link) && errno != EEXIST)
		return error_os(errno, "link %s", link);
	return NULL;
}

static struct error *absolute_name(const char *path, const char *name, char **ret)
{
	if (name) {
		*ret = memory_strdup(name);
		return NULL;
	}
	*ret = realpath(path, NULL);
	return *ret ? NULL : error_new(ERROR_NOT_FOUND, "open %s: %s", path, strerror(errno));
}

static struct error *add_entry(struct build_id_cache *cache, const char *path, const char *name, const char *id)
{
	bool is_new;
	auto_free char *directory =
		memory_format("%s/%s/%s", cache->directory, name[0] == '/' ? name + 1 : name, id);
	auto_free char *file = memory_format("%s/%s", directory, file_of_name(name));
	auto_free char *link = memory_format("%s/.build-id/%.2s/%s", cache->directory, id, id + 2);
	struct error *err = file_make_directories(directory, 0755);

	is_new = !err && access(file, F_OK);
	if (is_new)
		err = copy_file(path, file);
	if (!err)
		err = make_link(link, name, id);
	if (!err)
		mark_used(link);
	/* Listing the whole cache is dear: only when it grew. */
	return err || !is_new ? err : build_id_cache_expire(cache, id);
}

static struct error *explain(struct error *err, const struct build_id_cache *cache)
{
	if (!err)
		return NULL;
	err = error_wrap(err, "build-id cache %s", cache->directory);
	if (error_kind(err) == ERROR_PERMISSION && !error_hint_text(err))
		err = error_hint(err, "name a directory you may write: PERFMINI_BUILD_ID_DIR=DIRECTORY");
	return err;
}

struct error *build_id_cache_add(struct build_id_cache *cache, const char *path, const char *name,
				 const uint8_t *build_id, size_t size)
{
	auto_free char *whole_name = NULL;
	char id[BUILD_ID_TEXT_MAX];
	struct error *err = check_directory(cache);

	if (size < 2 || size > BUILD_ID_MAX)
		return error_new(ERROR_USAGE, "%s has no build id", path);
	if (!err)
		err = absolute_name(path, name, &whole_name);
	if (!err)
		err = check_name(whole_name);
	if (err)
		return err;
	build_id_format(build_id, size, id);
	return explain(add_entry(cache, path, whole_name, id), cache);
}
