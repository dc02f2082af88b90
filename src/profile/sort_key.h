/* Sort keys: what tells the entries of a report apart, and the columns that show it. */
#ifndef PROFILE_SORT_KEY_H
#define PROFILE_SORT_KEY_H

#include <regex.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "profile/resolve.h"

/* One row seen at one of its frames. */
struct key_source {
	struct resolver *resolver;
	size_t row;
	uint32_t site, place;
	const regex_t *parent; /* for the key parent; NULL: none matches */
};

enum key_kind {
	KEY_TEXT,    /* value is a const char *, interned; by name */
	KEY_PLACE,   /* value is a place number; by name, addresses without symbol last */
	KEY_NUMBER,  /* by size */
	KEY_ADDRESS, /* by size */
	KEY_TASK,    /* value is pid or tid << 32 | number of a text; by size */
};

struct sort_key {
	const char *name, *header;
	uint32_t row_fields;
	enum key_kind kind;
	uint64_t (*value)(const struct key_source *source);
};

const struct sort_key *sort_key_find(const char *name, size_t length); /* or NULL */
/* "comm,dso,sym" to keys; ret is an array the caller frees. Errors: ERROR_USAGE. */
must_use struct error *sort_keys_parse(const char *text, const struct sort_key ***ret, size_t *count);

/* Append what the column shows, escaped. */
void sort_key_append(const struct sort_key *key, struct resolver *resolver, uint64_t value, struct text *out);
/* Below 0: a stands above b among entries of equal cost. */
int sort_key_compare(const struct sort_key *key, const struct resolver *resolver, uint64_t a, uint64_t b);

/* Append "[.] name" or "[.] 0x…". */
void place_append(const struct resolver *resolver, uint32_t place, struct text *out);

#endif
