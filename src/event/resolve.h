/* Inside event/: one event's text to what it stands for, asking each source in turn. */
#ifndef EVENT_RESOLVE_H
#define EVENT_RESOLVE_H

#include "event/source.h"

/* roots: borrowed strings; copied otherwise. */
void event_machine_init(struct event_machine *machine, const struct event_roots *roots);
void event_machine_release(struct event_machine *machine);
/* "x86_64/skl", on a hybrid CPU "x86_64/adl_glc,x86_64/adl_grt"; borrowed from machine. */
const char *event_machine_cpu(struct event_machine *machine);

/* found: its modifiers are a group's, to which the text's are added; applied to every event of it. Errors as
 * event_list_add(). */
must_use struct error *event_resolve(struct event_machine *machine, const char *text, struct event_found *found);
/* The same without aliases, which stand for events, not for each other. */
must_use struct error *event_resolve_direct(struct event_machine *machine, const char *text,
					    struct event_found *found);

#endif
