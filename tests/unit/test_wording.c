#include "ab/wording.h"

#include <math.h>

#include "base/memory.h"
#include "unit/synthetic.h"
#include "unit/test.h"

typedef void writer(struct text *, const struct analysis *, const struct comparison *);

static void meaning(struct text *text, const struct analysis *analysis, const struct comparison *c)
{
	(void)analysis;
	wording_meaning(text, c);
}

static void assert_says(struct runs *made, writer *write, const char *expected)
{
	cleanup(runs_guard) struct runs *runs = made;
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	auto_text struct text text = { 0 };

	assert_success(analysis_create(runs, &(struct analysis_options){ 0 }, &analysis));
	write(&text, analysis, &analysis->comparisons[0]);
	assert_string_equal(text.bytes, expected);
}

void test_wording__the_factor_is_always_b_over_a_and_names_what_was_counted(void **state)
{
	(void)state;
	assert_says(synthetic_effect(log(3), 0.05, 10), wording_sentence, "B takes 3.00x the time of A (+200 %)");
}

void test_wording__percent_is_left_out_of_columns_where_a_factor_says_it_better(void **state)
{
	(void)state;
	auto_text struct text text = { 0 };

	wording_percent_column(&text, &(struct estimate){ 2.0, { 1.9, 2.1, 0.95 } });
	wording_percent_column(&text, &(struct estimate){ 0.5, { 0.4, 0.6, 0.95 } });
	assert_int_equal(text.length, 0);
	wording_percent_column(&text, &(struct estimate){ 1.03, { 1.018, 1.043, 0.95 } });
	assert_string_equal(text.bytes, "+3.0 %");
}

/* Two digits of the half-width. */
void test_wording__digits_follow_the_interval(void **state)
{
	(void)state;
	static const struct {
		struct estimate estimate;
		const char *text;
	} cases[] = {
		{ { 1.0300912, { 1.01776, 1.04293, 0.95 } }, "1.030x [1.018, 1.043]" },
		{ { 1.0000009906, { 1.0000009222, 1.0000010583, 0.95 } }, "1.000000991x [1.000000922, 1.000001058]" },
		{ { 4.31, { -INFINITY, INFINITY, 0.95 } }, "4.310x [unbounded]" },
		{ { 1.01, { 1.01, 1.01, 0.97 } }, "1.0100x [1.0100, 1.0100]" },
		{ { 31.4, { 20, 40, 0.95 } }, "31x [20, 40]" },
		{ { NAN, { NAN, NAN, NAN } }, "?" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		auto_text struct text text = { 0 };

		wording_ratio_interval(&text, &cases[i].estimate);
		assert_string_equal(text.bytes, cases[i].text);
	}
}

void test_wording__values_carry_their_units(void **state)
{
	(void)state;
	static const struct {
		double value;
		const char *unit, *text;
	} cases[] = {
		{ 1.204e9, "ns", "1.204 s" },     { 12340000, "ns", "12.34 ms" }, { 7, "ns", "7.000 ns" },
		{ 3145728, "bytes", "3.000 MiB" }, { 1234567, "", "1,234,567" },   { NAN, "ns", "?" },
		{ 15.5, "msec", "15.5 msec" },     { 0, "", "0.000" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		auto_text struct text text = { 0 };

		wording_value(&text, cases[i].value, cases[i].unit);
		assert_string_equal(text.bytes, cases[i].text);
	}
}

void test_wording__each_verdict_says_what_it_means(void **state)
{
	(void)state;
	assert_says(synthetic_effect(0.05, 0.002, 3), meaning,
		    "n=3: exact interval has 75 % confidence, 6 blocks are needed");
	assert_says(synthetic_effect(0.05, 0.002, 10), meaning, "worse by at least 4.88 %");
	assert_says(synthetic_effect(0, 0, 10), meaning, "identical in every run");
	assert_says(synthetic_effect(0.005, 0.002, 10), meaning, "no change larger than 1 % (detectable: yes)");
}

/* Words that tie a number to "faster" or "slower" are what every reader misreads. */
void test_wording__no_number_is_called_faster_or_slower(void **state)
{
	(void)state;
	static const double centres[] = { -1, -0.05, 0, 0.004, 0.05, 1.2 };

	for (size_t i = 0; i < sizeof(centres) / sizeof(centres[0]); i++) {
		cleanup(runs_guard) struct runs *runs = synthetic_effect(centres[i], 0.004, 10);
		cleanup(analysis_guard) struct analysis *analysis = NULL;
		auto_text struct text text = { 0 };

		assert_success(analysis_create(runs, &(struct analysis_options){ 0 }, &analysis));
		wording_sentence(&text, analysis, &analysis->comparisons[0]);
		wording_line(&text, analysis, &analysis->comparisons[0]);
		wording_meaning(&text, &analysis->comparisons[0]);
		wording_cause(&text, &analysis->causes[0]);
		assert_null(strstr(text.bytes, "faster"));
		assert_null(strstr(text.bytes, "slower"));
		assert_null(strstr(text.bytes, "nan"));
	}
}

void test_wording__a_line_holds_both_sides_ratio_interval_and_verdict(void **state)
{
	(void)state;
	static const double a[] = { 100e9, 101e9, 99e9, 100e9, 102e9, 98e9, 100e9, 101e9 };
	double b[8];

	for (size_t i = 0; i < 8; i++)
		b[i] = a[i] * 1.1 + i * 1e7;
	assert_says(synthetic_pair(a, b, 8), wording_line,
		    "wall  A 100.0 s  B 110.0 s  B/A 1.10035x [1.10010, 1.10060]  +10.035 %  REGRESSED (>1 %)  n=8 blocks");
}
