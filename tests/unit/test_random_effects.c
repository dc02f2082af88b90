/* Effects over machines, against R's metafor: rma(y, v, method="REML", test="adhoc", control=list(threshold=1e-12)).
 * dat.bcg is metafor's own example. */
#include "stats/random_effects.h"

#include <math.h>

#include "unit/test.h"

static const struct known {
	const char *name;
	size_t count;
	double y[13], v[13];
	double tau2, mean, se, low, high, p, q, q_p, i2;
} table[] = {
	{ "bcg", 13,
	  { -0.88931133392020545, -1.5853886572014306, -1.3480731482996933, -1.4415511900213054, -0.21754732221129558,
	    -0.78611558581886398, -1.6208982235983918, 0.011952333523840508, -0.4694176487381494, -1.3713448034727844,
	    -0.33935882833839059, 0.44591340057137874, -0.017313948216879815 },
	  { 0.32558476500396133, 0.19458112139814385, 0.41536796536796539, 0.020010031902247573, 0.051210172169630863,
	    0.0069056184559087574, 0.22301724757231517, 0.0039615792978177295, 0.056434210463248966, 0.07302479361302891,
	    0.01241221397155972, 0.53250584520015276, 0.071404659683986293 },
	  0.313243258136, -0.714532342158, 0.180791744093, -1.10844371369, -0.320620970631, 0.00192001509606,
	  152.233008082, 1.99676459085e-26, .922213845213 },
	{ "equal", 4, { .02, .021, .019, .0205 }, { 1e-4, 1e-4, 1e-4, 1e-4 },
	  0, 0.020125, 0.005, 0.00421276847358, 0.0360372315264, 0.0275550703502,
	  0.021875, 0.99914514467, 0 },
	{ "two", 2, { .05, -.02 }, { 1e-4, 2e-4 },
	  .0023, 0.0157142857143, 0.0349927106112, -0.428910259585, 0.460338831014, 0.73129370304,
	  16.3333333333, 5.31212815941e-05, .938775510204 },
	{ "eight", 8, { .031, .012, .055, -.018, .044, .027, .039, .008 },
	  { 1e-5, 4e-5, 2.5e-5, 9e-6, 1.6e-5, 3.6e-5, 1e-5, 4.9e-5 },
	  0.000532271648895, 0.0248250632051, 0.0083386713243, 0.00510723876564, 0.0445428876446, 0.0205993304304,
	  295.359312806, 5.92420005455e-60, .96857292772 },
};

static void assert_near(double value, double wanted, const char *name)
{
	if (!(fabs(value - wanted) <= 2e-5 * fabs(wanted) + 1e-12))
		fail_msg("%s: %.12g is not %.12g", name, value, wanted);
}

void test_random_effects__are_those_of_metafor(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct known *k = &table[i];
		struct random_effects fit = random_effects_fit(k->y, k->v, k->count);
		struct interval mean = random_effects_interval(&fit, .95);
		const double values[] = { fit.tau2, fit.mean, fit.standard_error, mean.low, mean.high, fit.p, fit.q, fit.q_p,
					  fit.i2 };
		const double wanted[] = { k->tau2, k->mean, k->se, k->low, k->high, k->p, k->q, k->q_p, k->i2 };

		for (size_t f = 0; f < sizeof(values) / sizeof(values[0]); f++)
			assert_near(values[f], wanted[f], k->name);
	}
}

void test_random_effects__of_counts_that_never_vary(void **state)
{
	(void)state;
	static const double same[] = { -100, -100, -100 }, apart[] = { -100, -104, -96 }, exact[] = { 0, 0, 0 };
	struct random_effects fit = random_effects_fit(same, exact, 3);
	struct interval interval = random_effects_interval(&fit, .95);

	assert_true(interval.low == -100 && interval.high == -100 && fit.p == 0);
	/* t.test(c(-100, -104, -96)): the machines are all that varies. */
	fit = random_effects_fit(apart, exact, 3);
	interval = random_effects_interval(&fit, .95);
	assert_true(fabs(interval.low + 109.9366) < 1e-3 && fabs(interval.high + 90.06345) < 1e-3);
	assert_true(fit.i2 > .999);
}

/* Machines of which some never vary, or vary a million times more than others. */
void test_random_effects__end_whatever_the_variances(void **state)
{
	(void)state;
	static const double scales[] = { 0, 1e-300, 1e-18, 1e-9, 1e-4, 1, 1e9 };
	size_t count = sizeof(scales) / sizeof(scales[0]);

	for (size_t i = 0; i < count * count * count; i++) {
		double v[] = { scales[i % count], scales[i / count % count], scales[i / count / count] };
		double y[] = { 0, 1e-3 * (double)(i % 5), -1e-6 * (double)(i % 3) };
		struct random_effects fit = random_effects_fit(y, v, 3);
		struct interval next = random_effects_prediction(&fit, y, v, .95);

		assert_true(fit.tau2 >= 0 && fit.standard_error >= 0 && isfinite(fit.mean));
		assert_true(next.low <= fit.mean && fit.mean <= next.high);
		assert_true(random_effects_fit(y, v, 2).tau2 >= 0);
	}
}

void test_random_effects__predict_as_student_when_runs_never_vary(void **state)
{
	(void)state;
	static const double effects[] = { .031, .012, .055, -.018, .044, .027, .039, .008 }, exact[8] = { 0 };
	struct random_effects fit = random_effects_fit(effects, exact, 8);
	struct interval next = random_effects_prediction(&fit, effects, exact, .95);

	/* R: mean(x) + c(-1, 1) * qt(.975, 7) * sd(x) * sqrt(1 + 1/8) */
	assert_true(fabs(next.low - -0.0337129992) < 2e-4 && fabs(next.high - 0.0832129992) < 2e-4);
}

void test_random_effects__say_nothing_of_one_place(void **state)
{
	(void)state;
	static const double one[] = { .02 }, variance[] = { 1e-4 };
	struct random_effects fit = random_effects_fit(one, variance, 1);

	assert_true(isnan(fit.mean) && isnan(fit.p) && isnan(random_effects_interval(&fit, .95).low));
	assert_true(isnan(random_effects_prediction(&fit, one, variance, .95).level));
}
