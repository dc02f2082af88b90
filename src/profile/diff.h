/* Two profiles compared function by function: paired across builds, in absolute cost, with the noise of each row. */
#ifndef PROFILE_DIFF_H
#define PROFILE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "profile/pairing.h"
#include "stats/interval.h"

/* One side: what one build's functions cost in each of its runs. Arrays are [item][run], item outermost; borrowed. */
struct diff_side {
	const char *label;            /* "old.data", "3 files of before/" */
	const struct pair_item *items;
	size_t item_count;
	const double *events;         /* events a function stood for: the sum of its samples' periods */
	const double *samples;
	size_t run_count;
};

struct diff_setup {
	struct pairing_setup pairing;
	bool paired_runs;      /* run i of A and run i of B were one block */
	double alpha;          /* false discovery rate of the marked rows: 0.05 */
	double overdispersion; /* --phi: variance over Poisson for one run a side; 1: sampling noise alone */
	double operations[2];  /* units of work a run, to divide by; 0: none given */
	double minimum_samples; /* of both sides: fewer are not tested: 10 */
};

/* One row. Events are means a run (or a unit of work). */
struct diff_row {
	const struct pair *pair;
	double a, b;
	double a_samples, b_samples;     /* over all runs */
	double difference;               /* b - a */
	struct interval difference_interval; /* at 1 - alpha; FCR-adjusted for marked rows; NaN: unknown */
	double ratio;                    /* b / a; infinite or NaN without a baseline */
	struct interval ratio_interval;
	double a_share, b_share;         /* of the side's total */
	double p, q;                     /* NaN: not tested */
	bool marked;                     /* q <= alpha */
	double samples_needed;           /* about this many a side would settle a change of this size; 0: settled or tiny */
	size_t probably_inlined_into;    /* row that grew by what this one lost; SIZE_MAX: none */
};

/* How much functions whose code is the same in both builds moved: the noise of the comparison. */
struct diff_control {
	size_t functions;                /* with enough samples to say */
	double median_ratio;             /* 1: they did not move */
	double spread;                   /* scaled MAD of the log ratios */
	double expected_spread;          /* what sampling alone would give */
	struct interval range;           /* smallest and largest ratio */
};

struct diff_totals {
	double a, b;                     /* events a run, all rows */
	double a_samples, b_samples;
	struct interval difference_interval; /* of b - a */
	double marked_difference;        /* sum over marked rows */
	size_t tested, not_tested, marked;
};

struct diff;

/* Errors: ERROR_USAGE when a side has no runs. Both sides are borrowed until the diff is destroyed. */
must_use struct error *diff_create(const struct diff_side *a, const struct diff_side *b,
				   const struct diff_setup *setup, struct diff **ret);
/* By falling |difference|. Borrowed. */
size_t diff_rows(const struct diff *diff, const struct diff_row **ret);
const struct diff_totals *diff_totals(const struct diff *diff);
const struct diff_control *diff_control(const struct diff *diff);
const struct diff_side *diff_side(const struct diff *diff, size_t side);
void diff_destroy(struct diff *diff);
DEFINE_GUARD(diff)

#endif
