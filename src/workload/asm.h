/* What workloads need from the compiler: functions that stay whole, and loops of a known length. */
#ifndef WORKLOAD_ASM_H
#define WORKLOAD_ASM_H

#include <stdint.h>

/* A function that is neither inlined, cloned nor seen through by its callers. */
#ifdef __has_attribute
#if __has_attribute(noipa)
#define own_function __attribute__((noipa))
#endif
#endif
#ifndef own_function
#define own_function __attribute__((noinline))
#endif

/* The value is used, as far as the compiler knows. */
#define keep(value) __asm__ volatile("" : "+r"(value))

/* gcc leaves the frame out of a leaf function that uses no stack, whatever -fno-omit-frame-pointer says, and
 * its caller would be missing from call chains. */
#define keep_frame() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

/* xorshift64: an index that no prefetcher guesses. Source: Marsaglia 2003, "Xorshift RNGs". */
static inline uint64_t next_random(uint64_t state)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^ (state << 17);
}

/* turns iterations of x = x * factor + 1, four instructions each; turns is not 0. */
static inline uint64_t arithmetic(uint64_t turns, uint64_t x)
{
	const uint64_t factor = 6364136223846793005u;

#if defined(__x86_64__)
	__asm__ volatile("1:\n\timul %2, %0\n\tinc %0\n\tdec %1\n\tjnz 1b"
			 : "+r"(x), "+r"(turns) : "r"(factor) : "cc");
#elif defined(__aarch64__)
	__asm__ volatile("1:\n\tmul %0, %0, %2\n\tadd %0, %0, #1\n\tsubs %1, %1, #1\n\tb.ne 1b"
			 : "+r"(x), "+r"(turns) : "r"(factor) : "cc");
#else
	for (; turns; turns--) {
		x = x * factor + 1;
		keep(x);
	}
#endif
	return x;
}

#endif
