/* What looks wrong with the runs of a comparison. Warns, never changes data. */
#ifndef AB_DIAGNOSTICS_H
#define AB_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "ab/quantity.h"
#include "runs/runs.h"

struct arena;

enum diagnostic_kind {
	DIAGNOSTIC_OUTLIERS, DIAGNOSTIC_DRIFT, DIAGNOSTIC_AUTOCORRELATION, DIAGNOSTIC_ORDER, DIAGNOSTIC_CARRY_OVER,
	DIAGNOSTIC_TWO_MODES, DIAGNOSTIC_SPREAD, DIAGNOSTIC_MEANS_DISAGREE, DIAGNOSTIC_COARSE, DIAGNOSTIC_SCALED,
	DIAGNOSTIC_NOT_COUNTED, DIAGNOSTIC_OUTPUT_DIFFERS, DIAGNOSTIC_VOID, DIAGNOSTIC_FLAGGED,
	DIAGNOSTIC_ONE_BUILD, DIAGNOSTIC_SAME_PROGRAM, DIAGNOSTIC_SESSIONS, DIAGNOSTIC_CONTROL_FAILED,
	DIAGNOSTIC_CONDITIONS, DIAGNOSTIC_REPEATED, DIAGNOSTIC_MACHINES,
};

struct diagnostic {
	enum diagnostic_kind kind;
	bool is_warning;    /* else for information */
	const char *metric; /* or NULL: of all */
	const char *text;   /* one line, without the metric's name; names in it are escaped */
	double value, p;    /* the figure in the text and its p, NaN where there is none */
};

const char *diagnostic_name(enum diagnostic_kind kind); /* "two-modes" */

/* A growing list whose texts are the arena's; items is heap memory that the owner frees. */
struct diagnostic_list {
	struct arena *arena;
	struct diagnostic *items;
	size_t count, capacity;
};

void diagnostics_add(struct diagnostic_list *list, const struct diagnostic *about, const char *format, ...)
	printf_like(3, 4);

/* The values of one metric, runs of both arms: [count] in the order in which they ran. */
struct series {
	const struct quantity *quantity;
	const double *values;
	const struct run *const *runs;
	const char *const *arm_names; /* [2] */
	const unsigned char *arm;     /* 0 A, 1 B */
	size_t count;
	bool is_paired;               /* in blocks: order and carry-over can be judged */
	bool is_log;                  /* values are positive and compared as ratios */
};

/* Outliers, drift, autocorrelation, order, carry-over, two modes, spread, coarse values. */
void diagnostics_of_series(const struct series *series, struct diagnostic_list *list);
/* Outputs that differ between arms, void runs and flags; for the whole experiment. */
void diagnostics_of_runs(const struct runs *runs, struct diagnostic_list *list);

#endif
