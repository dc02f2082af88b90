/* Where a difference in time comes from: instructions, cycles for each of them, frequency, waiting. */
#ifndef AB_CAUSE_H
#define AB_CAUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "runs/runs.h"
#include "stats/interval.h"

enum cause_term {
	CAUSE_INSTRUCTIONS, /* instructions */
	CAUSE_CPI,          /* cycles / instructions: 1 / IPC */
	CAUSE_CYCLES,       /* cycles, where instructions were not counted */
	CAUSE_FREQUENCY,    /* CPU time / cycles */
	CAUSE_CPU_TIME,     /* CPU time, where cycles were not counted */
	CAUSE_WAITING,      /* wall time / CPU time */
	CAUSE_TERMS,
};

/* What happened beside it, not a part of the sum: counts a run. */
enum cause_beside { CAUSE_SWITCHES, CAUSE_MINOR_FAULTS, CAUSE_MAJOR_FAULTS, CAUSE_BESIDE };

struct cause_part {
	bool is_known;
	double effect;            /* log ratio; beside: mean difference a run */
	struct interval interval; /* of effect */
};

/* total.effect is the sum of the known terms' effects, exactly: means of per-block logarithms. */
struct cause {
	size_t arm;
	const char *condition;
	const char *total_name; /* "wall", or "cycles" when only these were counted together */
	size_t blocks;
	struct cause_part total;
	struct cause_part terms[CAUSE_TERMS];
	struct cause_part beside[CAUSE_BESIDE];
};

const char *cause_term_name(enum cause_term term);     /* "instructions", "cycles per instruction", ... */
const char *cause_beside_name(enum cause_beside beside); /* "context switches", ... */

/* Of arm against the first one. blocks is 0 when no block has all the events. */
struct cause cause_find(const struct runs *runs, size_t arm, const char *condition, double level);

#endif
