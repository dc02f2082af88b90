/* Workload timestamp: what reading the clock costs, through the vDSO, the kernel, or the CPU's own counter. */
#include <sys/syscall.h>
#include <time.h>

#include "workload/asm.h"
#include "workload/workload.h"

const char *const workload_timestamp_kinds[] = { "clock", "syscall", "counter", NULL };

static own_function struct error *timestamp_clock(uint64_t count)
{
	struct timespec now;

	keep_frame();
	for (; count; count--)
		clock_gettime(CLOCK_MONOTONIC, &now);
	return NULL;
}

static own_function struct error *timestamp_syscall(uint64_t count)
{
	struct timespec now;

	keep_frame();
	for (; count; count--)
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return NULL;
}

static own_function struct error *timestamp_counter(uint64_t count)
{
	keep_frame();
#if defined(__x86_64__)
	for (; count; count--)
		__asm__ volatile("rdtsc" : : : "rax", "rdx");
	return NULL;
#elif defined(__aarch64__)
	for (; count; count--) {
		uint64_t now;

		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
	}
	return NULL;
#else
	return error_new(ERROR_UNSUPPORTED, "timestamp counter: no assembler for this CPU; clock and syscall work");
#endif
}

struct error *workload_timestamp(const struct workload_plan *plan)
{
	static struct error *(*const readers[])(uint64_t count) = {
		timestamp_clock,
		timestamp_syscall,
		timestamp_counter,
	};

	return readers[plan->kind](plan->count);
}
