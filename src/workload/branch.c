/* Workload branch: what a branch costs whose condition is an immediate, in a hot line, or in cold memory. */
#include "workload/asm.h"
#include "workload/immediate.h"
#include "workload/memory.h"
#include "workload/workload.h"

const char *const workload_branch_kinds[] = { "base", "imm", "l1", "mem", NULL };

static const volatile unsigned char hot_condition __attribute__((aligned(CACHE_LINE)));

#define CONDITION_base(lines, line) false
#define CONDITION_imm(lines, line) immediate_is_set()
#define CONDITION_l1(lines, line) hot_condition
#define CONDITION_mem(lines, line) ((const volatile unsigned char *)(lines)->bytes)[(line) * CACHE_LINE]

/* Every kind computes the index; only mem uses it. */
#define BRANCH_LOOP(name, condition)                                                   \
	static own_function uint64_t name(const struct lines *lines, uint64_t count)   \
	{                                                                              \
		uint64_t random = 88172645463325252u, taken = 0;                       \
                                                                                       \
		keep_frame();                                                          \
		for (; count; count--) {                                               \
			random = next_random(random);                                  \
                                                                                       \
			uint64_t line = lines_random(lines, random);                   \
                                                                                       \
			keep(line);                                                    \
			if (condition(lines, line))                                    \
				taken++;                                               \
		}                                                                      \
		return taken;                                                          \
	}

typedef uint64_t branch_loop_function(const struct lines *lines, uint64_t count);

#ifdef SINGLE_KIND
/* make workloads: one kind a program, its function called the same in each, so that builds can be compared. */
#define PASTE(a, b) a##b
#define CONDITION_OF(kind) PASTE(CONDITION_, kind)
BRANCH_LOOP(branch_loop, CONDITION_OF(SINGLE_KIND))
static branch_loop_function *const loops[] = { branch_loop, branch_loop, branch_loop, branch_loop };
#else
BRANCH_LOOP(branch_base, CONDITION_base)
BRANCH_LOOP(branch_imm, CONDITION_imm)
BRANCH_LOOP(branch_l1, CONDITION_l1)
BRANCH_LOOP(branch_mem, CONDITION_mem)
static branch_loop_function *const loops[] = { branch_base, branch_imm, branch_l1, branch_mem };
#endif

enum { KIND_IMM = 1 };

struct error *workload_branch(const struct workload_plan *plan)
{
	cleanup(lines_release) struct lines lines = { 0 };
	struct error *err = lines_init(plan->array_bytes, &lines);

	if (err)
		return err;
	if (plan->kind == KIND_IMM)
		immediate_note();
	if (loops[plan->kind](&lines, plan->count))
		return error_new(ERROR_OS, "branch: a condition that is never true was true");
	return NULL;
}
