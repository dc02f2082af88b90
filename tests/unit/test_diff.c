#include "profile/diff.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "unit/test.h"

static const struct diff_setup plain = {
	.pairing = { .last_rule = PAIR_AMBIGUOUS },
	.alpha = 0.05,
	.overdispersion = 1,
	.minimum_samples = 10,
};

/* Two sides with the same functions. */
struct fixture {
	struct pair_item *items;
	double *events[2], *samples[2];
	size_t count, runs;
	struct arena *arena;
};

static struct fixture fixture_create(size_t count, size_t runs)
{
	struct fixture fixture = { .count = count, .runs = runs, .arena = arena_create() };

	fixture.items = arena_alloc(fixture.arena, count * sizeof(*fixture.items));
	for (size_t side = 0; side < 2; side++) {
		fixture.events[side] = arena_alloc(fixture.arena, count * runs * sizeof(double));
		fixture.samples[side] = arena_alloc(fixture.arena, count * runs * sizeof(double));
	}
	for (size_t i = 0; i < count; i++) {
		auto_free char *name = memory_format("f%zu", i);

		fixture.items[i] = (struct pair_item){ .object = "p", .name = arena_strdup(fixture.arena, name) };
	}
	return fixture;
}

static void fixture_release(struct fixture *fixture)
{
	arena_destroy(fixture->arena);
}

static void set_count(struct fixture *fixture, size_t side, size_t item, size_t run, double samples, double period)
{
	fixture->samples[side][item * fixture->runs + run] = samples;
	fixture->events[side][item * fixture->runs + run] = samples * period;
}

static struct diff *compare(const struct fixture *fixture, const struct diff_setup *setup)
{
	struct diff_side sides[2];
	struct diff *diff = NULL;

	for (size_t i = 0; i < 2; i++)
		sides[i] = (struct diff_side){ "side", fixture->items, fixture->count, fixture->events[i],
					       fixture->samples[i], fixture->runs };
	assert_success(diff_create(&sides[0], &sides[1], setup, &diff));
	return diff;
}

static const struct diff_row *row_named(const struct diff *diff, const char *name)
{
	const struct diff_row *rows;
	size_t count = diff_rows(diff, &rows);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(diff_side(diff, 0)->items[rows[i].pair->a[0]].name, name))
			return &rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

static void assert_near(double actual, double expected, double tolerance)
{
	if (!(fabs(actual - expected) <= tolerance * fabs(expected)) && actual != expected)
		fail_msg("%.17g, expected %.17g", actual, expected);
}

/* The line behind this one; NULL at the end. */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

static char *read_reference(const char *name)
{
	auto_free char *path = memory_format(TESTS "/unit/reference/%s", name);
	char *text = NULL;

	assert_success(file_read(path, &text, NULL));
	return text;
}

void test_diff__one_run_a_side_is_the_conditional_binomial(void **state)
{
	(void)state;
	auto_free char *text = read_reference("expected_symbols_pair.tsv");
	const char *line = text;
	cleanup(fixture_release) struct fixture fixture = fixture_create(100, 1);
	char names[100][64];
	double p[100], low[100], high[100], a, b;
	size_t count = 0;

	while ((line = next_line(line))) {
		assert_int_equal(sscanf(line, "%63s %lf %lf %lf %*f %lf %lf", names[count], &a, &b, &p[count],
					&low[count], &high[count]) >= 4, 1);
		set_count(&fixture, 0, count, 0, a, 1000);
		set_count(&fixture, 1, count, 0, b, 1000);
		fixture.items[count].name = names[count];
		count++;
	}
	assert_true(count > 8);
	fixture.count = count;

	cleanup(diff_guard) struct diff *diff = compare(&fixture, &plain);
	const struct diff_row *row;

	for (size_t i = 0; i < count; i++) {
		row = row_named(diff, names[i]);
		if (row->a_samples + row->b_samples >= 10)
			assert_near(row->p, p[i], 1e-9);
		else
			assert_true(isnan(row->p));
	}
	/* The interval at 95 % is the reference's; marked rows have a wider one. */
	row = row_named(diff, "memcpy");
	assert_near(row->ratio_interval.low, 0.93236015173579456, 1e-9);
	assert_near(row->ratio_interval.high, 1.0503336908511665, 1e-9);
}

void test_diff__replicates_are_the_moderated_t_of_the_reference(void **state)
{
	(void)state;
	enum { SYMBOLS = 10, RUNS = 8 };
	auto_free char *text = read_reference("d20_symbol_runs.tsv");
	const char *line = text;
	cleanup(fixture_release) struct fixture fixture = fixture_create(SYMBOLS, RUNS);
	struct diff_setup setup = plain;
	size_t symbol, run;
	char arm;
	double value;

	while ((line = next_line(line))) {
		assert_int_equal(sscanf(line, "s%zu %c %zu %lf", &symbol, &arm, &run, &value), 4);
		set_count(&fixture, arm == 'b', symbol - 1, run - 1, value, 4000);
	}
	setup.paired_runs = true;

	cleanup(diff_guard) struct diff *diff = compare(&fixture, &setup);
	auto_free char *expected = read_reference("expected_symbols_runs.tsv");
	size_t compared = 0;

	line = expected;
	while ((line = next_line(line))) {
		char name[16];
		double variance, p;

		assert_int_equal(sscanf(line, "%15s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lf %*s %lf",
					name, &variance, &p), 3);
		name[0] = 'f';
		snprintf(name, sizeof(name), "f%d", atoi(name + 1) - 1);
		if (variance < 2)
			continue; /* the Poisson floor, which the reference leaves out */
		assert_near(row_named(diff, name)->p, p, 1e-9);
		compared++;
	}
	assert_true(compared >= 5);
	assert_false(row_named(diff, "f0")->marked); /* null; pooled Poisson gives p = .007 */
	assert_true(row_named(diff, "f3")->marked);
}

void test_diff__rows_sum_to_the_totals(void **state)
{
	(void)state;
	cleanup(fixture_release) struct fixture fixture = fixture_create(50, 1);
	const struct diff_row *rows;
	double a = 0, b = 0;

	for (size_t i = 0; i < 50; i++) {
		set_count(&fixture, 0, i, 0, (double)(i * 7 % 13), 10);
		set_count(&fixture, 1, i, 0, (double)(i * 5 % 11), 10);
	}

	cleanup(diff_guard) struct diff *diff = compare(&fixture, &plain);
	size_t count = diff_rows(diff, &rows);

	for (size_t i = 0; i < count; i++) {
		a += rows[i].a;
		b += rows[i].b;
		assert_true(!i || fabs(rows[i].difference) <= fabs(rows[i - 1].difference));
	}
	assert_near(a, diff_totals(diff)->a, 1e-12);
	assert_near(b, diff_totals(diff)->b, 1e-12);
}

void test_diff__another_sampling_period_is_no_change(void **state)
{
	(void)state;
	cleanup(fixture_release) struct fixture fixture = fixture_create(2, 1);

	set_count(&fixture, 0, 0, 0, 4000, 500);
	set_count(&fixture, 1, 0, 0, 1000, 2000);
	set_count(&fixture, 0, 1, 0, 800, 500);
	set_count(&fixture, 1, 1, 0, 200, 2000);

	cleanup(diff_guard) struct diff *diff = compare(&fixture, &plain);

	assert_near(row_named(diff, "f0")->ratio, 1, 1e-12);
	assert_true(row_named(diff, "f0")->p > 0.9);
}

void test_diff__a_gone_function_is_seen_in_the_one_that_grew(void **state)
{
	(void)state;
	cleanup(fixture_release) struct fixture fixture = fixture_create(3, 1);
	struct diff_side sides[2];
	struct diff *diff = NULL;
	const struct diff_row *rows;

	set_count(&fixture, 0, 0, 0, 500, 1);  /* the caller */
	set_count(&fixture, 1, 0, 0, 1490, 1);
	set_count(&fixture, 0, 1, 0, 700, 1);  /* another */
	set_count(&fixture, 1, 1, 0, 710, 1);
	set_count(&fixture, 0, 2, 0, 1000, 1); /* inlined in B */
	for (size_t i = 0; i < 2; i++)
		sides[i] = (struct diff_side){ "side", fixture.items, i ? 2 : 3, fixture.events[i],
					       fixture.samples[i], 1 };
	assert_success(diff_create(&sides[0], &sides[1], &plain, &diff));

	cleanup(diff_guard) struct diff *owned = diff;
	size_t count = diff_rows(owned, &rows);

	for (size_t i = 0; i < count; i++)
		if (rows[i].pair->rule == PAIR_GONE)
			assert_int_equal(rows[rows[i].probably_inlined_into].pair->a[0], 0);
}

/* One experiment: functions whose cost varies from run to run; a tenth of them changed when effect is not 1. */
static void simulate(struct fixture *fixture, gsl_rng *rng, double effect)
{
	for (size_t i = 0; i < fixture->count; i++) {
		double mean = 20 + 4000.0 / (double)(i + 1), ratio = i % 10 == 3 ? effect : 1;

		for (size_t run = 0; run < fixture->runs; run++)
			for (size_t side = 0; side < 2; side++) {
				double cost = mean * (side ? ratio : 1) * exp(gsl_ran_gaussian(rng, 0.05));

				set_count(fixture, side, i, run, gsl_ran_poisson(rng, cost), 1000);
			}
	}
}

static void gsl_rng_guard(gsl_rng **rng)
{
	gsl_rng_free(*rng);
}

/* False marks as a share of all marks, averaged over experiments; power is printed. */
static double false_discoveries(double effect, bool paired, size_t experiments)
{
	cleanup(gsl_rng_guard) gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	cleanup(fixture_release) struct fixture fixture = fixture_create(100, 6);
	struct diff_setup setup = plain;
	double rate = 0, found = 0;

	setup.paired_runs = paired;
	gsl_rng_set(rng, 20261201);
	for (size_t k = 0; k < experiments; k++) {
		const struct diff_row *rows;
		size_t wrong = 0;

		simulate(&fixture, rng, effect);

		cleanup(diff_guard) struct diff *diff = compare(&fixture, &setup);
		size_t count = diff_rows(diff, &rows);

		for (size_t i = 0; i < count; i++)
			wrong += rows[i].marked && (effect == 1 || rows[i].pair->a[0] % 10 != 3);
		rate += diff_totals(diff)->marked ? (double)wrong / (double)diff_totals(diff)->marked : 0;
		found += (double)(diff_totals(diff)->marked - wrong);
	}
	printf("# diff: effect x%.2f %s: false discovery rate %.3f, power %.2f\n", effect,
	       paired ? "paired" : "unpaired", rate / (double)experiments, found / (double)experiments / 10);
	return rate / (double)experiments;
}

void test_diff__false_discoveries_stay_below_seven_percent(void **state)
{
	(void)state;
	assert_true(false_discoveries(1, true, 200) <= 0.07);
	assert_true(false_discoveries(1, false, 200) <= 0.07);
	assert_true(false_discoveries(1.5, true, 200) <= 0.07);
	assert_true(false_discoveries(1.5, false, 200) <= 0.07);
}
