/* Open and close a recording, and answer what is known of it. */
#include "perfdata/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "perfdata/byteorder.h"
#include "perfdata/state.h"

enum { FIFO_WAIT_MS = 2000 };

struct error *reader_error(const struct perfdata_reader *reader, uint64_t offset, const char *format, ...)
{
	auto_free char *what = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&what, format, args) < 0)
		abort();
	va_end(args);
	return error_new(ERROR_FORMAT, "%s: offset 0x%llx: %s", reader->path, (unsigned long long)offset, what);
}

static struct perfdata_reader *reader_create(const char *path, enum perfdata_order order)
{
	struct perfdata_reader *reader = memory_zeroed(1, sizeof(*reader));

	reader->path = memory_strdup(strcmp(path, "-") ? path : "stdin");
	reader->order = order;
	reader->fd = -1;
	reader->scratch = memory_alloc((PERFDATA_RECORD_MAX + 8) & ~7u);
	reader->text = arena_create();
	return reader;
}

static void add_map(struct perfdata_reader *reader, const void *bytes, size_t size, bool is_mapped)
{
	array_grow(&reader->maps, reader->map_count, &reader->map_capacity);
	reader->maps[reader->map_count++] = (struct file_map){ bytes, size, is_mapped };
}

static struct error *map_file(struct perfdata_reader *reader, int fd, const char *path, size_t size)
{
	if (!size) {
		add_map(reader, "", 0, false);
		return NULL;
	}

	void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (bytes == MAP_FAILED)
		return error_os(errno, "map %s", path);
	madvise(bytes, size, MADV_SEQUENTIAL);
	add_map(reader, bytes, size, true);
	return NULL;
}

/* The files of `perf record --threads`: DIR/data, then the records of DIR/data.0, DIR/data.1 …  */
static struct error *map_directory(struct perfdata_reader *reader)
{
	for (int i = -1;; i++) {
		auto_free char *path = i < 0 ? memory_format("%s/data", reader->path) :
					       memory_format("%s/data.%d", reader->path, i);
		auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
		struct stat status;

		if (fd < 0 && errno == ENOENT && i >= 0)
			return NULL;
		if (fd < 0 && errno == ENOENT)
			return error_new(ERROR_FORMAT, "%s: a directory without a recording (no 'data' in it)",
					 reader->path);
		if (fd < 0 || fstat(fd, &status))
			return error_os(errno, "open %s", path);
		if (!S_ISREG(status.st_mode))
			return error_new(ERROR_FORMAT, "%s: not a file", path);

		struct error *err = map_file(reader, fd, path, (size_t)status.st_size);

		if (err)
			return err;
	}
}

/* A stream in file format: keep it where it can be read at any place. */
static struct error *spool(struct perfdata_reader *reader)
{
	auto_close int fd = memfd_create("perf.data", MFD_CLOEXEC);
	size_t left, all = 0;

	if (fd < 0)
		return error_os(errno, "make room for %s", reader->path);
	for (;;) {
		struct error *err = source_need(&reader->main, 1, &left);

		if (err)
			return error_wrap(err, "%s", reader->path);
		if (!left)
			break;
		if (write(fd, reader->main.at, left) != (ssize_t)left)
			return error_os(errno, "keep %s", reader->path);
		all += left;
		reader->main.at += left;
	}
	source_release(&reader->main);
	return map_file(reader, fd, reader->path, all);
}

static struct error *wait_for_writer(const struct perfdata_reader *reader)
{
	struct pollfd poller = { reader->fd, POLLIN, 0 };
	int ready = poll(&poller, 1, FIFO_WAIT_MS);

	if (!ready)
		return error_hint(error_new(ERROR_OS, "%s: nobody writes to this FIFO", reader->path),
				  "start the recorder first: perfmini record -o - … > %s", reader->path);
	if (fcntl(reader->fd, F_SETFL, fcntl(reader->fd, F_GETFL) & ~O_NONBLOCK))
		return error_os(errno, "open %s", reader->path);
	return NULL;
}

static struct error *open_stream(struct perfdata_reader *reader)
{
	size_t left;

	source_from_fd(&reader->main, &reader->fd);

	struct error *err = source_need(&reader->main, PERFDATA_PIPE_HEADER_SIZE, &left);

	if (err)
		return error_wrap(err, "%s", reader->path);
	if (left < PERFDATA_PIPE_HEADER_SIZE)
		return error_new(ERROR_FORMAT, "%s: not a perf.data file: it ends after %zu bytes", reader->path, left);

	uint64_t size = get_u64(reader->main.at + 8, false);

	if (size != PERFDATA_PIPE_HEADER_SIZE && size != __builtin_bswap64(PERFDATA_PIPE_HEADER_SIZE))
		return spool(reader);
	add_map(reader, memory_copy(reader->main.at, PERFDATA_PIPE_HEADER_SIZE), PERFDATA_PIPE_HEADER_SIZE, false);
	reader->main.at += PERFDATA_PIPE_HEADER_SIZE;
	return NULL;
}

static struct error *open_path(struct perfdata_reader *reader, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat status;

	/* O_NONBLOCK: a FIFO that nobody writes to must not hold us here. */
	reader->fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (reader->fd < 0 && errno == ENOENT)
		return error_hint(error_new(ERROR_NOT_FOUND, "open %s: %s", path, strerror(errno)),
				  "record one: perfmini record COMMAND");
	if (reader->fd < 0 || fstat(reader->fd, &status))
		return error_os(errno, "open %s", path);
	if (S_ISDIR(status.st_mode))
		return map_directory(reader);
	if (S_ISREG(status.st_mode))
		return map_file(reader, reader->fd, path, (size_t)status.st_size);
	if (S_ISFIFO(status.st_mode) && !is_stdin) {
		struct error *err = wait_for_writer(reader);

		if (err)
			return err;
	}
	return open_stream(reader);
}

static struct error *finish_open(struct perfdata_reader *reader, struct perfdata_reader **ret)
{
	struct error *err = header_read(reader);

	if (err)
		return err;
	if (!reader->main.fill)
		reader_start(reader);
	*ret = reader;
	return NULL;
}

struct error *perfdata_open(const char *path, enum perfdata_order order, struct perfdata_reader **ret)
{
	cleanup(perfdata_reader_guard) struct perfdata_reader *reader = reader_create(path, order);
	struct error *err = open_path(reader, path);

	if (!err)
		err = finish_open(reader, ret);
	if (!err)
		take(reader);
	return err;
}

struct error *perfdata_open_bytes(const char *name, const void *bytes, size_t size, enum perfdata_order order,
				  struct perfdata_reader **ret)
{
	cleanup(perfdata_reader_guard) struct perfdata_reader *reader = reader_create(name, order);

	add_map(reader, bytes, size, false);

	struct error *err = finish_open(reader, ret);

	if (!err)
		take(reader);
	return err;
}

struct error *perfdata_rewind(struct perfdata_reader *reader)
{
	if (reader->main.fill)
		return error_new(ERROR_UNSUPPORTED, "%s: a pipe cannot be read twice", reader->path);
	reader->rewound = true;
	reader_start(reader);
	return NULL;
}

size_t perfdata_event_count(const struct perfdata_reader *reader)
{
	return reader->events.count;
}

const struct perfdata_event *perfdata_event_at(const struct perfdata_reader *reader, size_t index)
{
	return &reader->events.items[index]->event;
}

const struct perfdata_losses *perfdata_losses(const struct perfdata_reader *reader)
{
	return &reader->losses;
}

uint64_t perfdata_size(const struct perfdata_reader *reader)
{
	uint64_t size = 0;

	if (reader->main.fill)
		return 0;
	for (size_t i = 0; i < reader->map_count; i++)
		size += reader->maps[i].size;
	return size;
}

uint64_t perfdata_position(const struct perfdata_reader *reader)
{
	uint64_t before = 0;

	for (size_t i = 0; i < reader->map_index; i++)
		before += reader->maps[i].size;
	return before + source_offset(&reader->main);
}

bool perfdata_is_pipe(const struct perfdata_reader *reader)
{
	return reader->pipe_mode;
}

bool perfdata_is_swapped(const struct perfdata_reader *reader)
{
	return reader->swapped;
}

static void release_maps(struct perfdata_reader *reader)
{
	for (size_t i = 0; i < reader->map_count; i++) {
		if (reader->maps[i].is_mapped)
			munmap((void *)(uintptr_t)reader->maps[i].bytes, reader->maps[i].size);
	}
	if (reader->main.fill && reader->map_count)
		free((void *)(uintptr_t)reader->maps[0].bytes);
	free(reader->maps);
}

void perfdata_reader_destroy(struct perfdata_reader *reader)
{
	if (!reader)
		return;
	for (size_t i = 0; i < PERFDATA_FEATURE_BITS; i++) {
		if (reader->features[i].is_owned)
			free((void *)(uintptr_t)reader->features[i].bytes);
	}
	for (size_t i = 0; i < reader->build_id_count; i++)
		free((void *)(uintptr_t)reader->build_ids[i].path);
	release_maps(reader);
	source_release(&reader->main);
	inflater_destroy(reader->inflater);
	queue_release(&reader->queue);
	deferral_release(&reader->deferral);
	event_table_release(&reader->events);
	arena_destroy(reader->text);
	free(reader->build_ids);
	free(reader->words);
	free(reader->scratch);
	free(reader->path);
	if (reader->fd >= 0)
		close(reader->fd);
	free(reader);
}
