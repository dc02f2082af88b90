/* The lines of a report view: entries in order, each followed by what is open of its call tree. */
#ifndef TUI_REPORT_LINES_H
#define TUI_REPORT_LINES_H

#include "output/report.h"
#include "profile/call_tree.h"

struct report_line {
	uint32_t entry;   /* entry number */
	uint32_t node;    /* of its tree; 0: the entry itself */
	uint32_t opens;   /* node whose children it opens and closes; 0: the entry's */
	uint32_t level;   /* 0: the entry */
	uint64_t of;      /* fractal shares are of that period */
	bool has_children, is_open;
	bool is_branch;   /* shows its share: not the only way on */
};

struct report_lines {
	struct entries *entries;         /* borrowed */
	const struct report_view *view;  /* borrowed */
	struct branch *branches;         /* [entries->count] */
	struct report_line *items;
	size_t count, capacity;
	bool opens_all;
};

void report_lines_init(struct report_lines *lines, struct entries *entries, const struct report_view *view);
/* Make the lines anew from what is open. */
void report_lines_build(struct report_lines *lines);
/* Open or close what a line stands over; build is the caller's. */
void report_lines_open(struct report_lines *lines, size_t line, bool open);
/* Everything of the line's entry. */
void report_lines_open_all(struct report_lines *lines, size_t line);
void report_lines_close_all(struct report_lines *lines);
/* The line that a line hangs under, or itself. */
size_t report_lines_parent(const struct report_lines *lines, size_t line);
const struct call_node *report_lines_node(const struct report_lines *lines, const struct report_line *line);
void report_lines_release(struct report_lines *lines);

#endif
