/* The fields of one run as the runs file names them. */
#include "runs/fields.h"

#include "runs/runs.h"

#define FIELD(name, type, member, absent) { name, type, offsetof(struct run, member), absent }

const struct run_field run_fields[] = {
	FIELD("arm", FIELD_U32, arm, -1),
	FIELD("block", FIELD_U32, block, -1),
	FIELD("position", FIELD_U32, position, 0),
	FIELD("void", FIELD_TEXT, void_why, 0),
	FIELD("status", FIELD_INT, status, 0),
	FIELD("cpu", FIELD_INT, cpu, -1),
	FIELD("padding_bytes", FIELD_U32, padding_bytes, 0),
	FIELD("layout", FIELD_U32, layout, 0),
	FIELD("condition", FIELD_TEXT, condition, 0),
	FIELD("start_ns", FIELD_U64, start_ns, 0),
	FIELD("wall_ns", FIELD_U64, wall_ns, 0),
	FIELD("user_ns", FIELD_U64, user_ns, 0),
	FIELD("sys_ns", FIELD_U64, sys_ns, 0),
	FIELD("foreign_ns", FIELD_U64, foreign_ns, 0),
	FIELD("peak_bytes", FIELD_U64, peak_bytes, 0),
	FIELD("minor_faults", FIELD_U64, minor_faults, 0),
	FIELD("major_faults", FIELD_U64, major_faults, 0),
	FIELD("voluntary_switches", FIELD_U64, voluntary_switches, 0),
	FIELD("involuntary_switches", FIELD_U64, involuntary_switches, 0),
	FIELD("output_hash", FIELD_HEX, output_hash, 0),
	{ .name = NULL },
};

const char *const run_flag_names[] = { "steal", "throttled", "foreign-load", "major-fault", "migrated",
				       "left-children", "changed-binary", NULL };
const char *const count_state_names[] = { "not-counted", "not-supported", "not-in-run", NULL };
