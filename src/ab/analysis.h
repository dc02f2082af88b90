/* From runs to results: every metric of every arm against the first arm, with intervals and verdicts.
 *
 *	struct analysis *analysis = NULL;
 *	err = analysis_create(runs, &options, &analysis);
 *	for (i = 0; i < analysis->comparison_count; i++) ... analysis->comparisons[i]
 *	*status = analysis->exit_status;
 *
 * The same runs and options always give the same result. */
#ifndef AB_ANALYSIS_H
#define AB_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "ab/cause.h"
#include "ab/diagnostics.h"
#include "ab/machine_effects.h"
#include "ab/machines.h"
#include "ab/quantity.h"
#include "ab/verdict.h"
#include "base/error.h"
#include "runs/runs.h"
#include "stats/interval.h"
#include "stats/paired.h"
#include "stats/variance_components.h"

struct threshold {
	const char *metric;
	double delta; /* 0.01 is 1 % */
};

/* Zeroed is fine: gate on wall, 5 %, no looks. Everything is borrowed for the life of the analysis. */
struct analysis_options {
	double alpha;                  /* 0: 0.05 */
	const char *const *gates;      /* names; none: "wall" */
	size_t gate_count;
	const struct threshold *thresholds;
	size_t threshold_count;
	const char *const *higher;     /* metrics of which more is better */
	size_t higher_count;
	const struct derived_metric *derived;
	size_t derived_count;
	double look_alpha;             /* alpha of this look (stats/sequential.h); 0: alpha */
	bool gate_on_mean;             /* --estimand=mean: the ratio of means with Fieller's interval decides */
	bool assume_normal;            /* paired t from three blocks on */
	bool trust_sessions;           /* unpaired results may fail a gate */
	bool fail_on_any_worse, is_bisect;
};

/* One metric of one arm against the first arm, under one condition. A value that cannot be had is NaN. */
struct comparison {
	const struct quantity *quantity;
	size_t arm;                /* index into analysis->arms */
	const char *condition;     /* or NULL */
	bool is_gate, is_control;  /* control: same bytes and arguments as A, or the arm is A itself */
	bool is_paired;
	bool is_scaled;            /* some counts were on for part of their run only: cannot gate */
	bool is_identical;         /* every difference is zero */
	enum paired_mode mode;
	size_t blocks;             /* pairs used; for unpaired, the smaller side */
	size_t runs_a, runs_b;

	double mean_a, mean_b, median_a, median_b; /* in the quantity's unit */
	struct estimate typical;   /* Hodges-Lehmann: B/A, or B - A in difference mode */
	struct interval narrow;    /* of typical, at 1 - 2 alpha */
	struct estimate mean;      /* mean(B)/mean(A) with Fieller's (unpaired: Welch's) interval */
	struct estimate absolute;  /* Hodges-Lehmann of B - A in the quantity's unit, in either mode */
	bool means_disagree;       /* typical and mean apart by more than chance and threshold: rare slow runs */

	double alpha;              /* of typical.interval, after Bonferroni and the look */
	double p, p_holm, q;       /* exact two-sided; Holm over gates; Benjamini-Hochberg over the others */
	double p_equivalent;       /* two one-sided tests against the threshold */
	double limit;              /* the threshold on the scale of the differences */
	size_t minimum;            /* blocks needed for any statement at alpha */
	enum verdict verdict;
	bool not_worse, is_detectable; /* detectable: 1 (or 0) lies outside typical.interval */
	double blocks_needed;      /* about so many decide; NaN when decided */
	double smallest_change;    /* found with 80 % power: 0.012 is 1.2 %, or counts in difference mode */

	size_t flagged_blocks;     /* with steal, throttling, ... in a run */
	struct estimate unflagged; /* typical without them; NaN when none is flagged */
	enum verdict unflagged_verdict;

	size_t layouts;            /* per arm; 0 or 1: not nested. With more, the layout means decide */
	struct variance_components layout_a, layout_b; /* of log values (difference mode: values) */
	const struct machine_effects *machines; /* over several machines: they decide; else NULL */
	double run_p;              /* nested only: p of the runs taken as independent, for comparison; not valid */
};

struct analysis_arm {
	const char *name; /* borrowed */
	bool is_control;
	size_t void_runs;
};

struct analysis {
	struct arena *arena; /* owns what is below */
	struct quantity *quantities;
	size_t quantity_count;
	struct analysis_arm *arms;
	size_t arm_count;
	const char **conditions; /* NULL alone when there is none */
	size_t condition_count;
	struct comparison *comparisons; /* by condition, arm, metric */
	size_t comparison_count;
	struct diagnostic *diagnostics;
	size_t diagnostic_count;
	struct cause *causes;           /* one a compared arm and condition */
	size_t cause_count;
	size_t blocks, void_blocks;
	const struct machine_list *machines; /* borrowed; NULL for one machine or unpaired files */
	bool is_paired, is_same_program; /* same: every arm is the first one's bytes and arguments */
	int exit_status;                /* enum exit_status */
};

/* Arms of one experiment, paired by block. runs is borrowed until analysis_destroy().
 * Errors: ERROR_USAGE for fewer than two arms, an unknown gate, threshold or metric name. */
must_use struct error *analysis_create(const struct runs *runs, const struct analysis_options *options,
				       struct analysis **ret);

/* One side of an unpaired comparison: an arm of a file. */
struct analysis_sample {
	const struct runs *runs;
	size_t arm;
	const char *name;
};

/* Samples that were not interleaved, each against the first. Errors: as above; ERROR_USAGE when they share nothing. */
must_use struct error *analysis_create_unpaired(const struct analysis_sample *samples, size_t count,
						const struct analysis_options *options, struct analysis **ret);
/* Parts of one experiment, paired by block inside each machine, with the machine as random effect. list is borrowed.
 * Errors: as analysis_create(). */
must_use struct error *analysis_create_machines(const struct machine_list *list,
						const struct analysis_options *options, struct analysis **ret);
void analysis_destroy(struct analysis *analysis);
DEFINE_GUARD(analysis)

/* Are all gates decided, so that a sequential experiment may stop at this look? */
bool analysis_is_decided(const struct analysis *analysis);
/* Half-width of the widest gate interval, 0.005 for 0.5 %, for a fixed-precision stop. */
double analysis_precision(const struct analysis *analysis);

#endif
