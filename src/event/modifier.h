/* Event modifiers: the letters after the last colon. */
#ifndef EVENT_MODIFIER_H
#define EVENT_MODIFIER_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

/* The levels and flags named; a group's are added to its members'. */
struct modifiers {
	bool user, kernel, hypervisor; /* u k h: none named counts all */
	bool guest, host;              /* G H */
	bool no_idle;                  /* I */
	unsigned precise;              /* p pp ppp */
	bool precise_max, pinned, exclusive, weak, sample_read; /* P D e W S */
	bool any;                      /* the event has some letter of its own, beside its group's */
};

/* Whether each of the length letters is a modifier (of none: true). */
bool modifiers_valid(const char *letters, size_t length);
/* Adds letters to what ret holds. Errors: ERROR_USAGE names a bad or repeated letter. */
must_use struct error *modifiers_parse(const char *letters, size_t length, struct modifiers *ret);
/* core: a PMU that can leave guests out; others are opened without exclude_guest. */
void modifiers_apply(const struct modifiers *modifiers, bool core, struct event *event);

#endif
