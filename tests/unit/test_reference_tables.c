/* Every row of the other reference tables: critical orders, distributions, adjusted p, symbols, builds. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/adjust.h"
#include "stats/distribution.h"
#include "stats/mann_whitney.h"
#include "stats/moderated.h"
#include "stats/poisson_pair.h"
#include "stats/quasi_poisson.h"
#include "stats/signed_rank.h"
#include "stats/t_test.h"
#include "stats/descriptive.h"
#include "stats/variance_components.h"
#include "unit/reference.h"
#include "unit/test.h"

static double cell(const struct reference *table, size_t row, const char *column)
{
	const char *text = reference_cell(table, row, column);

	return *text ? reference_number(table, row, column) : NAN;
}

static void check_cell(const struct reference *table, size_t row, const char *column, double got)
{
	auto_free char *place = memory_format("row %zu %s", row + 1, column);

	reference_check(place, got, cell(table, row, column), column[0] == 'p' ? RELATIVE_TAIL : RELATIVE);
}

void test_reference__signed_rank_orders_are_those_of_r(void **state)
{
	(void)state;
	struct reference *table = reference_load("table_signedrank_k");

	assert_int_equal(table->rows, 354);
	for (size_t row = 0; row < table->rows; row++) {
		double level, alpha = cell(table, row, "alpha");
		size_t n = (size_t)cell(table, row, "n");

		check_cell(table, row, "k", (double)signed_rank_order(n, alpha, &level));
		check_cell(table, row, "level", level);
		check_cell(table, row, "min_two_sided_p", ldexp(1, 1 - (int)n));
		assert_string_equal(n >= signed_rank_minimum(alpha) ? "TRUE" : "FALSE",
				    reference_cell(table, row, "attains"));
	}
	reference_destroy(table);
}

void test_reference__mann_whitney_orders_are_those_of_r(void **state)
{
	(void)state;
	struct reference *table = reference_load("table_mannwhitney_k");

	assert_int_equal(table->rows, 300);
	for (size_t row = 0; row < table->rows; row++) {
		double level;
		size_t m = (size_t)cell(table, row, "m"), n = (size_t)cell(table, row, "n");

		check_cell(table, row, "k", (double)mann_whitney_order(m, n, 0.05, &level));
		check_cell(table, row, "level", level);
		check_cell(table, row, "min_two_sided_p", mann_whitney_least_p(m, n));
		assert_string_equal(level >= 0.95 - 1e-12 ? "TRUE" : "FALSE", reference_cell(table, row, "attains"));
	}
	reference_destroy(table);
}

void test_reference__median_orders_are_those_of_r(void **state)
{
	(void)state;
	struct reference *table = reference_load("table_median_ci95");

	assert_int_equal(table->rows, 60);
	for (size_t row = 0; row < table->rows; row++) {
		double level;
		size_t n = (size_t)cell(table, row, "n"), order = descriptive_median_order(n, 0.05, &level);

		check_cell(table, row, "lo_order", (double)order);
		check_cell(table, row, "hi_order", (double)(n + 1 - order));
		check_cell(table, row, "level", level);
	}
	reference_destroy(table);
}

static double distribution(const char *name, double p1, double p2, double p3)
{
	if (strcmp(name, "qt") == 0)
		return t_quantile(p1, p2);
	if (strcmp(name, "pt_two_sided") == 0)
		return t_two_sided(p1, p2);
	if (strcmp(name, "qnorm") == 0)
		return normal_quantile(p1);
	if (strcmp(name, "pf_upper_1_df") == 0)
		return f_upper(p1, p2, p3);
	if (strcmp(name, "pbinom") == 0)
		return binomial_cdf(p1, p2, p3);
	fail_msg("no test computes %s", name);
	return NAN;
}

void test_reference__distributions_are_those_of_r(void **state)
{
	(void)state;
	struct reference *table = reference_load("table_distributions");

	assert_int_equal(table->rows, 117);
	for (size_t row = 0; row < table->rows; row++) {
		const char *name = reference_cell(table, row, "fn");
		auto_free char *place = memory_format("%s, row %zu", name, row + 1);

		reference_check(place, distribution(name, cell(table, row, "p1"), cell(table, row, "p2"), cell(table, row, "p3")),
				cell(table, row, "value"), name[0] == 'p' ? RELATIVE_TAIL : RELATIVE);
	}
	reference_destroy(table);
}

static void check_adjusted(const char *name, size_t rows)
{
	static const struct {
		const char *column;
		void (*adjust)(const double *, size_t, double *);
	} methods[] = { { "holm", adjust_holm }, { "bonferroni", adjust_bonferroni },
			{ "BH", adjust_benjamini_hochberg }, { "BY", adjust_benjamini_yekutieli } };
	struct reference *table = reference_load(name);
	size_t count;
	auto_free double *p = reference_column(table, "p", NULL, NULL, &count);
	auto_free double *adjusted = memory_zeroed(count, sizeof(*adjusted));

	assert_int_equal(count, rows);
	assert_int_equal(table->columns, 1 + ARRAY_SIZE(methods));
	for (size_t m = 0; m < ARRAY_SIZE(methods); m++) {
		methods[m].adjust(p, count, adjusted);
		for (size_t row = 0; row < count; row++)
			check_cell(table, row, methods[m].column, adjusted[row]);
	}
	reference_destroy(table);
}

void test_reference__adjusted_p_are_those_of_r(void **state)
{
	(void)state;
	check_adjusted("expected_padjust_1", 15);
	check_adjusted("expected_padjust_2_ties_na_zero", 9);
}

static void check_pair_row(const struct reference *table, size_t row)
{
	double a = cell(table, row, "nA"), b = cell(table, row, "nB"), share = a / 60000;
	struct poisson_pair equal = { a, b, 1, 1 }, totals = { a, b, 60000, 61000 };
	struct interval interval = poisson_pair_interval(&equal, 0.95);

	check_cell(table, row, "p_rate_equal_exposure", poisson_pair_p(&equal));
	check_cell(table, row, "rate_ratio", poisson_pair_ratio(&equal));
	check_cell(table, row, "rate_ratio_lo95", interval.low);
	check_cell(table, row, "rate_ratio_hi95", interval.high);
	check_cell(table, row, "p_rate_exposure_totals", poisson_pair_p(&totals));
	check_cell(table, row, "p_share_fisher", poisson_pair_fisher(&totals));
	check_cell(table, row, "share_A", share);
	check_cell(table, row, "share_B", b / 61000);
	check_cell(table, row, "se_share_A", sqrt(share * (1 - share) / 60000));
}

void test_reference__symbol_pairs_are_those_of_r(void **state)
{
	(void)state;
	struct reference *table = reference_load("expected_symbols_pair");
	double rate[10], fisher[10], adjusted[10];

	assert_int_equal(table->rows, 10);
	assert_int_equal(table->columns, 15); /* symbol, nA, nB, command and the eleven below */
	for (size_t row = 0; row < table->rows; row++) {
		check_pair_row(table, row);
		rate[row] = cell(table, row, "p_rate_equal_exposure");
		fisher[row] = cell(table, row, "p_share_fisher");
	}
	adjust_benjamini_hochberg(rate, 10, adjusted);
	for (size_t row = 0; row < 10; row++)
		check_cell(table, row, "BH_rate", adjusted[row]);
	adjust_benjamini_hochberg(fisher, 10, adjusted);
	for (size_t row = 0; row < 10; row++)
		check_cell(table, row, "BH_share", adjusted[row]);
	reference_destroy(table);
}

#define RUNS 8

struct symbol_runs {
	double a[RUNS], b[RUNS], mean, variance;
};

static void load_symbol(const struct reference *runs, const char *symbol, struct symbol_runs *ret)
{
	size_t count;
	auto_free double *counts = reference_column(runs, "count", "symbol", symbol, &count);
	double d[RUNS];

	assert_int_equal(count, 2 * RUNS);
	for (size_t i = 0; i < RUNS; i++) {
		ret->a[i] = counts[i];
		ret->b[i] = counts[RUNS + i];
		d[i] = moderated_freeman_tukey(ret->b[i]) - moderated_freeman_tukey(ret->a[i]);
	}
	ret->mean = descriptive_mean(d, RUNS);
	ret->variance = descriptive_variance(d, RUNS);
}

static void check_quasi_poisson(const struct reference *table, size_t row, const struct symbol_runs *runs)
{
	struct two_samples samples = { runs->a, runs->b, RUNS, RUNS };
	struct quasi_poisson fit = quasi_poisson_fit(&samples);
	struct poisson_pair pooled = { descriptive_mean(runs->a, RUNS) * RUNS, descriptive_mean(runs->b, RUNS) * RUNS, 1, 1 };

	check_cell(table, row, "sumA", pooled.a);
	check_cell(table, row, "sumB", pooled.b);
	check_cell(table, row, "phi_pearson", fit.dispersion);
	check_cell(table, row, "log_ratio", fit.log_ratio);
	check_cell(table, row, "qp_se", fit.standard_error);
	check_cell(table, row, "qp_t", fit.t);
	check_cell(table, row, "qp_p_t", fit.p);
	check_cell(table, row, "qp_F", fit.f);
	check_cell(table, row, "qp_p_F", fit.f_p);
	check_cell(table, row, "p_poisson_pooled", poisson_pair_p(&pooled));
}

static double check_moderated(const struct reference *table, size_t row, const struct symbol_runs *runs,
			      const struct variance_prior *prior)
{
	struct moderated_row own = { runs->mean, runs->variance, RUNS - 1, 1.0 / RUNS };
	struct variance_prior none = { 0, 0, INFINITY };
	struct moderated plain = moderated_test(&own, &none, 0), lent = moderated_test(&own, prior, 0);

	check_cell(table, row, "ft_mean", runs->mean);
	check_cell(table, row, "ft_var", runs->variance);
	check_cell(table, row, "ft_t", plain.t);
	check_cell(table, row, "ft_p", plain.p);
	check_cell(table, row, "mod_s2_post", lent.variance);
	check_cell(table, row, "mod_t", lent.t);
	check_cell(table, row, "mod_p", lent.p);
	check_cell(table, row, "mod_df_prior", prior->df);
	check_cell(table, row, "mod_s2_prior", prior->variance);
	assert_true(moderated_test(&own, prior, 100).variance == 100);
	return lent.p;
}

void test_reference__symbol_runs_are_those_of_r_and_limma(void **state)
{
	(void)state;
	struct reference *table = reference_load("expected_symbols_runs"), *counts = reference_load("d20_symbol_runs");
	struct symbol_runs runs[10];
	double variances[10], p[10], adjusted[10];
	struct variance_prior prior;

	assert_int_equal(table->rows, 10);
	assert_int_equal(table->columns, 22); /* symbol, command and the twenty below */
	for (size_t row = 0; row < 10; row++) {
		load_symbol(counts, reference_cell(table, row, "symbol"), &runs[row]);
		variances[row] = runs[row].variance;
	}
	prior = moderated_prior(variances, 10, RUNS - 1);
	for (size_t row = 0; row < 10; row++) {
		check_quasi_poisson(table, row, &runs[row]);
		p[row] = check_moderated(table, row, &runs[row], &prior);
	}
	adjust_benjamini_hochberg(p, 10, adjusted);
	for (size_t row = 0; row < 10; row++)
		check_cell(table, row, "mod_BH", adjusted[row]);
	reference_destroy(table);
	reference_destroy(counts);
}

#define BUILDS 6
#define BUILD_RUNS 5

static void load_builds(const struct reference *runs, const char *arm, double *logs, size_t *group)
{
	size_t count;
	auto_free double *values = reference_column(runs, "value", "arm", arm, &count);
	auto_free double *builds = reference_column(runs, "build", "arm", arm, &count);

	assert_int_equal(count, BUILDS * BUILD_RUNS);
	for (size_t i = 0; i < count; i++) {
		logs[i] = log(values[i]);
		group[i] = (size_t)builds[i] - 1;
	}
}

static void check_components(const struct reference *table, size_t row, const struct variance_components *fit)
{
	check_cell(table, row, "ms_build", fit->ms_between);
	check_cell(table, row, "ms_run", fit->ms_within);
	check_cell(table, row, "var_run", fit->var_run);
	check_cell(table, row, "var_build", fit->var_group);
	check_cell(table, row, "layout_share", fit->group_share);
	check_cell(table, row, "F", fit->f);
	check_cell(table, row, "p", fit->p);
}

/* The notes hold the right analysis (builds as units) and the wrong one (runs as if independent). */
static void check_build_notes(const struct reference *table, const struct two_samples *means,
			      const struct two_samples *runs)
{
	double ratio, low, high, p, df;
	struct t_test test = t_test_welch(means);
	struct interval interval = t_test_interval(&test, 0.95);

	assert_int_equal(sscanf(reference_cell(table, 0, "note"),
				"build means as units: t.test(mb,ma): ratio %lf ci %lf %lf p %lf df %lf", &ratio, &low,
				&high, &p, &df), 5);
	reference_check("ratio", exp(test.difference), ratio, RELATIVE);
	reference_check("low", exp(interval.low), low, RELATIVE);
	reference_check("high", exp(interval.high), high, RELATIVE);
	reference_check("p", test.p, p, RELATIVE_TAIL);
	reference_check("df", test.df, df, RELATIVE);
	assert_int_equal(sscanf(reference_cell(table, 1, "note"),
				"WRONG pooled-runs Welch (pseudo-replication): ci %lf %lf p %lf", &low, &high, &p), 3);
	test = t_test_welch(runs);
	interval = t_test_interval(&test, 0.95);
	reference_check("pooled low", exp(interval.low), low, RELATIVE);
	reference_check("pooled high", exp(interval.high), high, RELATIVE);
	reference_check("pooled p", test.p, p, RELATIVE_TAIL);
}

void test_reference__variance_components_are_those_of_r(void **state)
{
	(void)state;
	struct reference *table = reference_load("expected_builds"), *runs = reference_load("d21_builds_runs");
	double logs[2][BUILDS * BUILD_RUNS], means[2][BUILDS];
	size_t group[BUILDS * BUILD_RUNS];

	assert_int_equal(table->rows, 2);
	assert_int_equal(table->columns, 10);
	for (size_t row = 0; row < 2; row++) {
		load_builds(runs, reference_cell(table, row, "arm"), logs[row], group);
		struct variance_components fit = variance_components_fit(logs[row], group, BUILDS * BUILD_RUNS, BUILDS);

		check_components(table, row, &fit);
		assert_int_equal(variance_components_means(logs[row], group, BUILDS * BUILD_RUNS, BUILDS, means[row]),
				 BUILDS);
	}
	check_build_notes(table, &(struct two_samples){ means[0], means[1], BUILDS, BUILDS },
			  &(struct two_samples){ logs[0], logs[1], BUILDS * BUILD_RUNS, BUILDS * BUILD_RUNS });
	reference_destroy(table);
	reference_destroy(runs);
}
