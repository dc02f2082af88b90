/* A recording that goes on, kept as what is always needed and the samples of the last seconds. */
#include "capture/live.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "perfdata/format.h"

enum { READ_SIZE = 1 << 16, COMPACT_FROM = 4 << 20 };

struct slice {
	struct text records;
	uint64_t samples;
};

struct live {
	pid_t recorder;
	int fd, status;        /* status: -1 while it runs */
	int errors;            /* memfd: its standard error */
	struct text input;     /* what is no whole record yet */
	bool has_head;         /* the pipe's header has gone to side */
	struct text side;      /* header, attributes, features, mappings, names */
	size_t compact_at;     /* bytes of side from which the dead are looked for */
	uint32_t *dead;        /* processes that ended, rising after compact() */
	size_t dead_count, dead_capacity;
	struct slice *slices;  /* [slice_count], the current one at [current] */
	size_t slice_count, current;
	int snapshot;          /* memfd; -1: none */
	char path[40];
};

/* program: this one, by its own name, so that it is called so in what it samples. */
static void run_recorder(const char *program, const char *const *words, int output, int errors)
{
	if (dup2(output, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
		_exit(126);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execv(program, (char *const *)words);
	execv("/proc/self/exe", (char *const *)words); /* its file was replaced */
	_exit(127);
}

struct error *live_start(const char *const *words, size_t slices, struct live **ret)
{
	char program[4096];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	int ends[2], errors;
	pid_t child;

	program[length > 0 ? length : 0] = '\0';
	if (pipe2(ends, O_CLOEXEC))
		return error_os(errno, "make a pipe");
	errors = memfd_create("perfmini-errors", MFD_CLOEXEC);
	child = errors < 0 ? -1 : fork();
	if (!child)
		run_recorder(program, words, ends[1], errors);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		if (errors >= 0)
			close(errors);
		return error_os(errno, "start the recorder");
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fcntl(ends[0], F_SETPIPE_SZ, 1 << 20); /* as much as is allowed */
	*ret = memory_zeroed(1, sizeof(**ret));
	**ret = (struct live){ .recorder = child, .fd = ends[0], .errors = errors, .status = -1, .slice_count = slices, .snapshot = -1,
			       .compact_at = COMPACT_FROM, .slices = memory_zeroed(slices, sizeof(struct slice)) };
	return NULL;
}

static struct slice *current_slice(struct live *live)
{
	return &live->slices[live->current];
}

static uint32_t pid_of(const struct perf_event_header *header)
{
	uint32_t pid;

	memcpy(&pid, header + 1, sizeof(pid));
	return pid;
}

static bool tells_of_process(uint32_t type)
{
	return type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_COMM ||
	       type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT;
}

/* Where the main thread ends, the process does; a pid that is used again is alive. */
static void note_life(struct live *live, const struct perf_event_header *header)
{
	uint32_t ids[4]; /* pid, ppid, tid, ptid */

	if (header->size < sizeof(*header) + sizeof(ids))
		return;
	memcpy(ids, header + 1, sizeof(ids));
	if (ids[0] != ids[2])
		return;
	if (header->type == PERF_RECORD_EXIT) {
		array_grow(&live->dead, live->dead_count, &live->dead_capacity);
		live->dead[live->dead_count++] = ids[0];
		return;
	}
	for (size_t i = live->dead_count; i-- > 0;)
		if (live->dead[i] == ids[0])
			live->dead[i] = live->dead[--live->dead_count];
}

static void keep_record(struct live *live, const struct perf_event_header *header)
{
	const char *bytes = (const char *)header;

	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		current_slice(live)->samples++;
		text_append_bytes(&current_slice(live)->records, bytes, header->size);
		return;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		text_append_bytes(&current_slice(live)->records, bytes, header->size);
		return;
	case PERFDATA_RECORD_FINISHED_ROUND: /* all is put in order at once */
	case PERFDATA_RECORD_FINISHED_INIT:
		return;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		note_life(live, header);
		break;
	default:
		break;
	}
	text_append_bytes(&live->side, bytes, header->size);
}

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static bool is_dead(const struct live *live, uint32_t pid)
{
	return bsearch(&pid, live->dead, live->dead_count, sizeof(*live->dead), by_number) != NULL;
}

/* Forget what was told of processes that ended; their samples, if any are left, lose their names. */
static void compact(struct live *live)
{
	size_t to = PERFDATA_PIPE_HEADER_SIZE;

	qsort(live->dead, live->dead_count, sizeof(*live->dead), by_number);
	for (size_t at = to, size; at < live->side.length; at += size) {
		struct perf_event_header header;

		memcpy(&header, live->side.bytes + at, sizeof(header));
		size = header.size;
		if (tells_of_process(header.type) &&
		    is_dead(live, pid_of((const struct perf_event_header *)(live->side.bytes + at))))
			continue;
		memmove(live->side.bytes + to, live->side.bytes + at, size);
		to += size;
	}
	live->side.length = to;
	live->dead_count = 0;
	live->compact_at = 2 * to > COMPACT_FROM ? 2 * to : COMPACT_FROM;
}

static struct error *split(struct live *live)
{
	size_t at = 0;

	if (!live->has_head) {
		if (live->input.length < PERFDATA_PIPE_HEADER_SIZE)
			return NULL;
		text_append_bytes(&live->side, live->input.bytes, PERFDATA_PIPE_HEADER_SIZE);
		at = PERFDATA_PIPE_HEADER_SIZE;
		live->has_head = true;
	}
	while (live->input.length - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;

		memcpy(&header, live->input.bytes + at, sizeof(header));
		if (header.size < sizeof(header) || header.type == PERFDATA_RECORD_TRACING_DATA ||
		    header.type == PERFDATA_RECORD_AUXTRACE)
			return error_new(ERROR_FORMAT, "the recorder wrote a record of type %u, size %u", header.type,
					 header.size);
		if (live->input.length - at < header.size)
			break;
		keep_record(live, (const struct perf_event_header *)(live->input.bytes + at));
		at += header.size;
	}
	if (at)
		memmove(live->input.bytes, live->input.bytes + at, live->input.length - at);
	live->input.length -= at;
	return NULL;
}

struct error *live_read(struct live *live)
{
	char bytes[READ_SIZE];
	struct error *err = NULL;
	ssize_t got;

	while (!err && (got = read(live->fd, bytes, sizeof(bytes))) > 0) {
		text_append_bytes(&live->input, bytes, (size_t)got);
		err = split(live);
	}
	return err;
}

int live_fd(const struct live *live)
{
	return live->fd;
}

int live_status(struct live *live)
{
	int status;

	if (live->status < 0 && waitpid(live->recorder, &status, WNOHANG) == live->recorder)
		live->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return live->status;
}

char *live_last_words(const struct live *live)
{
	char bytes[4096], *rest = bytes, *line, *last = bytes;
	ssize_t got = pread(live->errors, bytes, sizeof(bytes) - 1, 0);

	bytes[got > 0 ? got : 0] = '\0';
	while ((line = strsep(&rest, "\n")))
		if (*line && !text_starts_with(line, "hint: "))
			last = line;
	return memory_strdup(last);
}

void live_next_slice(struct live *live)
{
	live->current = (live->current + 1) % live->slice_count;
	text_clear(&current_slice(live)->records);
	current_slice(live)->samples = 0;
	if (live->side.length >= live->compact_at)
		compact(live);
}

uint64_t live_samples(const struct live *live)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < live->slice_count; i++)
		samples += live->slices[i].samples;
	return samples;
}

uint64_t live_recorder_ns(const struct live *live)
{
	clockid_t clock;
	struct timespec used;

	if (live->status >= 0 || clock_getcpuclockid(live->recorder, &clock) || clock_gettime(clock, &used))
		return 0;
	return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

static struct error *put(int fd, const struct text *bytes)
{
	size_t at = 0;

	while (at < bytes->length) {
		ssize_t written = write(fd, bytes->bytes + at, bytes->length - at);

		if (written < 0)
			return error_os(errno, "keep a snapshot");
		at += (size_t)written;
	}
	return NULL;
}

struct error *live_snapshot(struct live *live, const char **path)
{
	struct error *err;

	if (live->snapshot >= 0)
		close(live->snapshot);
	live->snapshot = memfd_create("perfmini-live", MFD_CLOEXEC);
	if (live->snapshot < 0)
		return error_os(errno, "make a snapshot");
	err = put(live->snapshot, &live->side);
	for (size_t i = 1; i <= live->slice_count && !err; i++) /* the oldest first */
		err = put(live->snapshot, &live->slices[(live->current + i) % live->slice_count].records);
	snprintf(live->path, sizeof(live->path), "/proc/self/fd/%d", live->snapshot);
	*path = live->path;
	return err;
}

void live_destroy(struct live *live)
{
	if (!live)
		return;
	if (live_status(live) < 0) {
		kill(live->recorder, SIGTERM);
		close(live->fd);
		live->fd = -1;
		waitpid(live->recorder, NULL, 0);
	}
	if (live->fd >= 0)
		close(live->fd);
	close(live->errors);
	if (live->snapshot >= 0)
		close(live->snapshot);
	for (size_t i = 0; i < live->slice_count; i++)
		text_release(&live->slices[i].records);
	free(live->slices);
	free(live->dead);
	text_release(&live->input);
	text_release(&live->side);
	free(live);
}
