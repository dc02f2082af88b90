/* One function instruction by instruction: what each cost, and where in the source it comes from. */
#ifndef PROFILE_ANNOTATION_H
#define PROFILE_ANNOTATION_H

#include "base/error.h"
#include "profile/resolve.h"
#include "symbol/disassembly.h"

/* A function that samples fell into, in all events together. */
struct hot_function {
	uint32_t place;
	size_t first, row_count; /* in hot_functions.rows */
	uint64_t samples, period;
};

/* All of them, most samples first; places without symbol are left out. */
struct hot_functions {
	struct resolver *resolver; /* borrowed */
	struct hot_function *items;
	size_t count;
	uint32_t *rows;            /* of the profile, those of one function together */
};

struct hot_functions *hot_functions_create(struct resolver *resolver);
void hot_functions_destroy(struct hot_functions *functions);
DEFINE_GUARD(hot_functions)

/* One instruction. */
struct annotated {
	const struct instruction *instruction;
	const struct frame *frames; /* innermost first; at least one. As long as the symbolizer */
	size_t frame_count;
	size_t jump;                /* where it jumps within the function: index; SIZE_MAX: nowhere */
};

/* One column: an event with samples in the function. */
struct annotated_event {
	size_t event;               /* of the profile */
	const char *name;
	struct row_total function, whole; /* of this function's instructions; of all samples of the event */
};

struct annotation {
	const struct function *function;
	struct binary *binary;
	const char *object;         /* short name */
	struct annotated *items;
	size_t count;
	struct annotated_event *events;
	size_t event_count;
	struct row_total *totals;   /* [count][event_count] */
	struct disassembly *disassembly;
};

/**
 * Annotate one of the functions; the profile needs rows by site alone.
 *
 * The resolver's symbolizer must find lines for the frames to have them.
 * Errors: those of disassembly_create(), saying why the code is not there.
 */
must_use struct error *annotation_create(const struct hot_functions *functions, const struct hot_function *function,
					 const struct disassembly_setup *setup, struct annotation **ret);
static inline const struct row_total *annotation_totals(const struct annotation *annotation, size_t item)
{
	return annotation->totals + item * annotation->event_count;
}
/* Why there is no code of a function, and what would mend it. binary: may be NULL. Takes and returns err. */
must_use struct error *annotation_missing(struct binary *binary, const char *object, const char *name, struct error *err);
/* True when the innermost function or the source line differs from the item before. */
bool annotation_changes_body(const struct annotation *annotation, size_t item);
bool annotation_changes_line(const struct annotation *annotation, size_t item);
void annotation_destroy(struct annotation *annotation);
DEFINE_GUARD(annotation)

/* What a source line cost over all instructions that come from it. */
struct annotated_line {
	const char *file;           /* path */
	uint32_t line;
	struct row_total total;
};

/* Lines with samples of one event (its column), by falling period; an array the caller frees. */
size_t annotation_lines(const struct annotation *annotation, size_t column, struct annotated_line **ret);

#endif
