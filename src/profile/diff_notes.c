/* What else a diff says: how noisy it is by its own control, what is unsettled, what was probably inlined. */
#include "profile/diff_table.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/poisson_pair.h"

enum { CONTROL_SAMPLES = 30 }; /* a side: below, sampling alone makes the ratio say nothing */

static const double normal_mad = 1.4826; /* scales a MAD to a standard deviation */

static bool is_control(const struct diff_row *row)
{
	return row->pair->code == CODE_IDENTICAL && row->a_samples >= CONTROL_SAMPLES &&
	       row->b_samples >= CONTROL_SAMPLES;
}

static void measure_control(struct diff *diff)
{
	auto_free double *logs = memory_zeroed(diff->row_count, sizeof(double));
	auto_free double *noise = memory_zeroed(diff->row_count, sizeof(double));
	size_t count = 0;

	for (size_t i = 0; i < diff->row_count; i++) {
		const struct diff_row *row = &diff->rows[i];

		if (!is_control(row))
			continue;
		logs[count] = log(row->ratio);
		noise[count++] = sqrt(1 / row->a_samples + 1 / row->b_samples);
	}
	diff->control = (struct diff_control){ .functions = count, .median_ratio = NAN, .spread = NAN };
	if (!count)
		return;

	auto_free double *sorted = descriptive_sorted(logs, count);

	diff->control.median_ratio = exp(descriptive_median(logs, count));
	diff->control.spread = normal_mad * descriptive_mad(logs, count);
	diff->control.expected_spread = descriptive_median(noise, count);
	diff->control.range = (struct interval){ exp(sorted[0]), exp(sorted[count - 1]), NAN };
}

/* A row is worth settling when it would matter: half a percent of the whole. */
static const double worth_settling = 0.005;

static void note_unsettled(struct diff *diff)
{
	for (size_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->rows[i];
		double needed = row->ratio > 0 && isfinite(row->ratio) ? poisson_pair_needed(row->ratio) : 0;

		if (row->marked || fabs(row->difference) < worth_settling * diff->totals.a)
			continue;
		if (isfinite(needed) && needed > fmin(row->a_samples, row->b_samples))
			row->samples_needed = ceil(needed);
	}
}

static double half_width(const struct diff_row *row)
{
	return (row->difference_interval.high - row->difference_interval.low) / 2;
}

static const char *row_object(const struct diff *diff, const struct diff_row *row, size_t side)
{
	const size_t *items = side ? row->pair->b : row->pair->a;

	return diff->sides[side].items[items[0]].object;
}

/* The one row of the object that grew by what the gone row cost, within both intervals; SIZE_MAX when none or several. */
static size_t grown_row(const struct diff *diff, const struct diff_row *gone)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < diff->row_count; i++) {
		const struct diff_row *row = &diff->rows[i];

		if (!row->pair->a_count || !row->pair->b_count || row->pair->rule == PAIR_UNRESOLVED ||
		    strcmp(row_object(diff, row, 0), row_object(diff, gone, 0)) || row->difference < -gone->difference / 2 ||
		    fabs(row->difference + gone->difference) > half_width(row) + half_width(gone))
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

static void note_inlined(struct diff *diff)
{
	for (size_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->rows[i];

		if (row->pair->rule == PAIR_GONE && row->a_samples >= diff->setup.minimum_samples)
			row->probably_inlined_into = grown_row(diff, row);
	}
}

void diff_note_rows(struct diff *diff)
{
	measure_control(diff);
	note_unsettled(diff);
	note_inlined(diff);
}
