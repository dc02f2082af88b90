#include "unit/synthetic.h"

#include <math.h>

#include "base/memory.h"

#define HALF_WIDTH 0.47 /* of the interval, for ten values spread evenly over [-1, 1] */

static void describe(struct runs *runs)
{
	static const char *const command_a[] = { "./a", "input", NULL }, *const command_b[] = { "./b", "input", NULL };

	runs->arm_count = 2;
	runs->arms = runs_alloc(runs, 2, sizeof(*runs->arms));
	runs->arms[0] = (struct run_arm){ .name = "A", .command = command_a, .content_hash = "aaaa" };
	runs->arms[1] = (struct run_arm){ .name = "B", .command = command_b, .content_hash = "bbbb" };
	runs->event_count = 1;
	runs->events = runs_alloc(runs, 1, sizeof(*runs->events));
	runs->events[0] = (struct run_event){ .name = "cycles", .unit = "", .scale = 1 };
}

struct runs *synthetic_pair(const double *a, const double *b, size_t blocks)
{
	struct runs *runs = runs_create("ab");

	describe(runs);
	for (size_t i = 0; i < 2 * blocks; i++) {
		struct run *run = runs_add(runs);

		run->block = (uint32_t)(i / 2);
		run->position = i % 2;
		run->arm = (i / 2 + i) % 2;
		run->wall_ns = (uint64_t)(run->arm ? b : a)[run->block];
		run->user_ns = run->wall_ns;
		run->counts[0] = (struct run_count){ run->wall_ns, 1000, 1000, COUNT_OK };
	}
	return runs;
}

struct runs *synthetic_effect(double centre, double half, size_t blocks)
{
	auto_free double *a = memory_zeroed(blocks, sizeof(*a)), *b = memory_zeroed(blocks, sizeof(*b));

	for (size_t i = 0; i < blocks; i++) {
		size_t place = (i * 7) % blocks; /* not in the order of time */
		double z = blocks > 1 ? 2.0 * place / (blocks - 1) - 1 : 0;

		a[i] = 1e12;
		b[i] = 1e12 * exp(centre + half / HALF_WIDTH * z);
	}
	return synthetic_pair(a, b, blocks);
}

struct run *synthetic_run(struct runs *runs, size_t arm, size_t block)
{
	for (size_t i = 0; i < runs->count; i++)
		if (runs->items[i].arm == arm && runs->items[i].block == block)
			return &runs->items[i];
	return NULL;
}
