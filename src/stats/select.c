/* The k-th smallest of many numbers that are never written out. */
#include "stats/select.h"

#include <stdint.h>
#include <string.h>

/* Doubles in their own order as whole numbers, so that the middle of two is one of them. */
static int64_t place_of(double x)
{
	int64_t bits;

	x += 0.0; /* -0 becomes 0 */
	memcpy(&bits, &x, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double double_at(int64_t place)
{
	int64_t bits = place < 0 ? INT64_MIN - place : place;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

double select_kth(select_count *count, const void *context, double low, double high, size_t k)
{
	int64_t below = place_of(low), above = place_of(high);

	while (below < above) {
		int64_t middle = (below & above) + ((below ^ above) >> 1); /* no overflow, rounds down */

		if (count(context, double_at(middle)) >= k)
			above = middle;
		else
			below = middle + 1;
	}
	return double_at(above);
}
