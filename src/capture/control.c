/* Commands that steer a recording from outside. */
#include "capture/control.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"

enum { LINE_MAX_BYTES = 4096 };

struct control {
	int fd, ack_fd;
	bool owns; /* opened here: FIFOs */
	struct text waiting;
	char *line;
};

static struct error *bad(const char *text)
{
	return error_hint(error_new(ERROR_USAGE, "--control: cannot read '%s'", text),
			  "use fd:COMMANDS[,ACKS] or fifo:COMMANDS[,ACKS]");
}

static struct error *parse_fds(struct control *control, const char *text)
{
	char *end;

	control->fd = (int)strtol(text, &end, 10);
	if (end == text || control->fd < 0)
		return bad(text);
	if (*end == ',') {
		const char *second = end + 1;

		control->ack_fd = (int)strtol(second, &end, 10);
		if (end == second || control->ack_fd < 0)
			return bad(text);
	}
	if (*end)
		return bad(text);
	if (fcntl(control->fd, F_GETFD) < 0 || (control->ack_fd >= 0 && fcntl(control->ack_fd, F_GETFD) < 0))
		return error_os(errno, "--control fd:%s", text);
	return NULL;
}

static struct error *open_fifos(struct control *control, const char *text)
{
	auto_free char *path = memory_strdup(text);
	char *ack = strchr(path, ',');

	if (ack)
		*ack++ = '\0';
	/* For reading and writing: it never says end-of-file when a writer leaves, nor waits for a reader. */
	control->owns = true;
	control->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (control->fd < 0)
		return error_os(errno, "--control: open %s", path);
	if (ack)
		control->ack_fd = open(ack, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return ack && control->ack_fd < 0 ? error_os(errno, "--control: open %s", ack) : NULL;
}

struct error *control_open(const char *text, struct control **ret)
{
	cleanup(control_guard) struct control *control = memory_zeroed(1, sizeof(*control));
	struct error *err;

	control->fd = control->ack_fd = -1;
	if (text_starts_with(text, "fd:"))
		err = parse_fds(control, text + strlen("fd:"));
	else if (text_starts_with(text, "fifo:"))
		err = open_fifos(control, text + strlen("fifo:"));
	else
		err = bad(text);
	if (err)
		return err;
	*ret = take(control);
	return NULL;
}

int control_fd(const struct control *control)
{
	return control->fd;
}

void control_read(struct control *control)
{
	char bytes[512];
	ssize_t got = read(control->fd, bytes, sizeof(bytes));

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		if (control->owns)
			close(control->fd);
		control->fd = -1;
		return;
	}
	text_append_bytes(&control->waiting, bytes, (size_t)got);
	if (control->waiting.length > LINE_MAX_BYTES && !strchr(control->waiting.bytes, '\n'))
		text_clear(&control->waiting);
}

static const struct {
	const char *word;
	enum control_verb verb;
	bool takes_name;
} verbs[] = {
	{ "enable", CONTROL_ENABLE, true },	{ "disable", CONTROL_DISABLE, true }, { "clear", CONTROL_CLEAR, false },
	{ "snapshot", CONTROL_SNAPSHOT, false }, { "ping", CONTROL_PING, false },      { "evlist", CONTROL_EVENTS, false },
	{ "stop", CONTROL_STOP, false },
};

static bool parse_line(char *line, struct control_command *ret)
{
	char *word = strsep(&line, " \t");

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(word, verbs[i].word) || (line && !verbs[i].takes_name))
			continue;
		*ret = (struct control_command){ verbs[i].verb, line };
		return true;
	}
	if (*word)
		log_warning("--control: unknown command '%s'", word);
	return false;
}

/* The next line into control->line; false: none is complete. */
static bool take_line(struct control *control)
{
	char *end = control->waiting.length ? memchr(control->waiting.bytes, '\n', control->waiting.length) : NULL;

	if (!end)
		return false;

	size_t length = (size_t)(end - control->waiting.bytes);

	free(control->line);
	control->line = memory_strndup(control->waiting.bytes, length);
	memmove(control->waiting.bytes, end + 1, control->waiting.length - length - 1);
	control->waiting.length -= length + 1;
	return true;
}

bool control_next(struct control *control, struct control_command *ret)
{
	while (take_line(control)) {
		if (parse_line(control->line, ret))
			return true;
	}
	return false;
}

void control_acknowledge(struct control *control, const char *text)
{
	auto_text struct text all = { 0 };

	if (control->ack_fd < 0)
		return;
	text_append(&all, text);
	/* perf ends its own with a NUL too; who reads lines does not see it. */
	text_append_bytes(&all, "ack\n", 5);
	if (write(control->ack_fd, all.bytes, all.length) < 0)
		log_warning("--control: cannot acknowledge: %s", strerror(errno));
}

void control_destroy(struct control *control)
{
	if (!control)
		return;
	if (control->owns) {
		close_guard(&control->fd);
		close_guard(&control->ack_fd);
	}
	text_release(&control->waiting);
	free(control->line);
	free(control);
}
