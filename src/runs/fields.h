/* The fields of one run as the runs file names them: one table that writes and reads. */
#ifndef RUNS_FIELDS_H
#define RUNS_FIELDS_H

#include <stddef.h>
#include <stdint.h>

enum { RUNS_FORMAT_VERSION = 1 };

enum field_type { FIELD_U32, FIELD_U64, FIELD_INT, FIELD_TEXT, FIELD_HEX };

struct run_field {
	const char *name;
	enum field_type type;
	size_t offset;  /* in struct run */
	int64_t absent; /* the value that is not written, and read when absent */
};

extern const struct run_field run_fields[]; /* ends with a NULL name */

/* Names of enum run_flag, by bit, and of enum count_state but COUNT_OK. NULL ends each. */
extern const char *const run_flag_names[];
extern const char *const count_state_names[];

#endif
