/* Many tests at once: adjusted p-values. */
#include "stats/adjust.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

struct indexed {
	double p;
	size_t index;
};

static int rising(const void *left, const void *right)
{
	const struct indexed *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

/* The tests that were made, smallest p first; the others are passed on. */
static struct indexed *sorted_tests(const double *p, size_t count, double *adjusted, size_t *tested)
{
	struct indexed *tests = memory_zeroed(count, sizeof(*tests));

	*tested = 0;
	for (size_t i = 0; i < count; i++)
		if (isnan(p[i]))
			adjusted[i] = NAN;
		else
			tests[(*tested)++] = (struct indexed){ p[i], i };
	qsort(tests, *tested, sizeof(*tests), rising);
	return tests;
}

void adjust_bonferroni(const double *p, size_t count, double *adjusted)
{
	size_t tested;
	auto_free struct indexed *tests = sorted_tests(p, count, adjusted, &tested);

	for (size_t i = 0; i < tested; i++)
		adjusted[tests[i].index] = fmin(1, tests[i].p * tested);
}

void adjust_holm(const double *p, size_t count, double *adjusted)
{
	size_t tested;
	auto_free struct indexed *tests = sorted_tests(p, count, adjusted, &tested);
	double largest = 0;

	for (size_t i = 0; i < tested; i++) {
		largest = fmax(largest, tests[i].p * (tested - i));
		adjusted[tests[i].index] = fmin(1, largest);
	}
}

static void step_up(const double *p, size_t count, double penalty, double *adjusted)
{
	size_t tested;
	auto_free struct indexed *tests = sorted_tests(p, count, adjusted, &tested);
	double smallest = 1;

	for (size_t i = tested; i-- > 0;) {
		smallest = fmin(smallest, penalty * tested / (i + 1.0) * tests[i].p);
		adjusted[tests[i].index] = smallest;
	}
}

void adjust_benjamini_hochberg(const double *p, size_t count, double *adjusted)
{
	step_up(p, count, 1, adjusted);
}

void adjust_benjamini_yekutieli(const double *p, size_t count, double *adjusted)
{
	size_t tested = 0;
	double harmonic = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(p[i]))
			harmonic += 1.0 / ++tested;
	step_up(p, count, harmonic, adjusted);
}

double adjust_selected_level(double q, size_t selected, size_t tested)
{
	return tested ? 1 - q * selected / tested : NAN;
}
