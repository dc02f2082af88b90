/* Hartigan's dip: how far a sample is from having one mode. */
#include "stats/dip.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/random.h"

/* A chain of corners of a convex or concave hull of the points (x[i], i); corner[0] is where the walk begins. */
struct hull {
	size_t *corner;
	size_t count;
};

struct dip_search {
	const double *x;
	size_t count;
	size_t *below, *above; /* next corner of the convex minorant to the left, of the concave majorant to the right */
	struct hull convex;    /* from high down to low */
	struct hull concave;   /* from low up to high */
	size_t low, high;      /* the modal interval so far */
};

/* Is via no corner on the way from from to to? */
static bool straightens(const double *x, size_t from, size_t via, size_t to)
{
	double rise_first = fabs((double)via - (double)from), rise_next = fabs((double)to - (double)via);

	return fabs(x[to] - x[via]) * rise_first >= fabs(x[via] - x[from]) * rise_next;
}

static void link_corners(struct dip_search *s)
{
	size_t last = s->count - 1;

	s->below[0] = 0;
	for (size_t i = 1; i <= last; i++) {
		size_t via = i - 1;

		while (via != 0 && straightens(s->x, s->below[via], via, i))
			via = s->below[via];
		s->below[i] = via;
	}
	s->above[last] = last;
	for (size_t i = last; i-- > 0;) {
		size_t via = i + 1;

		while (via != last && straightens(s->x, s->above[via], via, i))
			via = s->above[via];
		s->above[i] = via;
	}
}

static void walk_hulls(struct dip_search *s)
{
	s->convex.count = s->concave.count = 0;
	for (size_t i = s->high;; i = s->below[i]) {
		s->convex.corner[s->convex.count++] = i;
		if (i <= s->low)
			break;
	}
	for (size_t i = s->low;; i = s->above[i]) {
		s->concave.corner[s->concave.count++] = i;
		if (i >= s->high)
			break;
	}
}

/* Height at x[i] of the chord between two points, above the first one. */
static double chord(const double *x, size_t from, size_t to, size_t i)
{
	return (x[i] - x[from]) * ((double)to - (double)from) / (x[to] - x[from]);
}

struct gap {
	double size;
	size_t convex, concave; /* places in the hulls that bound it */
};

/* The largest vertical distance between the two hulls, met at a corner of either. */
static struct gap largest_gap(const struct dip_search *s)
{
	const size_t *convex = s->convex.corner, *concave = s->concave.corner;
	size_t left = s->convex.count - 2, right = 1; /* the corners to be met next */
	struct gap gap = { 0, s->convex.count - 1, s->concave.count - 1 };

	if (s->convex.count == 2 && s->concave.count == 2) {
		gap.size = 1;
		return gap;
	}
	do {
		double size;

		if (convex[left] > concave[right]) {
			size_t from = convex[left + 1], at = concave[right];

			size = (double)at - (double)from + 1 - chord(s->x, from, convex[left], at);
			right++;
			if (size >= gap.size)
				gap = (struct gap){ size, left + 1, right - 1 };
		} else {
			size_t from = concave[right - 1], at = convex[left];

			size = chord(s->x, from, concave[right], at) - ((double)at - (double)from - 1);
			if (size >= gap.size)
				gap = (struct gap){ size, left, right };
			if (left)
				left--;
		}
		if (right == s->concave.count)
			right--;
	} while (convex[left] != concave[right]);
	return gap;
}

/* How far the steps between two corners stray from their chord; side +1 above it, -1 below. */
static double stray(const double *x, size_t from, size_t to, int side)
{
	double most = 1;

	if (to - from <= 1 || x[to] == x[from])
		return most;
	for (size_t i = from; i <= to; i++)
		most = fmax(most, side * ((double)(i - from) - chord(x, from, to, i)) + 1);
	return most;
}

static double modal_dip(const struct dip_search *s, const struct gap *gap)
{
	double dip = 0;

	for (size_t i = gap->convex; i + 1 < s->convex.count; i++)
		dip = fmax(dip, stray(s->x, s->convex.corner[i + 1], s->convex.corner[i], 1));
	for (size_t i = gap->concave; i + 1 < s->concave.count; i++)
		dip = fmax(dip, stray(s->x, s->concave.corner[i], s->concave.corner[i + 1], -1));
	return dip;
}

static double search_dip(struct dip_search *s)
{
	double dip = 1;

	link_corners(s);
	for (s->low = 0, s->high = s->count - 1;;) {
		struct gap gap;
		size_t low, high;

		walk_hulls(s);
		gap = largest_gap(s);
		if (gap.size < dip)
			break;
		dip = fmax(dip, modal_dip(s, &gap));
		low = s->convex.corner[gap.convex];
		high = s->concave.corner[gap.concave];
		if (low == s->low && high == s->high)
			break;
		s->low = low;
		s->high = high;
	}
	return dip / (2.0 * s->count);
}

double dip_statistic(const double *values, size_t count)
{
	auto_free double *sorted = descriptive_sorted(values, count);
	auto_free size_t *places = memory_zeroed(4 * count, sizeof(*places));
	struct dip_search search = { .x = sorted, .count = count, .below = places, .above = places + count,
				     .convex = { places + 2 * count, 0 }, .concave = { places + 3 * count, 0 } };

	if (count < 2 || sorted[0] == sorted[count - 1])
		return 0;
	return search_dip(&search);
}

double dip_p(double dip, size_t count, size_t draws, struct random *random)
{
	auto_free double *sample = memory_zeroed(count, sizeof(*sample));
	size_t as_far = 0;

	for (size_t draw = 0; draw < draws; draw++) {
		for (size_t i = 0; i < count; i++)
			sample[i] = random_uniform(random);
		as_far += dip_statistic(sample, count) >= dip;
	}
	return (double)as_far / draws;
}
