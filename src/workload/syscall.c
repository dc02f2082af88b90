/* Workload syscall: a system call with dormant markers before it, and memory written between the calls. */
#include <sys/syscall.h>

#include "workload/asm.h"
#include "workload/immediate.h"
#include "workload/memory.h"
#include "workload/workload.h"

static const volatile int marker_flag;

/* What an enabled marker would do; none is. */
static own_function unused __attribute__((cold)) void marker_hit(void)
{
	log_warning("syscall: a dormant marker was hit");
}

#define MARKER_none
#define MARKER_global                                 \
	if (__builtin_expect(marker_flag != 0, 0))    \
		marker_hit();
#define MARKER_imm                                    \
	if (__builtin_expect(immediate_is_set(), 0))  \
		marker_hit();

#define TEN_TIMES(marker) marker marker marker marker marker marker marker marker marker marker
#define MARKED_CALL(name, marker)                                                                      \
	static own_function void name(void)                                                            \
	{                                                                                              \
		keep_frame();                                                                          \
		TEN_TIMES(marker) TEN_TIMES(marker) TEN_TIMES(marker) TEN_TIMES(marker)                \
		syscall(SYS_getppid);                                                                  \
	}

typedef void marked_call_function(void);

#ifdef SINGLE_KIND
/* make workloads: one kind a program, its function called the same in each, so that builds can be compared. */
#define PASTE(a, b) a##b
#define MARKER_OF(kind) PASTE(MARKER_, kind)
MARKED_CALL(marked_call, MARKER_OF(SINGLE_KIND))
static marked_call_function *const calls[] = { marked_call, marked_call, marked_call };
#else
MARKED_CALL(marked_call_none, MARKER_none)
MARKED_CALL(marked_call_global, MARKER_global)
MARKED_CALL(marked_call_imm, MARKER_imm)
static marked_call_function *const calls[] = {
	[MARKERS_NONE] = marked_call_none,
	[MARKERS_GLOBAL] = marked_call_global,
	[MARKERS_IMM] = marked_call_imm,
};
#endif

static own_function void pressure_sweep(const struct lines *lines)
{
	keep_frame();
	for (uint64_t line = 0; line < lines->count; line++)
		((volatile unsigned char *)lines->bytes)[line * CACHE_LINE]++;
}

/* As many writes as the sweep does, where no prefetcher expects them. */
static own_function uint64_t pressure_random(const struct lines *lines, uint64_t random)
{
	keep_frame();
	for (uint64_t i = 0; i < lines->count; i++) {
		random = next_random(random);
		((volatile unsigned char *)lines->bytes)[lines_random(lines, random) * CACHE_LINE]++;
	}
	return random;
}

struct error *workload_syscall(const struct workload_plan *plan)
{
	cleanup(lines_release) struct lines lines = { 0 };
	struct error *err = lines_init(plan->array_bytes, &lines);
	marked_call_function *call = calls[plan->markers];
	uint64_t random = 88172645463325252u;

	if (err)
		return err;
	if (plan->markers == MARKERS_IMM)
		immediate_note();
	for (uint64_t i = 0; i < plan->count; i++) {
		if (plan->pressure == PRESSURE_SWEEP)
			pressure_sweep(&lines);
		else if (plan->pressure == PRESSURE_RANDOM)
			random = pressure_random(&lines, random);
		call();
	}
	return NULL;
}
