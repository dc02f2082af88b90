/* What machines say of one comparison: each for itself, each CPU model, and all of them together. */
#ifndef AB_MACHINE_EFFECTS_H
#define AB_MACHINE_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ab/verdict.h"
#include "stats/interval.h"
#include "stats/random_effects.h"

/* What one machine, or several of one CPU model, say of a comparison. */
struct machine_effect {
	size_t of;                  /* index into machine_list.items, or .classes */
	size_t blocks, machines;
	struct estimate effect;     /* as comparison.typical; NaN when not measured there */
	double scaled, variance;    /* the same on the scale of differences, and its sampling variance */
	enum verdict verdict;       /* INSUFFICIENT: fewer than two blocks, or of a class fewer than two machines */
	bool is_better, is_worse;   /* its interval leaves no doubt */
};

/* A comparison over machines: each machine is one sample. */
struct machine_effects {
	struct random_effects fit;  /* on the scale of differences */
	struct interval next;       /* gates: for the true effect on a machine not tried, as comparison.typical */
	struct machine_effect *items, *classes;
	size_t count, class_count;
	size_t better, worse;       /* machines that leave no doubt */
};

#endif
