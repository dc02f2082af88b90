/* Workloads spin and fill: loops whose number of instructions is known. */
#include "workload/asm.h"
#include "workload/workload.h"

static own_function void spin_loop(uint64_t turns)
{
	keep_frame();
#if defined(__x86_64__)
	__asm__ volatile("1:\n\tdec %0\n\tjnz 1b" : "+r"(turns) : : "cc");
#elif defined(__aarch64__)
	__asm__ volatile("1:\n\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(turns) : : "cc");
#else
	for (; turns; turns--)
		keep(turns);
#endif
}

struct error *workload_spin(const struct workload_plan *plan)
{
	spin_loop(plan->count);
	return NULL;
}

/* Six chains, so that no addition waits for another. */
static own_function void fill_loop(uint64_t turns)
{
	uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;

	keep_frame();
#if defined(__x86_64__)
	__asm__ volatile("1:\n\tadd $1, %1\n\tadd $1, %2\n\tadd $1, %3\n\tadd $1, %4\n\tadd $1, %5\n\t"
			 "add $1, %6\n\tdec %0\n\tjnz 1b"
			 : "+r"(turns), "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f) : : "cc");
#elif defined(__aarch64__)
	__asm__ volatile("1:\n\tadd %1, %1, #1\n\tadd %2, %2, #1\n\tadd %3, %3, #1\n\tadd %4, %4, #1\n\t"
			 "add %5, %5, #1\n\tadd %6, %6, #1\n\tsubs %0, %0, #1\n\tb.ne 1b"
			 : "+r"(turns), "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f) : : "cc");
#else
	for (; turns; turns--) {
		keep(a), keep(b), keep(c), keep(d), keep(e), keep(f);
		a++, b++, c++, d++, e++, f++;
	}
#endif
}

struct error *workload_fill(const struct workload_plan *plan)
{
	fill_loop(plan->count);
	return NULL;
}
