/* The inside of a diff: counts of each row in each run, on one scale for both sides. */
#ifndef PROFILE_DIFF_TABLE_H
#define PROFILE_DIFF_TABLE_H

#include "profile/diff.h"

struct diff {
	struct pairing *pairing;
	struct diff_side sides[2];
	struct diff_setup setup;
	double unit;             /* events that one count stands for: the larger mean period */
	double scale[2];         /* counts are scaled down to the smaller exposure */
	struct diff_row *rows;
	size_t row_count;
	double *counts[2];       /* [row][run] */
	struct diff_totals totals;
	struct diff_control control;
};

/* Replicates allow a test against run-to-run variation. */
bool diff_has_replicates(const struct diff *diff);
/* Counts of one row in each run of a side. */
const double *diff_counts(const struct diff *diff, size_t side, size_t row);

/* Fill p, q, marked and the intervals of every row, and the totals' interval. */
void diff_test_rows(struct diff *diff);
/* Fill the control, the samples that unsettled rows need, and what was probably inlined where. */
void diff_note_rows(struct diff *diff);

#endif
