#include "profile/alignment.h"

#include <math.h>

#include "stats/poisson_pair.h"
#include "unit/test.h"

enum { LENGTH_MAX = 60 };

/* The length of the longest common subsequence by the textbook's table. */
static size_t table_length(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
	static size_t table[LENGTH_MAX + 1][LENGTH_MAX + 1];

	for (size_t i = 0; i <= a_count; i++)
		for (size_t j = 0; j <= b_count; j++) {
			if (!i || !j)
				table[i][j] = 0;
			else if (a[i - 1] == b[j - 1])
				table[i][j] = table[i - 1][j - 1] + 1;
			else
				table[i][j] = table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
		}
	return table[a_count][b_count];
}

static void assert_matches(const struct alignment_match *matches, size_t count, const uint32_t *a, const uint32_t *b)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(a[matches[i].a], b[matches[i].b]);
		if (!i)
			continue;
		assert_true(matches[i].a > matches[i - 1].a);
		assert_true(matches[i].b > matches[i - 1].b);
	}
}

static uint32_t next_number(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

void test_alignment__is_as_long_as_the_textbooks_table(void **state)
{
	uint32_t a[LENGTH_MAX], b[LENGTH_MAX];
	uint64_t random = 1;

	(void)state;
	for (size_t round = 0; round < 2000; round++) {
		size_t a_count = next_number(&random, LENGTH_MAX), b_count = next_number(&random, LENGTH_MAX);
		uint32_t letters = 1 + next_number(&random, 12);
		struct alignment_match *matches;
		size_t count;

		for (size_t i = 0; i < LENGTH_MAX; i++) {
			a[i] = next_number(&random, letters);
			b[i] = next_number(&random, letters);
		}
		count = alignment_match(a, a_count, b, b_count, &matches);
		assert_int_equal(count, table_length(a, a_count, b, b_count));
		assert_matches(matches, count, a, b);
		free(matches);
	}
}

void test_alignment__of_long_unlike_sequences_is_in_order(void **state)
{
	enum { COUNT = 20000 };
	uint32_t *a = malloc(COUNT * sizeof(*a)), *b = malloc(COUNT * sizeof(*b));
	struct alignment_match *matches;
	uint64_t random = 7;
	size_t count;

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		a[i] = next_number(&random, 500);
		b[i] = next_number(&random, 500);
	}
	count = alignment_match(a, COUNT, b, COUNT, &matches);
	assert_true(count > 500);
	assert_matches(matches, count, a, b);
	free(matches);
	free(a);
	free(b);
}

/* Garwood 1936: half the chi-square quantiles at 2 k and 2 k + 2 degrees, as GSL gives them. */
void test_alignment__poisson_interval_is_garwoods(void **state)
{
	static const struct {
		double count, low, high;
	} cases[] = { { 0, 0, 3.688879 }, { 1, 0.02531781, 5.571643 }, { 10, 4.795389, 18.39036 },
		      { 100, 81.36399, 121.62679 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct interval interval = poisson_interval(cases[i].count, 0.95);

		assert_true(fabs(interval.low - cases[i].low) < 1e-4);
		assert_true(fabs(interval.high - cases[i].high) < 1e-4);
	}
}
