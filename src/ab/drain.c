/* What a command writes, read to the end: hashed without limit, its beginning kept. */
#include "ab/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/text.h"

enum { CHUNK = 64 * 1024, ERROR_KEEP = 200, REST_READS = 64 };

enum { OUTPUT, MESSAGES, STOP, FD_COUNT };

struct drain {
	pthread_t thread;
	bool running;
	int fds[FD_COUNT];    /* read ends; -1 at their end */
	int theirs[FD_COUNT]; /* write ends */
	size_t keep_bytes;
	struct text kept, messages;
	uLong crc, adler;
	struct drained result;
	unsigned char chunk[CHUNK];
};

static struct error *open_pipe(struct drain *drain, int which)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error_os(errno, "pipe");
	drain->fds[which] = ends[0];
	drain->theirs[which] = ends[1];
	return NULL;
}

struct error *drain_create(size_t keep_bytes, int *stdout_fd, int *stderr_fd, struct drain **ret)
{
	cleanup(drain_guard) struct drain *drain = memory_zeroed(1, sizeof(*drain));

	for (int i = 0; i < FD_COUNT; i++)
		drain->fds[i] = drain->theirs[i] = -1;
	drain->keep_bytes = keep_bytes;
	drain->crc = crc32(0, NULL, 0);
	drain->adler = adler32(0, NULL, 0);

	struct error *err = open_pipe(drain, OUTPUT);

	if (!err)
		err = open_pipe(drain, MESSAGES);

	if (err)
		return err;
	*stdout_fd = drain->theirs[OUTPUT];
	*stderr_fd = drain->theirs[MESSAGES];
	*ret = take(drain);
	return NULL;
}

static void take_output(struct drain *drain, size_t got)
{
	size_t room = drain->keep_bytes - drain->kept.length;

	drain->crc = crc32(drain->crc, drain->chunk, (uInt)got);
	drain->adler = adler32(drain->adler, drain->chunk, (uInt)got);
	drain->result.bytes += got;
	text_append_bytes(&drain->kept, (const char *)drain->chunk, got < room ? got : room);
}

static void take_messages(struct drain *drain, size_t got)
{
	if (drain->messages.length > CHUNK)
		text_clear(&drain->messages);
	drain->result.message_bytes += got;
	text_append_bytes(&drain->messages, (const char *)drain->chunk, got);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* One read of one stream; false at its end. */
static bool read_some(struct drain *drain, int which)
{
	ssize_t got = read(drain->fds[which], drain->chunk, CHUNK);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return false;
	if (got <= 0) {
		close_fd(&drain->fds[which]);
		return false;
	}
	if (which == OUTPUT)
		take_output(drain, (size_t)got);
	else
		take_messages(drain, (size_t)got);
	return true;
}

static void *read_all(void *argument)
{
	struct drain *drain = argument;

	while (drain->fds[OUTPUT] >= 0 || drain->fds[MESSAGES] >= 0) {
		struct pollfd polled[FD_COUNT];

		for (int i = 0; i < FD_COUNT; i++)
			polled[i] = (struct pollfd){ drain->fds[i], POLLIN, 0 };
		if (poll(polled, FD_COUNT, -1) < 0)
			continue;
		for (int i = OUTPUT; i <= MESSAGES; i++)
			if (polled[i].revents)
				read_some(drain, i);
		if (polled[STOP].revents)
			break;
	}
	return NULL;
}

void drain_started(struct drain *drain)
{
	close_fd(&drain->theirs[OUTPUT]);
	close_fd(&drain->theirs[MESSAGES]);
}

struct error *drain_read(struct drain *drain)
{
	struct error *err = drain->running ? NULL : open_pipe(drain, STOP);
	sigset_t all, old;

	if (err || drain->running)
		return err;
	/* Fewer wake-ups beside the measured command; the default size does as well. */
	for (int i = OUTPUT; i <= MESSAGES; i++)
		fcntl(drain->fds[i], F_SETPIPE_SZ, 1024 * 1024);
	sigfillset(&all);
	/* Signals are the main thread's. */
	pthread_sigmask(SIG_BLOCK, &all, &old);
	drain->running = !pthread_create(&drain->thread, NULL, read_all, drain);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return drain->running ? NULL : error_new(ERROR_OS, "no thread to read the command's output with");
}

/* What is in the pipe already, without waiting for those who hold it open. */
static void read_rest(struct drain *drain, int which)
{
	if (drain->fds[which] < 0)
		return;
	fcntl(drain->fds[which], F_SETFL, O_NONBLOCK);
	/* Bounded: what was left behind may write for ever. */
	for (int i = 0; i < REST_READS && read_some(drain, which); i++)
		continue;
	if (drain->fds[which] >= 0)
		drain->result.held_open = true;
}

/* The end of the last line that says something. */
static const char *last_line(struct text *messages)
{
	while (messages->length && strchr("\n\r \t", messages->bytes[messages->length - 1]))
		messages->bytes[--messages->length] = '\0';
	if (!messages->length)
		return "";

	char *newline = memrchr(messages->bytes, '\n', messages->length);
	const char *line = newline ? newline + 1 : messages->bytes;

	return strlen(line) > ERROR_KEEP ? line + strlen(line) - ERROR_KEEP : line;
}

const struct drained *drain_finish(struct drain *drain)
{
	close_fd(&drain->theirs[STOP]);
	if (drain->running)
		pthread_join(drain->thread, NULL);
	drain->running = false;
	read_rest(drain, OUTPUT);
	read_rest(drain, MESSAGES);
	drain->result.hash = (uint64_t)drain->crc << 32 | drain->adler;
	drain->result.text = drain->kept.bytes ? drain->kept.bytes : "";
	drain->result.last_error = last_line(&drain->messages);
	return &drain->result;
}

void drain_destroy(struct drain *drain)
{
	if (!drain)
		return;
	close_fd(&drain->theirs[STOP]);
	for (int i = 0; i < FD_COUNT; i++)
		close_fd(&drain->theirs[i]);
	if (drain->running)
		pthread_join(drain->thread, NULL);
	for (int i = 0; i < FD_COUNT; i++)
		close_fd(&drain->fds[i]);
	text_release(&drain->kept);
	text_release(&drain->messages);
	free(drain);
}
