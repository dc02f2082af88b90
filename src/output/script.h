/* Samples as lines, in perf script's form. */
#ifndef OUTPUT_SCRIPT_H
#define OUTPUT_SCRIPT_H

#include <stdint.h>

#include "base/text.h"
#include "profile/resolve.h"

enum script_field {
	SCRIPT_COMM = 1 << 0, SCRIPT_PID = 1 << 1, SCRIPT_TID = 1 << 2, SCRIPT_CPU = 1 << 3, SCRIPT_TIME = 1 << 4,
	SCRIPT_PERIOD = 1 << 5, SCRIPT_EVENT = 1 << 6, SCRIPT_ADDR = 1 << 7, SCRIPT_WEIGHT = 1 << 8,
	SCRIPT_IP = 1 << 9, SCRIPT_SYM = 1 << 10, SCRIPT_SYMOFF = 1 << 11, SCRIPT_DSO = 1 << 12,
	SCRIPT_SRCLINE = 1 << 13, SCRIPT_PHYS_ADDR = 1 << 14,
};

struct script_view {
	uint32_t fields;      /* enum script_field */
	bool chains;          /* a line for each frame */
	size_t event_width;   /* of the longest event name */
};

struct script_writer;

struct script_writer *script_writer_create(const struct script_view *view);
/* Append one sample. resolver may still grow; comm is the task's name. */
struct script_line {
	const struct profile_sample *given;
	const char *comm;
	const struct profile_event *event;
};
void script_append(struct script_writer *writer, struct resolver *resolver, const struct script_line *line,
		   struct text *out);
/* Append comm, tid, cpu and time as lines of samples begin. */
void script_append_lead(const struct script_view *view, const struct script_line *line, uint64_t time_ns,
			struct text *out);
void script_writer_destroy(struct script_writer *writer);
DEFINE_GUARD(script_writer)

/* Aggregated chains, "comm;outermost;…;innermost COUNT" a line, for flame graphs. */
void script_folded(const struct profile *profile, struct resolver *resolver, bool periods, struct text *out);

#endif
