/* Other load beside runs: only what stands out is flagged. */
#include "unit/test.h"

#include <math.h>

#include "ab/foreign.h"

static struct runs *made_up(const uint64_t *foreign_ms, size_t count)
{
	struct runs *runs = runs_create("ab");

	for (size_t i = 0; i < count; i++) {
		struct run *run = runs_add(runs);

		run->wall_ns = 100000000;
		run->foreign_ns = foreign_ms[i] * 1000000;
		run->flags = RUN_FOREIGN_LOAD | RUN_STEAL;
	}
	return runs;
}

void test_foreign__load_throughout_flags_nothing(void **state)
{
	static const uint64_t busy[] = { 90, 100, 110, 95, 105, 100 };
	cleanup(runs_guard) struct runs *runs = made_up(busy, ARRAY_SIZE(busy));

	(void)state;
	foreign_judge(runs);
	for (size_t i = 0; i < runs->count; i++)
		assert_int_equal(runs->items[i].flags, RUN_STEAL);
	assert_true(fabs(foreign_median(runs) - 1) < 1e-9);
}

/* Median 100, MAD 5: the limit is 100 + 3.5 * 1.4826 * 5 = 125.9. */
void test_foreign__what_stands_out_is_flagged(void **state)
{
	static const uint64_t busy[] = { 90, 100, 110, 95, 105, 100, 126, 125, 100 };
	cleanup(runs_guard) struct runs *runs = made_up(busy, ARRAY_SIZE(busy));

	(void)state;
	foreign_judge(runs);
	for (size_t i = 0; i < runs->count; i++)
		assert_int_equal(runs->items[i].flags, RUN_STEAL | (i == 6 ? RUN_FOREIGN_LOAD : 0));
}

void test_foreign__an_older_file_keeps_its_flags(void **state)
{
	static const uint64_t none[] = { 0, 0, 0 };
	cleanup(runs_guard) struct runs *runs = made_up(none, ARRAY_SIZE(none));

	(void)state;
	foreign_judge(runs);
	assert_int_equal(runs->items[1].flags, RUN_STEAL | RUN_FOREIGN_LOAD);
	assert_true(isnan(foreign_median(runs)));
}
