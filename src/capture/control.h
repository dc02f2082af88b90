/* Commands that steer a recording from outside, a line each: enable, disable, clear, snapshot, ping, stop. */
#ifndef CAPTURE_CONTROL_H
#define CAPTURE_CONTROL_H

#include <stdbool.h>

#include "base/error.h"

struct control;

enum control_verb {
	CONTROL_ENABLE,   /* argument: an event's name, or NULL for all */
	CONTROL_DISABLE,
	CONTROL_CLEAR,    /* drop the samples collected so far */
	CONTROL_SNAPSHOT, /* write what was collected so far to a file of its own */
	CONTROL_PING,
	CONTROL_EVENTS,   /* "evlist": names to the ack, a line each */
	CONTROL_STOP,
};

struct control_command {
	enum control_verb verb;
	const char *argument; /* borrowed until the next control_next() */
};

/* text: "fd:N[,ACK]", "fifo:PATH[,ACK]". Errors: ERROR_USAGE; ERROR_OS for a FIFO that cannot be opened. */
must_use struct error *control_open(const char *text, struct control **ret);
int control_fd(const struct control *control); /* to poll; -1 once the other end closed */
/* Read what is there. */
void control_read(struct control *control);
/* The next whole command; false: none. An unknown one is told as a warning and passed over. */
bool control_next(struct control *control, struct control_command *ret);
/* "ack", or text before it, to who asked for it. */
void control_acknowledge(struct control *control, const char *text);
void control_destroy(struct control *control);
DEFINE_GUARD(control)

#endif
