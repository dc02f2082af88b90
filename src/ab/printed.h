/* Numbers that a command prints: --metric 'rps=/requests\/s: ([0-9.]+)/;good=higher'. */
#ifndef AB_PRINTED_H
#define AB_PRINTED_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct printed {
	char *name;
	regex_t pattern;
	bool higher_is_better;
};

struct printed_list {
	struct printed *items;
	size_t count, capacity;
};

/* Errors: ERROR_USAGE: no name, no /…/, a bad expression, no (…) in it, an unknown word after ";". */
must_use struct error *printed_list_add(struct printed_list *list, const char *text);
/* The number in the last match of its (…), NaN when there is none. */
double printed_find(const struct printed *printed, const char *output);
void printed_list_release(struct printed_list *list);

#endif
