/* Repeatable random numbers: one seed, one sequence, on every machine. */
#ifndef STATS_RANDOM_H
#define STATS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Source: xoshiro256** 1.0 (Blackman and Vigna 2018), state filled by SplitMix64. */
struct random {
	uint64_t state[4];
};

void random_seed(struct random *random, uint64_t seed);
uint64_t random_next(struct random *random);
/* [0, bound) without bias; bound > 0. */
uint64_t random_below(struct random *random, uint64_t bound);
double random_uniform(struct random *random); /* [0, 1) */
double random_normal(struct random *random);  /* mean 0, sd 1 */
/* Every order equally likely: the numbers 0..count-1 into order. */
void random_permutation(struct random *random, size_t *order, size_t count);

#endif
