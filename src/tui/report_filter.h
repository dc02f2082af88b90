/* Filters of a report view: the selected line's thread, object or function alone, and back. */
#ifndef TUI_REPORT_FILTER_H
#define TUI_REPORT_FILTER_H

#include "profile/entry.h"
#include "tui/tui.h"

/* What the user's options let pass, and the one name that a key put in their stead; NULL: none. */
struct report_filter {
	struct entry_filter chosen;
	const char *comm, *object, *symbol;
	struct intern *names; /* owns them: the recording may go */
};

/* The selected line. */
struct filter_choice {
	struct resolver *resolver;
	struct entry_filter *filter; /* set to what is to pass; points into the report_filter */
	bool has_line;               /* else filters can only be lifted */
	size_t row;
	uint32_t place;
};

void report_filter_init(struct report_filter *filter, const struct entry_filter *chosen);
/* Set or lift what the request is for. False, and said why, when the line has no such name. filter must stay where it
 * is. */
bool report_filter_toggle(struct report_filter *filter, enum request request, const struct filter_choice *choice,
			  struct tui *tui);
/* The same on what other entries are made by. */
void report_filter_apply(const struct report_filter *filter, struct entry_filter *ret);
void report_filter_release(struct report_filter *filter);
/* Append ", Thread: sh" and the like, escaped. */
void report_filter_describe(const struct report_filter *filter, struct text *out);

#endif
