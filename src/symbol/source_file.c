/* Source files cut into lines. */
#include "symbol/source_file.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

struct source_file {
	char *path;      /* as asked for */
	char *text;      /* lines end in NUL; NULL: not readable */
	const char **lines;
	size_t count, capacity;
	int64_t written; /* seconds since 1970 */
};

struct source_files {
	struct source_setup setup;
	struct source_file *items;
	size_t count, capacity;
	const char **missing;
	size_t missing_count, missing_capacity;
	size_t last; /* the one asked for last: most often the next too */
};

/* More is no source that a person wrote. */
enum { SOURCE_BYTES_MAX = 64 << 20 };

struct source_files *source_files_create(const struct source_setup *setup)
{
	struct source_files *files = memory_zeroed(1, sizeof(*files));

	files->setup = *setup;
	return files;
}

void source_files_destroy(struct source_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->count; i++) {
		free(files->items[i].path);
		free(files->items[i].text);
		free(files->items[i].lines);
	}
	free(files->items);
	free(files->missing);
	free(files);
}

static char *real_path(const struct source_files *files, const char *path)
{
	for (unsigned i = 0; i < files->setup.strip; i++) {
		const char *slash = strchr(path + 1, '/');

		if (!slash)
			break;
		path = slash;
	}
	if (!files->setup.prefix)
		return memory_strdup(path);
	return memory_format("%s%s%s", files->setup.prefix, path[0] == '/' ? "" : "/", path);
}

static void cut_lines(struct source_file *file)
{
	char *rest = file->text;

	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		size_t length = strlen(line);

		if (length && line[length - 1] == '\r')
			line[length - 1] = '\0';
		array_grow(&file->lines, file->count, &file->capacity);
		file->lines[file->count++] = line;
	}
}

static void read_source(struct source_files *files, struct source_file *file)
{
	auto_free char *path = real_path(files, file->path);
	struct stat status;
	struct error *err = NULL;

	if (!stat(path, &status) && S_ISREG(status.st_mode) && status.st_size <= SOURCE_BYTES_MAX) {
		file->written = status.st_mtim.tv_sec;
		err = file_read(path, &file->text, NULL);
	}
	error_destroy(err); /* told by source_files_missing() */
	if (file->text) {
		cut_lines(file);
		return;
	}
	array_grow(&files->missing, files->missing_count, &files->missing_capacity);
	files->missing[files->missing_count++] = file->path;
}

static struct source_file *file_of(struct source_files *files, const char *path)
{
	struct source_file *file;

	if (files->last < files->count && !strcmp(files->items[files->last].path, path))
		return &files->items[files->last];
	for (files->last = 0; files->last < files->count; files->last++)
		if (!strcmp(files->items[files->last].path, path))
			return &files->items[files->last];
	array_grow(&files->items, files->count, &files->capacity);
	file = &files->items[files->count++];
	*file = (struct source_file){ .path = memory_strdup(path) };
	read_source(files, file);
	return file;
}

const char *source_line(struct source_files *files, const char *path, uint32_t line)
{
	const struct source_file *file = file_of(files, path);

	return line && line <= file->count ? file->lines[line - 1] : NULL;
}

size_t source_files_missing(const struct source_files *files, const char *const **ret)
{
	*ret = files->missing;
	return files->missing_count;
}

bool source_file_is_newer(struct source_files *files, const char *path, int64_t seconds)
{
	return file_of(files, path)->written > seconds;
}
