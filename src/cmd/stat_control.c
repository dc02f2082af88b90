/* `perfmini stat --control`: counting on and off from outside. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/stat.h"

enum { NS_PER_MS = 1000000, LONGEST_LINE = 4096 };

static struct error *bad_control(const char *text)
{
	return error_hint(error_new(ERROR_USAGE, "--control: '%s' is no channel", text),
			  "write fd:CONTROL[,ACK] with open descriptors, or fifo:CONTROL[,ACK] with fifos");
}

static struct error *open_fifo(const char *path, int flags, int *ret)
{
	int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return error_os(errno, "--control: open %s", path);
	*ret = fd;
	return NULL;
}

static bool parse_fd(const char *text, int *ret)
{
	char *end;
	long fd = strtol(text, &end, 10);

	if (end == text || *end || fd < 0 || fd > 1 << 20 || fcntl((int)fd, F_GETFD) < 0)
		return false;
	*ret = (int)fd;
	return true;
}

static struct error *open_channel(struct stat_session *session, char *control, const char *ack, bool is_fifo)
{
	struct error *err = NULL;

	if (is_fifo) {
		/* Read and write, so that it does not end when a writer closes it. */
		err = open_fifo(control, O_RDWR, &session->control_fd);
		return err || !ack ? err : open_fifo(ack, O_RDWR, &session->ack_fd);
	}
	if (!parse_fd(control, &session->control_fd) || (ack && !parse_fd(ack, &session->ack_fd)))
		return bad_control(control);
	return NULL;
}

struct error *stat_control_open(struct stat_session *session)
{
	const char *text = session->options->control;
	bool is_fifo = text && text_starts_with(text, "fifo:");
	sigset_t signals;

	if (!text)
		return NULL;
	if (!is_fifo && !text_starts_with(text, "fd:"))
		return bad_control(text);

	auto_free char *channel = memory_strdup(strchr(text, ':') + 1);
	char *ack = strchr(channel, ',');

	if (ack)
		*ack++ = '\0';
	target_signals(&signals);
	session->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	return open_channel(session, channel, ack, is_fifo);
}

static struct error *obey(struct stat_session *session, struct meter *meter, const char *command)
{
	static const char answer[] = "ack\n";
	struct error *err = NULL;

	if (!strcmp(command, "enable") || !strcmp(command, "disable"))
		err = meter_switch(meter, command[0] == 'e');
	else if (!strcmp(command, "stop"))
		session->control_stop = true;
	else if (strcmp(command, "ping"))
		return error_hint(error_new(ERROR_USAGE, "--control: unknown command '%s'", command),
				  "the commands are enable, disable, ping and stop");
	if (!err && session->ack_fd >= 0 && write(session->ack_fd, answer, sizeof(answer) - 1) < 0)
		err = error_os(errno, "--control: acknowledge");
	return err;
}

static struct error *take_commands(struct stat_session *session, struct meter *meter)
{
	char bytes[256];
	ssize_t size = read(session->control_fd, bytes, sizeof(bytes));
	struct error *err = NULL;

	if (size == 0)
		session->control_fd = -1; /* no one is left to command */
	if (size <= 0)
		return NULL;
	for (ssize_t i = 0; !err && i < size; i++) {
		if (bytes[i] != '\n' && session->control_line.length < LONGEST_LINE) {
			text_append_char(&session->control_line, bytes[i]);
			continue;
		}
		if (session->control_line.length)
			err = obey(session, meter, session->control_line.bytes);
		text_clear(&session->control_line);
	}
	return err;
}

struct error *stat_control_wait(struct stat_session *session, struct meter *meter, uint64_t timeout_ns, bool *done)
{
	struct pollfd ready[] = { { .fd = session->control_fd, .events = POLLIN },
				  { .fd = session->signal_fd, .events = POLLIN } };
	int timeout_ms = timeout_ns ? (int)(timeout_ns / NS_PER_MS) + 1 : -1;

	if (session->control_fd < 0 && !session->control_stop)
		return meter_wait(meter, timeout_ns, done);
	/* SIGCHLD is among the signals: the command's end wakes us too. */
	if (poll(ready, ARRAY_SIZE(ready), timeout_ms) > 0 && ready[0].revents) {
		struct error *err = take_commands(session, meter);

		if (err)
			return err;
	}
	return meter_wait(meter, 1, done);
}

void stat_control_close(struct stat_session *session)
{
	if (session->options->control && text_starts_with(session->options->control, "fifo:")) {
		close_guard(&session->control_fd);
		close_guard(&session->ack_fd);
	}
	close_guard(&session->signal_fd);
	text_release(&session->control_line);
}
