/* Sign-flip test: could the mean of these differences be chance if each sign were a coin toss? */
#include "stats/permutation.h"

#include <math.h>

#include "stats/random.h"

#define ENUMERATED 20
#define DRAWS 100000

struct flips {
	const double *differences;
	size_t count;
	double limit;
};

static size_t hits_below(const struct flips *flips, size_t place, double sum)
{
	if (place == flips->count)
		return fabs(sum) >= flips->limit;
	return hits_below(flips, place + 1, sum + flips->differences[place]) +
	       hits_below(flips, place + 1, sum - flips->differences[place]);
}

static double drawn_p(const struct flips *flips, struct random *random)
{
	size_t hits = 0;

	for (size_t draw = 0; draw < DRAWS; draw++) {
		double sum = 0;
		uint64_t signs = 0;

		for (size_t i = 0; i < flips->count; i++, signs >>= 1) {
			if (i % 64 == 0)
				signs = random_next(random);
			sum += signs & 1 ? flips->differences[i] : -flips->differences[i];
		}
		hits += fabs(sum) >= flips->limit;
	}
	return (1.0 + hits) / (1.0 + DRAWS);
}

double permutation_mean_p(const double *differences, size_t count, struct random *random)
{
	struct flips flips = { differences, count, 0 };
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += differences[i];
	flips.limit = fabs(sum) * (1 - 1e-12);
	if (!count)
		return 1;
	if (count > ENUMERATED)
		return drawn_p(&flips, random);
	/* The mirror image of a pattern has the same size: the first sign stays. */
	return ldexp((double)hits_below(&flips, 1, differences[0]), 1 - (int)count);
}
