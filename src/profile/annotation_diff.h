/* One function in two builds: its instructions aligned, with the cost of each on both sides. */
#ifndef PROFILE_ANNOTATION_DIFF_H
#define PROFILE_ANNOTATION_DIFF_H

#include "profile/diff_gather.h"
#include "symbol/disassembly.h"

enum aligned_kind {
	ALIGNED_SAME,    /* the same instruction; what a linker fills in may differ */
	ALIGNED_CHANGED, /* the same operation with other operands */
	ALIGNED_REMOVED, /* only in A */
	ALIGNED_ADDED,   /* only in B */
};

/* Events a run, with the interval that sampling (one run) or the runs give. */
struct aligned_cost {
	double mean, samples; /* samples: over all runs */
	struct interval interval;
};

struct aligned_row {
	enum aligned_kind kind;
	const struct instruction *sides[2]; /* NULL: not there */
	struct aligned_cost costs[2];
	double difference;                  /* b - a */
	struct interval difference_interval; /* NaN: unknown */
	bool marked;                        /* q <= alpha among the function's instructions */
};

struct aligned_side {
	const char *label;
	const struct pair_item *item;       /* NULL: the function is not in this build */
	const struct function *function;
	struct disassembly *disassembly;
	size_t run_count;
	struct aligned_cost total;          /* of the shown instructions */
};

struct annotation_diff {
	enum pair_rule rule;
	struct aligned_side sides[2];
	struct aligned_row *rows;
	size_t count;
	size_t kinds[4];                    /* rows of each aligned_kind */
	double difference;                  /* of the totals */
	struct interval difference_interval;
};

struct annotation_diff_setup {
	struct gathering *sides[2];
	size_t events[2];
	const struct pair *pair;            /* of a diff of these sides: item numbers are the gathering's */
	struct disassembly_setup disassembly;
	struct diff_setup diff;             /* alpha, overdispersion, paired runs */
};

/* Of a row with several items a side (compiler clones) the one that cost most is shown. The gatherings must outlive it.
 * Errors: those of annotation_create(). */
must_use struct error *annotation_diff_create(const struct annotation_diff_setup *setup, struct annotation_diff **ret);
void annotation_diff_destroy(struct annotation_diff *diff);
DEFINE_GUARD(annotation_diff)

#endif
