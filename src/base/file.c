/* Whole files: read at once, replaced at once. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"

enum { READ_FIRST = 4096, READ_LEAST = 1024 };

static struct error *open_error(const char *path)
{
	if (errno == ENOENT)
		return error_new(ERROR_NOT_FOUND, "open %s: %s", path, strerror(errno));
	return error_os(errno, "open %s", path);
}

/* For all of it and the byte that says it was all; files of /proc and /sys tell no size. */
static size_t first_capacity(int fd)
{
	struct stat file;

	if (fstat(fd, &file) || !S_ISREG(file.st_mode) || file.st_size <= 0)
		return READ_FIRST;
	return (size_t)file.st_size + 2 * READ_LEAST;
}

struct error *file_read(const char *path, char **ret, size_t *size)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_free char *bytes = NULL;
	size_t length = 0, capacity;

	if (fd < 0)
		return open_error(path);
	capacity = first_capacity(fd);
	bytes = memory_alloc(capacity);
	for (;;) {
		ssize_t got = read(fd, bytes + length, capacity - length - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_os(errno, "read %s", path);
		if (got == 0)
			break;
		length += (size_t)got;
		if (capacity - length < READ_LEAST) {
			capacity *= 2;
			bytes = memory_resize(bytes, capacity, 1);
		}
	}
	bytes[length] = '\0';
	if (size)
		*size = length;
	*ret = take(bytes);
	return NULL;
}

struct error *file_read_line(const char *path, char **ret)
{
	struct error *err = file_read(path, ret, NULL);

	if (!err)
		(*ret)[strcspn(*ret, "\n")] = '\0';
	return err;
}

bool file_read_number(const char *path, long long *ret)
{
	auto_free char *line = NULL;
	struct error *err = file_read_line(path, &line);
	char *end;

	if (err) {
		error_destroy(err);
		return false;
	}
	errno = 0;

	long long number = strtoll(line, &end, 0);

	if (end == line || errno)
		return false;
	*ret = number;
	return true;
}

struct file_replacement {
	char *path, *temporary;
	FILE *stream;
};

struct error *file_replace_begin(const char *path, unsigned mode, struct file_replacement **ret)
{
	auto_free char *temporary = memory_format("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC);

	if (fd < 0)
		return error_os(errno, "create %s", path);
	fchmod(fd, mode);

	struct file_replacement *file = memory_zeroed(1, sizeof(*file));

	file->path = memory_strdup(path);
	file->temporary = take(temporary);
	file->stream = fdopen(fd, "w");
	if (!file->stream)
		abort();
	*ret = file;
	return NULL;
}

FILE *file_replace_stream(struct file_replacement *file)
{
	return file->stream;
}

const char *file_replace_path(const struct file_replacement *file)
{
	return file->temporary;
}

struct error *file_replace_commit(struct file_replacement *file)
{
	struct error *err = NULL;

	if (fflush(file->stream) || ferror(file->stream) || fsync(fileno(file->stream)))
		err = error_os(errno ? errno : EIO, "write %s", file->path);
	else if (rename(file->temporary, file->path))
		err = error_os(errno, "rename to %s", file->path);
	else
		free(take(file->temporary));
	file_replacement_destroy(file);
	return err;
}

void file_replacement_destroy(struct file_replacement *file)
{
	if (!file)
		return;
	fclose(file->stream);
	if (file->temporary)
		unlink(file->temporary);
	free(file->temporary);
	free(file->path);
	free(file);
}

struct error *file_make_directories(const char *path, unsigned mode)
{
	auto_free char *part = memory_strdup(path);

	for (char *slash = part + 1;; slash++) {
		if (*slash != '/' && *slash != '\0')
			continue;

		char kept = *slash;

		*slash = '\0';
		if (mkdir(part, mode) && errno != EEXIST)
			return error_os(errno, "create directory %s", part);
		*slash = kept;
		if (!kept)
			return NULL;
	}
}
