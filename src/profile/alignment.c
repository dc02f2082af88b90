/* Myers' greedy algorithm, restarted where it went furthest when the difference is large. */
#include "profile/alignment.h"

#include <stdbool.h>

#include "base/memory.h"

/* Differences looked at in one go; the paths take a quarter of its square in words. */
enum { DIFFERENCES_MAX = 1000 };

struct aligning {
	const uint32_t *a, *b;
	size_t a_count, b_count;
	size_t a_done, b_done;       /* where the path begins now */
	struct alignment_match *matches;
	size_t count, capacity;
	int64_t *reach;              /* [2 DIFFERENCES_MAX + 3], by diagonal: how far in a */
	int64_t *paths[DIFFERENCES_MAX + 1]; /* reach as it was before each difference: [2 d + 3] */
};

static void add_match(struct aligning *aligning, size_t a, size_t b)
{
	array_grow(&aligning->matches, aligning->count, &aligning->capacity);
	aligning->matches[aligning->count++] = (struct alignment_match){ a, b };
}

/* From where diagonal k comes with d differences: down (an element of b more) or right. */
static bool comes_from_above(const int64_t *reach, int64_t d, int64_t k)
{
	return k == -d || (k != d && reach[k - 1] < reach[k + 1]);
}

static int64_t slide(const struct aligning *aligning, int64_t x, int64_t k)
{
	int64_t a_left = (int64_t)(aligning->a_count - aligning->a_done);
	int64_t b_left = (int64_t)(aligning->b_count - aligning->b_done);

	while (x < a_left && x - k < b_left && x - k >= 0 &&
	       aligning->a[aligning->a_done + (size_t)x] == aligning->b[aligning->b_done + (size_t)(x - k)])
		x++;
	return x;
}

static void save_path(struct aligning *aligning, const int64_t *reach, int64_t d)
{
	int64_t *path = memory_alloc((size_t)(2 * d + 3) * sizeof(*path));

	for (int64_t k = -d - 1; k <= d + 1; k++)
		path[k + d + 1] = reach[k];
	aligning->paths[d] = path;
}

/* The diagonal that ends both sequences, or at the limit the one that went furthest. False: go on with d + 1. */
static bool advance(struct aligning *aligning, int64_t *reach, int64_t d, int64_t *end)
{
	int64_t a_left = (int64_t)(aligning->a_count - aligning->a_done);
	int64_t b_left = (int64_t)(aligning->b_count - aligning->b_done);
	int64_t best = -1;

	save_path(aligning, reach, d);
	for (int64_t k = -d; k <= d; k += 2) {
		int64_t x = comes_from_above(reach, d, k) ? reach[k + 1] : reach[k - 1] + 1;
		bool is_inside;

		reach[k] = x = slide(aligning, x, k);
		if (x >= a_left && x - k >= b_left) {
			*end = k;
			return true;
		}
		is_inside = x <= a_left && x - k <= b_left;
		if (is_inside && 2 * x - k > best) {
			best = 2 * x - k;
			*end = k;
		}
	}
	return d == DIFFERENCES_MAX && best > 0;
}

/* Walk the path back; its matches come last first, and are then turned round. */
static void trace(struct aligning *aligning, int64_t d, int64_t k, int64_t x)
{
	size_t first = aligning->count;

	for (; d >= 0; d--) {
		const int64_t *reach = aligning->paths[d] + d + 1;
		bool above = comes_from_above(reach, d, k);
		int64_t begin = above ? reach[k + 1] : reach[k - 1] + 1;

		for (; x > begin; x--)
			add_match(aligning, aligning->a_done + (size_t)(x - 1), aligning->b_done + (size_t)(x - 1 - k));
		x = above ? begin : begin - 1;
		k += above ? 1 : -1;
	}
	for (size_t low = first, high = aligning->count; low + 1 < high; low++) {
		struct alignment_match saved = aligning->matches[--high];

		aligning->matches[high] = aligning->matches[low];
		aligning->matches[low] = saved;
	}
}

/* One stretch of the path. Returns false when nothing is left. */
static bool align_stretch(struct aligning *aligning)
{
	int64_t *reach = aligning->reach + DIFFERENCES_MAX + 1;
	int64_t d = 0, k = 0, x;

	if (aligning->a_done == aligning->a_count || aligning->b_done == aligning->b_count)
		return false;
	reach[1] = 0;
	/* Diagonal 0 starts at 0 as if it came from above. */
	reach[-1] = -1;
	while (!advance(aligning, reach, d, &k) && d < DIFFERENCES_MAX) {
		d++;
		reach[d + 1] = reach[-d - 1] = -1;
	}
	x = reach[k];
	trace(aligning, d, k, x);
	for (int64_t i = 0; i <= d; i++)
		free(aligning->paths[i]);
	aligning->a_done += (size_t)x;
	aligning->b_done += (size_t)(x - k);
	return true;
}

size_t alignment_match(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count,
		       struct alignment_match **ret)
{
	struct aligning *aligning = memory_zeroed(1, sizeof(*aligning));
	size_t count, tail = 0;

	*aligning = (struct aligning){ .a = a, .b = b, .a_count = a_count, .b_count = b_count };
	aligning->reach = memory_zeroed(2 * DIFFERENCES_MAX + 5, sizeof(*aligning->reach));
	while (tail < a_count && tail < b_count && a[a_count - 1 - tail] == b[b_count - 1 - tail])
		tail++;
	aligning->a_count -= tail;
	aligning->b_count -= tail;
	while (align_stretch(aligning))
		continue;
	for (; tail; tail--)
		add_match(aligning, a_count - tail, b_count - tail);
	*ret = aligning->matches;
	count = aligning->count;
	free(aligning->reach);
	free(aligning);
	return count;
}
