/* Write a perf.data file or pipe that perf itself reads. */
#include "perfdata/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "perfdata/deflate.h"
#include "perfdata/format.h"

enum { BUFFER = 256 * 1024 };

struct kept_feature {
	unsigned feature;
	void *bytes;
	size_t size;
};

struct perfdata_writer {
	char *path;
	int fd;
	bool is_pipe;
	bool failed;               /* the disk is full, the reader gone: no more records */
	struct perfdata_header header;
	struct deflater *deflater; /* NULL: plain */
	struct text buffer;        /* not yet written */
	uint64_t written;          /* bytes of whole appends, those of the buffer included */
	struct kept_feature *features;
	size_t feature_count, feature_capacity;
};

static const uint32_t attr_sizes[] = { PERF_ATTR_SIZE_VER0, PERF_ATTR_SIZE_VER1, PERF_ATTR_SIZE_VER2,
				       PERF_ATTR_SIZE_VER3, PERF_ATTR_SIZE_VER4, PERF_ATTR_SIZE_VER5,
				       PERF_ATTR_SIZE_VER6, PERF_ATTR_SIZE_VER7 };

uint32_t perfdata_attr_size(const struct perf_event_attr *attr)
{
	const uint8_t *bytes = (const uint8_t *)attr;
	size_t used = sizeof(*attr);

	while (used > PERF_ATTR_SIZE_VER0 && !bytes[used - 1])
		used--;
	for (size_t i = 0; i < ARRAY_SIZE(attr_sizes); i++) {
		if (attr_sizes[i] >= used)
			return attr_sizes[i];
	}
	return sizeof(*attr);
}

static struct error *write_failed(struct perfdata_writer *writer)
{
	writer->failed = true;
	return error_os(errno, "write %s", writer->path);
}

static struct error *write_all(struct perfdata_writer *writer, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t count = write(writer->fd, at, size);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return write_failed(writer);
		at += count;
		size -= (size_t)count;
	}
	return NULL;
}

static struct error *write_buffer(struct perfdata_writer *writer)
{
	struct error *err = write_all(writer, writer->buffer.bytes, writer->buffer.length);

	writer->buffer.length = 0;
	return err;
}

/* The header as of now, without features: perf cannot read a file whose data size is still 0. */
static void update_header(struct perfdata_writer *writer)
{
	struct perfdata_header header = writer->header;

	memset(header.features, 0, sizeof(header.features));
	header.data.size = writer->written - header.data.offset;
	/* A failure shows at the next write. */
	if (pwrite(writer->fd, &header, sizeof(header), 0) < 0)
		return;
}

struct error *perfdata_flush(struct perfdata_writer *writer)
{
	struct error *err = write_buffer(writer);

	if (!err && !writer->is_pipe)
		update_header(writer);
	return err;
}

static struct error *append_plain(struct perfdata_writer *writer, const void *bytes, size_t size)
{
	struct error *err = NULL;

	if (writer->buffer.length + size > BUFFER || size > BUFFER / 4)
		err = write_buffer(writer);
	if (err)
		return err;
	if (!err && size > BUFFER / 4)
		err = write_all(writer, bytes, size);
	else if (!err)
		text_append_bytes(&writer->buffer, bytes, size);
	if (!err)
		writer->written += size;
	return err;
}

struct error *perfdata_append(struct perfdata_writer *writer, const void *records, size_t size)
{
	const char *at = records;

	if (writer->failed)
		return error_new(ERROR_OS, "write %s: failed before", writer->path);
	if (!writer->deflater)
		return append_plain(writer, records, size);
	while (size) {
		size_t piece = size < DEFLATE_PIECE ? size : DEFLATE_PIECE;
		const void *record;
		size_t packed = deflate_piece(writer->deflater, at, piece, &record);
		struct error *err = append_plain(writer, record, packed);

		if (err)
			return err;
		at += piece;
		size -= piece;
	}
	return NULL;
}

/* Ids, then attributes, then the data: what perf does, and what reads well in a hex dump. */
static struct error *write_file_head(struct perfdata_writer *writer, const struct perfdata_writer_event *events,
				     size_t count)
{
	auto_text struct text ids = { 0 };
	auto_text struct text attrs = { 0 };
	uint32_t attr_size = PERF_ATTR_SIZE_VER0;

	/* Entries are of one size. */
	for (size_t i = 0; i < count; i++) {
		uint32_t needed = perfdata_attr_size(events[i].attr);

		attr_size = needed > attr_size ? needed : attr_size;
	}
	for (size_t i = 0; i < count; i++) {
		struct perf_event_attr attr = *events[i].attr;
		struct perfdata_section section = { sizeof(writer->header) + ids.length, events[i].id_count * 8 };

		attr.size = attr_size;
		text_append_bytes(&attrs, (const char *)&attr, attr_size);
		text_append_bytes(&attrs, (const char *)&section, sizeof(section));
		text_append_bytes(&ids, (const char *)events[i].ids, section.size);
	}
	writer->header = (struct perfdata_header){
		.magic = PERFDATA_MAGIC,
		.size = sizeof(writer->header),
		.attr_size = attr_size + sizeof(struct perfdata_section),
		.attrs = { sizeof(writer->header) + ids.length, attrs.length },
		.data = { sizeof(writer->header) + ids.length + attrs.length, 0 },
	};

	struct error *err = append_plain(writer, &writer->header, sizeof(writer->header));

	if (!err)
		err = append_plain(writer, ids.bytes, ids.length);
	if (!err)
		err = append_plain(writer, attrs.bytes, attrs.length);
	return err;
}

static struct error *append_record(struct perfdata_writer *writer, uint32_t type, const struct text *body)
{
	struct perf_event_header header = { .type = type };

	if (sizeof(header) + body->length > PERFDATA_RECORD_MAX)
		return error_new(ERROR_UNSUPPORTED, "%s record of %zu bytes: too large for a pipe",
				 perfdata_record_name(type), body->length);
	header.size = (uint16_t)(sizeof(header) + body->length);

	struct error *err = append_plain(writer, &header, sizeof(header));

	return err ? err : append_plain(writer, body->bytes, body->length);
}

static struct error *write_pipe_event(struct perfdata_writer *writer, const struct perfdata_writer_event *event)
{
	auto_text struct text body = { 0 };
	auto_text struct text update = { 0 };
	struct perf_event_attr attr = *event->attr;
	uint64_t head[2] = { PERFDATA_UPDATE_NAME, event->id_count ? event->ids[0] : 0 };

	attr.size = perfdata_attr_size(&attr);
	text_append_bytes(&body, (const char *)&attr, attr.size);
	text_append_bytes(&body, (const char *)event->ids, event->id_count * 8);

	struct error *err = append_record(writer, PERFDATA_RECORD_HEADER_ATTR, &body);

	text_append_bytes(&update, (const char *)head, sizeof(head));
	text_append_bytes(&update, event->name, strlen(event->name) + 1);
	while (update.length % 8)
		text_append_char(&update, '\0');
	return err ? err : append_record(writer, PERFDATA_RECORD_EVENT_UPDATE, &update);
}

static struct error *write_pipe_head(struct perfdata_writer *writer, const struct perfdata_writer_event *events,
				     size_t count)
{
	uint64_t head[2] = { PERFDATA_MAGIC, PERFDATA_PIPE_HEADER_SIZE };
	struct error *err = append_plain(writer, head, sizeof(head));

	for (size_t i = 0; !err && i < count; i++)
		err = write_pipe_event(writer, &events[i]);
	return err;
}

struct error *perfdata_create(const char *path, const struct perfdata_writer_event *events, size_t count,
			      bool compress, struct perfdata_writer **ret)
{
	cleanup(perfdata_writer_guard) struct perfdata_writer *writer = memory_zeroed(1, sizeof(*writer));

	writer->is_pipe = !strcmp(path, "-");
	writer->path = memory_strdup(writer->is_pipe ? "stdout" : path);
	writer->fd = writer->is_pipe ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) :
				       open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (writer->fd < 0)
		return error_os(errno, "create %s", writer->path);
	if (compress)
		writer->deflater = deflater_create();

	struct error *err = writer->is_pipe ? write_pipe_head(writer, events, count) :
					      write_file_head(writer, events, count);

	if (!err)
		err = perfdata_flush(writer);
	if (!err)
		*ret = take(writer);
	return err;
}

/* The record has its payload's size; the payload stands behind it, filled up to 8 bytes. */
static struct error *write_pipe_tracing(struct perfdata_writer *writer, const void *bytes, size_t size)
{
	struct {
		struct perf_event_header header;
		uint32_t size;
	} head = { .header = { .type = PERFDATA_RECORD_TRACING_DATA, .size = sizeof(head) } };
	static const char padding[8];
	struct error *err;

	head.size = (uint32_t)((size + 7) & ~(size_t)7);
	err = append_plain(writer, &head, sizeof(head));
	if (!err)
		err = append_plain(writer, bytes, size);
	return err ? err : append_plain(writer, padding, head.size - size);
}

static struct error *write_pipe_feature(struct perfdata_writer *writer, unsigned feature, const void *bytes,
					size_t size)
{
	auto_text struct text body = { 0 };
	uint64_t head = feature;

	if (feature == PERFDATA_FEATURE_BUILD_ID)
		return append_plain(writer, bytes, size);
	if (feature == PERFDATA_FEATURE_TRACING_DATA)
		return write_pipe_tracing(writer, bytes, size);
	text_append_bytes(&body, (const char *)&head, sizeof(head));
	text_append_bytes(&body, bytes, size);
	return append_record(writer, PERFDATA_RECORD_HEADER_FEATURE, &body);
}

struct error *perfdata_set_feature(struct perfdata_writer *writer, unsigned feature, const void *bytes, size_t size)
{
	if (writer->is_pipe)
		return write_pipe_feature(writer, feature, bytes, size);
	array_grow(&writer->features, writer->feature_count, &writer->feature_capacity);
	writer->features[writer->feature_count++] =
		(struct kept_feature){ feature, memory_copy(bytes, size), size };
	writer->header.features[feature / 64] |= 1ull << feature % 64;
	return NULL;
}

static int by_feature(const void *left, const void *right)
{
	const struct kept_feature *a = left, *b = right;

	return (a->feature > b->feature) - (a->feature < b->feature);
}

/* {offset, size} of each, rising, then the bytes of each. */
static struct error *write_features(struct perfdata_writer *writer)
{
	uint64_t at = writer->written + writer->feature_count * sizeof(struct perfdata_section);
	struct error *err = NULL;

	if (writer->feature_count)
		qsort(writer->features, writer->feature_count, sizeof(*writer->features), by_feature);
	for (size_t i = 0; !err && i < writer->feature_count; i++) {
		struct perfdata_section section = { at, writer->features[i].size };

		err = append_plain(writer, &section, sizeof(section));
		at += section.size;
	}
	for (size_t i = 0; !err && i < writer->feature_count; i++)
		err = append_plain(writer, writer->features[i].bytes, writer->features[i].size);
	return err ? err : write_buffer(writer);
}

/* After a failed write the file ends in the middle of something: cut it back to whole records. The header needs no
 * new room on the disk. */
static struct error *rescue(struct perfdata_writer *writer, uint64_t data_end)
{
	struct stat status;

	if (fstat(writer->fd, &status) || !S_ISREG(status.st_mode))
		return NULL;
	if ((uint64_t)status.st_size < data_end)
		data_end = (uint64_t)status.st_size;
	memset(writer->header.features, 0, sizeof(writer->header.features));
	writer->header.data.size = data_end - writer->header.data.offset;
	if (ftruncate(writer->fd, (off_t)data_end))
		return error_os(errno, "write %s", writer->path);
	return NULL;
}

struct error *perfdata_finish(struct perfdata_writer *writer)
{
	uint64_t data_end = writer->written;
	struct error *err = writer->failed ? NULL : perfdata_flush(writer);

	if (writer->is_pipe)
		return err;
	writer->header.data.size = data_end - writer->header.data.offset;
	if (!err && !writer->failed)
		err = write_features(writer);
	if (writer->failed) {
		error_destroy(rescue(writer, data_end));
		writer->buffer.length = 0;
	}
	if (pwrite(writer->fd, &writer->header, sizeof(writer->header), 0) != (ssize_t)sizeof(writer->header) && !err)
		err = error_os(errno ? errno : EIO, "write %s", writer->path);
	return err;
}

/* Move the records that stay to the front; returns where they end. */
static uint64_t compact(uint8_t *bytes, uint64_t start, uint64_t end)
{
	uint64_t kept = start;
	struct perf_event_header header;

	for (uint64_t at = start; at < end; at += header.size) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.type == PERF_RECORD_SAMPLE)
			continue;
		memmove(bytes + kept, bytes + at, header.size);
		kept += header.size;
	}
	return kept;
}

struct error *perfdata_drop_samples(struct perfdata_writer *writer)
{
	struct error *err = perfdata_flush(writer);
	uint8_t *bytes;

	if (err)
		return err;
	if (writer->is_pipe || writer->deflater)
		return error_new(ERROR_UNSUPPORTED, "samples cannot be taken back out of a %s recording",
				 writer->is_pipe ? "piped" : "packed");
	bytes = mmap(NULL, writer->written, PROT_READ | PROT_WRITE, MAP_SHARED, writer->fd, 0);
	if (bytes == MAP_FAILED)
		return error_os(errno, "map %s", writer->path);

	uint64_t all = writer->written;

	writer->written = compact(bytes, writer->header.data.offset, all);
	munmap(bytes, all);
	if (ftruncate(writer->fd, (off_t)writer->written) || lseek(writer->fd, 0, SEEK_END) < 0)
		return error_os(errno, "cut %s", writer->path);
	return NULL;
}

static struct error *copy_file(int from, int to, uint64_t size, const char *path)
{
	off_t at = 0;

	while ((uint64_t)at < size) {
		ssize_t count = sendfile(to, from, &at, size - (uint64_t)at);

		if (count <= 0)
			return error_os(count ? errno : EIO, "write %s", path);
	}
	return NULL;
}

struct error *perfdata_save_copy(struct perfdata_writer *writer, const char *path)
{
	struct error *err = perfdata_flush(writer);
	struct perfdata_writer copy = *writer;

	if (err)
		return err;
	if (writer->is_pipe)
		return error_new(ERROR_UNSUPPORTED, "a piped recording has no file to copy");

	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		return error_os(errno, "create %s", path);
	err = copy_file(writer->fd, fd, writer->written, path);
	if (err)
		return err;
	copy.fd = fd;
	copy.buffer = (struct text){ 0 };
	err = perfdata_finish(&copy);
	text_release(&copy.buffer);
	return err;
}

uint64_t perfdata_written(const struct perfdata_writer *writer)
{
	return writer->written;
}

bool perfdata_writer_is_pipe(const struct perfdata_writer *writer)
{
	return writer->is_pipe;
}

void perfdata_writer_destroy(struct perfdata_writer *writer)
{
	if (!writer)
		return;
	for (size_t i = 0; i < writer->feature_count; i++)
		free(writer->features[i].bytes);
	free(writer->features);
	deflater_destroy(writer->deflater);
	text_release(&writer->buffer);
	free(writer->path);
	if (writer->fd >= 0)
		close(writer->fd);
	free(writer);
}
