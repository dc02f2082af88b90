/* What stands between the slashes of an event: "event=0x3c,edge,name=x". */
#ifndef EVENT_TERMS_H
#define EVENT_TERMS_H

#include "event/source.h"

struct term {
	const char *name;
	const char *value; /* NULL: none was given */
};

struct terms {
	struct term *items; /* strings in the arena */
	size_t count, capacity;
};

/* Errors: ERROR_USAGE for an empty term or an open quote. */
must_use struct error *terms_parse(const char *text, size_t length, struct arena *arena, struct terms *ret);
void terms_release(struct terms *terms);

/* A whole number in any base of C. Errors: ERROR_USAGE names the term. */
must_use struct error *term_number(const struct term *term, uint64_t *ret);

/* Apply a term that every event knows: name, period, freq, config, config1, config2. *known: it was one. */
must_use struct error *term_apply(const struct term *term, struct event *event, struct event_found *found,
				  bool *known);

/* Where the terms of "head/terms/modifiers" stand. */
struct slashed {
	const char *head, *terms, *modifiers;
	size_t head_length, terms_length;
};

/* False when text has no two slashes. */
bool slashed_split(const char *text, struct slashed *ret);

#endif
