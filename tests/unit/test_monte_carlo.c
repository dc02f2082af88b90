/* Error rates by simulation, with fixed seeds: what is printed as 5 % is 5 %, under the noise that machines make. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "stats/adjust.h"
#include "stats/descriptive.h"
#include "stats/moderated.h"
#include "stats/poisson_pair.h"
#include "stats/random.h"
#include "stats/sequential.h"
#include "stats/signed_rank.h"
#include "unit/test.h"

#define EXPERIMENTS 2000
#define BLOCKS 10
#define MOST_RUNS 160

/* Noise of `count` runs in a row, on the log scale. */
typedef void noise(struct random *random, double *runs, size_t count);

#define SD 0.02

static void independent(struct random *random, double *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		runs[i] = SD * random_normal(random);
}

static void drift(struct random *random, double *runs, size_t count)
{
	independent(random, runs, count);
	for (size_t i = 0; i < count; i++)
		runs[i] += 0.1 * i / (count - 1.0);
}

static void autoregressive(struct random *random, double *runs, size_t count)
{
	independent(random, runs, count);
	for (size_t i = 1; i < count; i++)
		runs[i] = 0.7 * runs[i - 1] + sqrt(1 - 0.49) * runs[i];
}

static void step(struct random *random, double *runs, size_t count)
{
	size_t place = random_below(random, count);

	independent(random, runs, count);
	for (size_t i = place; i < count; i++)
		runs[i] += 0.05;
}

static void bimodal(struct random *random, double *runs, size_t count)
{
	independent(random, runs, count);
	for (size_t i = 0; i < count; i++)
		runs[i] = runs[i] / 4 + (random_uniform(random) < 0.3 ? 0.08 : 0);
}

static void outliers(struct random *random, double *runs, size_t count)
{
	independent(random, runs, count);
	for (size_t i = 0; i < count; i++)
		if (random_uniform(random) < 0.05)
			runs[i] += -0.5 * log(1 - random_uniform(random));
}

static void position(struct random *random, double *runs, size_t count)
{
	independent(random, runs, count);
	for (size_t i = 1; i < count; i += 2)
		runs[i] += 0.01;
}

static void saw(struct random *random, double *runs, size_t count)
{
	double height = random_below(random, 2) ? 0.01 : -0.01;

	independent(random, runs, count);
	for (size_t i = 0; i < count; i++)
		runs[i] += i % 2 ? -height : height;
}

static const struct {
	const char *name;
	noise *make;
} models[] = { { "independent", independent }, { "drift", drift }, { "autoregressive", autoregressive },
	       { "step", step }, { "bimodal", bimodal }, { "outliers", outliers }, { "position", position },
	       { "saw", saw } };

/* Block differences B - A with the order inside each block drawn at random. */
static void experiment(noise *make, struct random *random, double effect, double *differences, size_t blocks)
{
	double runs[MOST_RUNS];

	make(random, runs, 2 * blocks);
	for (size_t i = 0; i < blocks; i++) {
		double second_less_first = runs[2 * i + 1] - runs[2 * i];

		differences[i] = effect + (random_below(random, 2) ? second_less_first : -second_less_first);
	}
}

static void assert_rate(const char *what, size_t hits, size_t of, double least, double most)
{
	double percent = 100.0 * hits / of;

	if (percent < least || percent > most)
		fail_msg("%s: %.1f %%, not in [%.1f, %.1f]", what, percent, least, most);
}

void test_monte_carlo__no_noise_model_makes_false_alarms_or_misses_coverage(void **state)
{
	(void)state;
	for (size_t m = 0; m < sizeof(models) / sizeof(models[0]); m++) {
		struct random random;
		size_t rejected = 0, covered = 0;

		random_seed(&random, 20240601 + m);
		for (size_t i = 0; i < EXPERIMENTS; i++) {
			double d[BLOCKS];
			struct interval interval;

			experiment(models[m].make, &random, 0, d, BLOCKS);
			rejected += signed_rank_test(d, BLOCKS, 0, ZEROS_RANKED_THEN_DROPPED).p <= 0.05;
			experiment(models[m].make, &random, log(1.03), d, BLOCKS);
			interval = signed_rank_interval(d, BLOCKS, 0.05);
			covered += exp(interval.low) <= 1.03 && exp(interval.high) >= 1.03;
		}
		assert_rate(models[m].name, rejected, EXPERIMENTS, 3, 7);
		assert_rate(models[m].name, covered, EXPERIMENTS, 93, 98);
	}
}

/* The simulation can see a bad design: all of A, then all of B, under drift. */
void test_monte_carlo__running_all_of_a_first_is_seen_to_fail(void **state)
{
	(void)state;
	struct random random;
	size_t rejected = 0;

	random_seed(&random, 3);
	for (size_t i = 0; i < 200; i++) {
		double runs[2 * BLOCKS], d[BLOCKS];

		drift(&random, runs, 2 * BLOCKS);
		for (size_t j = 0; j < BLOCKS; j++)
			d[j] = runs[BLOCKS + j] - runs[j];
		rejected += signed_rank_test(d, BLOCKS, 0, ZEROS_RANKED_THEN_DROPPED).p <= 0.05;
	}
	assert_rate("all of A first", rejected, 200, 90, 100);
}

static bool rejects_at_a_look(const double *d, const struct look *plan, bool naive)
{
	for (size_t k = 0; k < SEQUENTIAL_LOOKS; k++)
		if (signed_rank_test(d, plan[k].blocks, 0, ZEROS_RANKED_THEN_DROPPED).p <= (naive ? 0.05 : plan[k].alpha))
			return true;
	return false;
}

void test_monte_carlo__four_looks_keep_the_level_and_naive_looks_do_not(void **state)
{
	(void)state;
	struct look plan[SEQUENTIAL_LOOKS];
	struct random random;
	size_t planned = 0, naive = 0;

	random_seed(&random, 11);
	sequential_plan(80, 0.05, plan);
	assert_int_equal(plan[0].blocks, 10);
	assert_int_equal(plan[1].blocks, 20);
	for (size_t i = 0; i < EXPERIMENTS / 2; i++) {
		double d[80];

		experiment(i % 2 ? independent : outliers, &random, 0, d, 80);
		planned += rejects_at_a_look(d, plan, false);
		naive += rejects_at_a_look(d, plan, true);
	}
	assert_rate("looks", planned, EXPERIMENTS / 2, 1.5, 5.5);
	assert_rate("naive looks", naive, EXPERIMENTS / 2, 8, 30);
}

/* The centre is inside at every block at once: the whole point of it. */
void test_monte_carlo__the_confidence_sequence_holds_at_every_block(void **state)
{
	(void)state;
	struct random random;
	size_t left = 0;

	random_seed(&random, 5);
	for (size_t i = 0; i < 300; i++) {
		double d[40];
		bool out = false;

		experiment(independent, &random, 0.01, d, 40);
		for (size_t n = 6; n <= 40 && !out; n++) {
			struct interval interval = sequential_confidence(d, n, 1 / (SD * sqrt(2)), 0.05);

			out = interval.low > 0.01 || interval.high < 0.01;
		}
		left += out;
	}
	assert_rate("confidence sequence", left, 300, 0, 5);
}

#define SYMBOLS 300
#define CHANGED 15
#define RUNS 10

struct profile {
	double runs[2][RUNS][SYMBOLS];
	bool changed[SYMBOLS];
};

/* 20,000 samples a run over symbols of very different weight, 10 % run-to-run spread of each; 15 changed by 1.3. */
static void sample_profile(gsl_rng *rng, struct profile *profile)
{
	double weight[SYMBOLS], sum = 0;

	for (size_t s = 0; s < SYMBOLS; s++)
		sum += weight[s] = exp(gsl_ran_gaussian(rng, 1.6));
	memset(profile->changed, 0, sizeof(profile->changed));
	for (size_t i = 0; i < CHANGED;) {
		size_t s = gsl_rng_uniform_int(rng, SYMBOLS);

		if (weight[s] > 1) /* the heavier half: of others there is a handful of samples */
			i += !profile->changed[s];
		profile->changed[s] |= weight[s] > 1;
	}
	for (size_t s = 0; s < SYMBOLS; s++) {
		double factor = !profile->changed[s] ? 1 : gsl_rng_uniform_int(rng, 2) ? 1.3 : 1 / 1.3;

		for (int arm = 0; arm < 2; arm++)
			for (size_t r = 0; r < RUNS; r++)
				profile->runs[arm][r][s] = gsl_ran_poisson(
					rng, weight[s] / sum * 20000 * (arm ? factor : 1) * gsl_ran_gamma(rng, 100, 0.01));
	}
}

struct tested {
	double moderated[SYMBOLS], pooled[SYMBOLS]; /* p, NaN where there are too few samples */
};

static void test_profile(const struct profile *profile, struct tested *ret)
{
	double mean[SYMBOLS], variance[SYMBOLS], kept[SYMBOLS];
	size_t count = 0;
	struct variance_prior prior;

	for (size_t s = 0; s < SYMBOLS; s++) {
		double d[RUNS];
		struct poisson_pair pair = { 0, 0, 1, 1 };

		for (size_t r = 0; r < RUNS; r++) {
			d[r] = moderated_freeman_tukey(profile->runs[1][r][s]) - moderated_freeman_tukey(profile->runs[0][r][s]);
			pair.a += profile->runs[0][r][s];
			pair.b += profile->runs[1][r][s];
		}
		mean[s] = descriptive_mean(d, RUNS);
		variance[s] = descriptive_variance(d, RUNS);
		ret->pooled[s] = pair.a + pair.b < 10 ? NAN : poisson_pair_p(&pair);
		if (!isnan(ret->pooled[s]))
			kept[count++] = variance[s];
	}
	prior = moderated_prior(kept, count, RUNS - 1);
	for (size_t s = 0; s < SYMBOLS; s++) {
		struct moderated_row row = { mean[s], variance[s], RUNS - 1, 1.0 / RUNS };

		ret->moderated[s] = isnan(ret->pooled[s]) ? NAN : moderated_test(&row, &prior, MODERATED_POISSON_FLOOR).p;
	}
}

/* Adds the share of false rows among those found and of changed rows that were found. */
static void add_rates(const struct profile *profile, const double *p, double *false_share, double *power)
{
	double q[SYMBOLS], found = 0, wrong = 0, changed = 0;

	adjust_benjamini_hochberg(p, SYMBOLS, q);
	for (size_t s = 0; s < SYMBOLS; s++) {
		found += q[s] < 0.05;
		wrong += q[s] < 0.05 && !profile->changed[s];
		changed += profile->changed[s];
	}
	*false_share += found ? wrong / found : 0;
	*power += (found - wrong) / changed;
}

void test_monte_carlo__few_changed_symbols_are_false_findings(void **state)
{
	(void)state;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct profile *profile = memory_zeroed(1, sizeof(*profile));
	struct tested *tested = memory_zeroed(1, sizeof(*tested));
	double false_share = 0, power = 0, pooled_false_share = 0, pooled_power = 0;

	gsl_rng_set(rng, 5);
	for (int i = 0; i < 40; i++) {
		sample_profile(rng, profile);
		test_profile(profile, tested);
		add_rates(profile, tested->moderated, &false_share, &power);
		add_rates(profile, tested->pooled, &pooled_false_share, &pooled_power);
	}
	gsl_rng_free(rng);
	free(profile);
	free(tested);
	if (false_share / 40 > 0.07 || power / 40 < 0.3)
		fail_msg("false %.3f, power %.3f", false_share / 40, power / 40);
	/* Merged runs forget the run-to-run spread: the simulation sees it. */
	if (pooled_false_share / 40 < 0.15)
		fail_msg("pooled false %.3f, power %.3f", pooled_false_share / 40, pooled_power / 40);
}
