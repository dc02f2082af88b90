/* How CPUs spend their time, from made-up /proc/stat files; the shares worked out by hand. */
#include "measure/utilization.h"

#include <math.h>

#include "unit/fixture.h"
#include "unit/test.h"

static void read_text(const char *text, struct utilization *items, size_t count)
{
	auto_fixture struct fixture fixture = fixture_create();
	auto_free char *proc = fixture_path(&fixture, "proc");
	struct facts_roots roots = { .proc = proc };

	fixture_write(&fixture, "proc/stat", text);
	assert_success(utilization_read(&roots, items, count));
}

void test_utilization__each_cpu_has_its_own_line(void **state)
{
	struct utilization items[] = { { .cpu = 10 }, { .cpu = 1 }, { .cpu = 3, .ticks = { 7 } } };

	(void)state;
	read_text("cpu  9 9 9 9 9 9 9 9 9 9\ncpu1 1 2 3 4 5 6 7 8 90 91\ncpu10 11 12 13 14 15 16 17 18 0 0\nintr 5\n",
		  items, 3);
	assert_int_equal(items[0].ticks[UTILIZATION_USER], 11);
	assert_int_equal(items[0].ticks[UTILIZATION_STEAL], 18);
	assert_int_equal(items[1].ticks[UTILIZATION_IDLE], 4);
	assert_int_equal(items[1].ticks[UTILIZATION_SOFTIRQ], 7);
	/* Offline now: what it had. */
	assert_int_equal(items[2].ticks[UTILIZATION_USER], 7);
}

void test_utilization__a_broken_line_changes_nothing(void **state)
{
	struct utilization item = { .cpu = 0, .ticks = { 5, 5, 5, 5, 5, 5, 5, 5 } };

	(void)state;
	read_text("c\ncpu0 1 2 3\ncpu0\ncpux 1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7", &item, 1);
	for (int kind = 0; kind < UTILIZATION_KINDS; kind++)
		assert_int_equal(item.ticks[kind], 5);
}

void test_utilization__shares_are_of_all_ticks_of_all_cpus(void **state)
{
	const struct utilization before[] = { { 0, { 10, 0, 10, 100, 50, 0, 0, 0 } }, { 1, { 0 } } };
	const struct utilization after[] = { { 0, { 20, 0, 15, 125, 49, 0, 0, 0 } }, { 1, { 20, 0, 0, 35, 0, 0, 0, 5 } } };
	double percent[UTILIZATION_KINDS];

	(void)state;
	utilization_shares(before, after, 2, percent);
	assert_float_equal(percent[UTILIZATION_USER], 30, 1e-9);
	assert_float_equal(percent[UTILIZATION_SYSTEM], 5, 1e-9);
	assert_float_equal(percent[UTILIZATION_IDLE], 60, 1e-9);
	/* It fell, as the kernel lets it. */
	assert_float_equal(percent[UTILIZATION_IOWAIT], 0, 1e-9);
	assert_float_equal(percent[UTILIZATION_STEAL], 5, 1e-9);
	utilization_shares(before, before, 2, percent);
	assert_true(isnan(percent[UTILIZATION_IDLE]));
}
