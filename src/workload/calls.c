/* Workload calls: three leaf functions with known shares of the instructions, under a real call chain. */
#include "workload/asm.h"
#include "workload/workload.h"

enum { TURNS_A_TENTH = 100000 };

static own_function uint64_t hot(uint64_t turns, uint64_t x)
{
	keep_frame();
	return arithmetic(turns, x);
}

static own_function uint64_t warm(uint64_t turns, uint64_t x)
{
	keep_frame();
	return arithmetic(turns, x);
}

static own_function uint64_t cool(uint64_t turns, uint64_t x)
{
	keep_frame();
	return arithmetic(turns, x);
}

/* Adding 1 after each call keeps it from becoming a jump: this frame stays in the chain. */
static own_function uint64_t calls_round(uint64_t x)
{
	x = hot(7 * TURNS_A_TENTH, x);
	x = warm(2 * TURNS_A_TENTH, x);
	return cool(TURNS_A_TENTH, x) + 1;
}

struct error *workload_calls(const struct workload_plan *plan)
{
	uint64_t x = 1;

	for (uint64_t i = 0; i < plan->count; i++)
		x = calls_round(x) + 1;
	keep(x);
	return NULL;
}
