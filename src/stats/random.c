/* Repeatable random numbers: one seed, one sequence, on every machine. */
#include "stats/random.h"

#include <math.h>

#include "base/hash.h"

void random_seed(struct random *random, uint64_t seed)
{
	for (size_t i = 0; i < 4; i++)
		random->state[i] = hash_word(seed += 0x9e3779b97f4a7c15u);
}

static uint64_t rotate_left(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

uint64_t random_next(struct random *random)
{
	uint64_t *s = random->state, result = rotate_left(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t random_below(struct random *random, uint64_t bound)
{
	uint64_t excess = -bound % bound, word; /* 2^64 mod bound: those words would favour low results */

	do
		word = random_next(random);
	while (word < excess);
	return word % bound;
}

double random_uniform(struct random *random)
{
	return (random_next(random) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method; the second number is let go so that no state hides beside the seed. */
double random_normal(struct random *random)
{
	double x, y, square;

	do {
		x = 2 * random_uniform(random) - 1;
		y = 2 * random_uniform(random) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	return x * sqrt(-2 * log(square) / square);
}

void random_permutation(struct random *random, size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t place = random_below(random, i + 1);

		order[i] = order[place];
		order[place] = i;
	}
}
