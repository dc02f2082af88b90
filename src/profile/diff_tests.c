/* Is a row's change more than noise? Moderated t over runs; with one run a side, the conditional binomial. */
#include "profile/diff_table.h"

#include <math.h>

#include "base/memory.h"
#include "stats/adjust.h"
#include "stats/descriptive.h"
#include "stats/distribution.h"
#include "stats/moderated.h"
#include "stats/poisson_pair.h"
#include "stats/quasi_poisson.h"

/* A change on the variance-stabilised scale, and what its standard error becomes in events. */
struct change {
	struct moderated_row row;
	double count;           /* mean of both sides */
	double events_per_unit; /* d(events) / d(transformed difference) */
	double expected;        /* variance that the trend gives a row of this count */
};

/* Below this many rows a trend cannot be told from chance, and all rows share one prior variance. */
enum { TREND_ROWS = 30, TREND_STEPS = 30 };

static bool testable(const struct diff *diff, const struct diff_row *row)
{
	return row->a_samples + row->b_samples >= diff->setup.minimum_samples && row->a_samples + row->b_samples > 0;
}

static double *transformed(const double *counts, size_t count)
{
	double *values = memory_zeroed(count, sizeof(*values));

	for (size_t i = 0; i < count; i++)
		values[i] = moderated_freeman_tukey(counts[i]);
	return values;
}

static struct moderated_row paired_row(const double *a, const double *b, size_t count)
{
	auto_free double *differences = memory_zeroed(count, sizeof(double));

	for (size_t i = 0; i < count; i++)
		differences[i] = b[i] - a[i];
	return (struct moderated_row){
		.estimate = descriptive_mean(differences, count),
		.variance = descriptive_variance(differences, count),
		.df = (double)count - 1,
		.unscaled = 1 / (double)count,
	};
}

static struct moderated_row unpaired_row(const double *a, size_t a_count, const double *b, size_t b_count)
{
	double m = (double)a_count, n = (double)b_count, df = m + n - 2;

	return (struct moderated_row){
		.estimate = descriptive_mean(b, b_count) - descriptive_mean(a, a_count),
		.variance = ((m - 1) * descriptive_variance(a, a_count) + (n - 1) * descriptive_variance(b, b_count)) /
			    df,
		.df = df,
		.unscaled = 1 / m + 1 / n,
	};
}

/* Of a transformed value, or of a difference of two. */
static double poisson_variance(const struct diff *diff)
{
	return diff->setup.paired_runs ? MODERATED_POISSON_FLOOR : MODERATED_POISSON_FLOOR / 2.0;
}

/* Events of a unit of work that one count is: counts were scaled to the side that did less. */
static double counts_to_events(const struct diff *diff)
{
	double work = fmin(diff->setup.operations[0], diff->setup.operations[1]);

	return diff->unit / (work > 0 ? work : 1);
}

/* b - a = (FT(b) - FT(a)) (sqrt a + sqrt b) / 2, and FT is about twice the square root. */
static double events_per_unit(const struct diff *diff, double a, double b)
{
	return (a + b) / 4 * counts_to_events(diff);
}

static struct change measure_change(const struct diff *diff, size_t index)
{
	size_t m = diff->sides[0].run_count, n = diff->sides[1].run_count;
	auto_free double *a = transformed(diff_counts(diff, 0, index), m);
	auto_free double *b = transformed(diff_counts(diff, 1, index), n);

	return (struct change){
		.row = diff->setup.paired_runs ? paired_row(a, b, m) : unpaired_row(a, m, b, n),
		.count = (descriptive_mean(diff_counts(diff, 0, index), m) +
			  descriptive_mean(diff_counts(diff, 1, index), n)) / 2,
		.expected = poisson_variance(diff),
		.events_per_unit = events_per_unit(diff, descriptive_mean(a, m), descriptive_mean(b, n)),
	};
}

/* Runs vary by a share of a row's cost, so on the transformed scale the variance of big rows exceeds Poisson's in
 * proportion to their count: floor (1 + phi count). phi by regression of the variances on the counts, weighted by what
 * it says of their own spread. */
static double trend_slope(const struct diff *diff, const struct change *changes)
{
	double floor = poisson_variance(diff), phi = 0;

	for (size_t step = 0; step < TREND_STEPS; step++) {
		double above = 0, below = 0;

		for (size_t i = 0; i < diff->row_count; i++) {
			double count = changes[i].count, weight = 1 / (1 + phi * count);

			if (!testable(diff, &diff->rows[i]))
				continue;
			above += weight * weight * count * (changes[i].row.variance / floor - 1);
			below += weight * weight * count * count;
		}
		phi = below > 0 ? fmax(above / below, 0) : 0;
	}
	return phi;
}

static size_t testable_rows(const struct diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->row_count; i++)
		count += testable(diff, &diff->rows[i]);
	return count;
}

static void expect_trend(const struct diff *diff, struct change *changes)
{
	double phi = testable_rows(diff) >= TREND_ROWS ? trend_slope(diff, changes) : 0;

	for (size_t i = 0; i < diff->row_count; i++)
		changes[i].expected *= 1 + phi * changes[i].count;
}

/* The prior of variances over what the trend expects. */
static struct variance_prior common_prior(const struct diff *diff, const struct change *changes)
{
	auto_free double *variances = memory_zeroed(diff->row_count, sizeof(double));
	size_t count = 0;

	for (size_t i = 0; i < diff->row_count; i++)
		if (testable(diff, &diff->rows[i]))
			variances[count++] = changes[i].row.variance / changes[i].expected;
	return moderated_prior(variances, count, changes[0].row.df);
}

static struct moderated test_change(const struct diff *diff, const struct change *change,
				    const struct variance_prior *prior)
{
	struct variance_prior own = { prior->df, prior->variance * change->expected, prior->pooled_df };

	return moderated_test(&change->row, &own, poisson_variance(diff));
}

static double quantile_of(double level, double df)
{
	return t_quantile(0.5 + level / 2, df);
}

static struct interval around(double middle, double half, double level)
{
	return (struct interval){ middle - half, middle + half, level };
}

static void set_replicate_intervals(const struct diff *diff, size_t index, const struct change *change,
				    const struct moderated *test, double level)
{
	struct diff_row *row = &diff->rows[index];
	const struct two_samples counts = {
		diff_counts(diff, 0, index), diff_counts(diff, 1, index),
		diff->sides[0].run_count, diff->sides[1].run_count,
	};
	struct quasi_poisson fit = quasi_poisson_fit(&counts);

	row->difference_interval = around(row->difference,
					  quantile_of(level, test->df) * test->standard_error * change->events_per_unit,
					  level);
	row->ratio_interval = quasi_poisson_interval(&fit, level);
}

/* Adjust the p-values, mark rows; returns the level for the intervals of marked rows. */
static double mark_rows(struct diff *diff)
{
	auto_free double *p = memory_zeroed(diff->row_count, sizeof(double));
	auto_free double *q = memory_zeroed(diff->row_count, sizeof(double));
	struct diff_totals *totals = &diff->totals;

	for (size_t i = 0; i < diff->row_count; i++)
		p[i] = diff->rows[i].p;
	adjust_benjamini_hochberg(p, diff->row_count, q);
	for (size_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->rows[i];

		row->q = q[i];
		row->marked = q[i] <= diff->setup.alpha;
		totals->tested += !isnan(q[i]);
		totals->not_tested += isnan(q[i]);
		totals->marked += row->marked;
		totals->marked_difference += row->marked ? row->difference : 0;
	}
	return totals->marked ? adjust_selected_level(diff->setup.alpha, totals->marked, totals->tested)
			      : 1 - diff->setup.alpha;
}

static double interval_level(const struct diff *diff, const struct diff_row *row, double marked_level)
{
	return row->marked ? marked_level : 1 - diff->setup.alpha;
}

/* What all rows cost in each run, in counts; the caller frees. */
static double *run_totals(const struct diff *diff, size_t side)
{
	size_t runs = diff->sides[side].run_count;
	double *sums = memory_zeroed(runs, sizeof(*sums));

	for (size_t i = 0; i < diff->row_count; i++)
		for (size_t run = 0; run < runs; run++)
			sums[run] += diff_counts(diff, side, i)[run];
	return sums;
}

static double totals_half_width(const struct diff *diff)
{
	size_t m = diff->sides[0].run_count, n = diff->sides[1].run_count;
	auto_free double *a = run_totals(diff, 0), *b = run_totals(diff, 1);
	struct moderated_row row = diff->setup.paired_runs ? paired_row(a, b, m) : unpaired_row(a, m, b, n);
	double half = quantile_of(1 - diff->setup.alpha, row.df) * sqrt(row.variance * row.unscaled);

	return half * counts_to_events(diff);
}

static void test_replicates(struct diff *diff)
{
	auto_free struct change *changes = memory_zeroed(diff->row_count, sizeof(*changes));
	auto_free struct moderated *tests = memory_zeroed(diff->row_count, sizeof(*tests));

	for (size_t i = 0; i < diff->row_count; i++)
		changes[i] = measure_change(diff, i);

	expect_trend(diff, changes);

	struct variance_prior prior = common_prior(diff, changes);

	for (size_t i = 0; i < diff->row_count; i++) {
		tests[i] = test_change(diff, &changes[i], &prior);
		if (testable(diff, &diff->rows[i]))
			diff->rows[i].p = tests[i].p;
	}

	double level = mark_rows(diff);

	for (size_t i = 0; i < diff->row_count; i++)
		set_replicate_intervals(diff, i, &changes[i], &tests[i], interval_level(diff, &diff->rows[i], level));
	diff->totals.difference_interval = around(diff->totals.b - diff->totals.a, totals_half_width(diff),
						  1 - diff->setup.alpha);
}

/* One run a side: samples with the exposure that makes their rates events a unit of work. */
static struct poisson_pair sample_pair(const struct diff *diff, const struct diff_row *row)
{
	double exposure[2];

	for (size_t side = 0; side < 2; side++) {
		double events = side ? diff->totals.b : diff->totals.a;
		double samples = side ? diff->totals.b_samples : diff->totals.a_samples;

		exposure[side] = events > 0 ? samples / events : 1 / diff->unit;
	}
	return (struct poisson_pair){ row->a_samples, row->b_samples, exposure[0], exposure[1] };
}

/* p as if the variance were phi times Poisson's. */
static double overdispersed(double p, double phi)
{
	return phi == 1 || p >= 1 ? p : 2 * normal_cdf(normal_quantile(p / 2) / sqrt(phi));
}

static double widen(double bound, double middle, double phi)
{
	return phi > 1 && bound > 0 && middle > 0 && isfinite(bound) && isfinite(middle) ? middle * pow(bound / middle, sqrt(phi)) : bound;
}

/* The difference that a ratio means when the sum of both sides is given. */
static double difference_at(const struct diff_row *row, double ratio)
{
	double sum = row->a + row->b;

	return isinf(ratio) ? sum : sum * (ratio - 1) / (ratio + 1);
}

static void set_pair_intervals(const struct diff *diff, struct diff_row *row, double level)
{
	struct poisson_pair pair = sample_pair(diff, row);
	double middle = poisson_pair_ratio(&pair), phi = diff->setup.overdispersion;
	struct interval ratio = poisson_pair_interval(&pair, level);

	/* In frequency mode a row's own mean period differs a little from its side's: centre on the row's ratio. */
	double shift = middle > 0 && isfinite(middle) && row->ratio > 0 ? row->ratio / middle : 1;

	ratio.low = widen(ratio.low, middle, phi) * shift;
	ratio.high = widen(ratio.high, middle, phi) * shift;
	row->ratio_interval = ratio;
	row->difference_interval = (struct interval){ difference_at(row, ratio.low), difference_at(row, ratio.high),
						      ratio.level };
}

static void test_pairs(struct diff *diff)
{
	struct diff_totals *totals = &diff->totals;
	double phi = diff->setup.overdispersion;

	for (size_t i = 0; i < diff->row_count; i++) {
		struct poisson_pair pair = sample_pair(diff, &diff->rows[i]);

		if (testable(diff, &diff->rows[i]))
			diff->rows[i].p = overdispersed(poisson_pair_p(&pair), phi);
	}

	double level = mark_rows(diff);

	for (size_t i = 0; i < diff->row_count; i++)
		if (testable(diff, &diff->rows[i]))
			set_pair_intervals(diff, &diff->rows[i], interval_level(diff, &diff->rows[i], level));

	double a = totals->a_samples > 0 ? totals->a * totals->a / totals->a_samples : 0;
	double b = totals->b_samples > 0 ? totals->b * totals->b / totals->b_samples : 0;

	totals->difference_interval = around(totals->b - totals->a,
					     -normal_quantile(diff->setup.alpha / 2) * sqrt(phi * (a + b)),
					     1 - diff->setup.alpha);
}

void diff_test_rows(struct diff *diff)
{
	if (!diff->row_count)
		return;
	if (diff_has_replicates(diff))
		test_replicates(diff);
	else
		test_pairs(diff);
}
