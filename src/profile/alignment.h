/* Two sequences aligned: which element of one is which of the other. */
#ifndef PROFILE_ALIGNMENT_H
#define PROFILE_ALIGNMENT_H

#include <stddef.h>
#include <stdint.h>

struct alignment_match {
	size_t a, b;
};

/**
 * A longest common subsequence of a and b, by rising index; an array the caller frees.
 *
 * Where the sequences have little in common it may be shorter than the longest: time and memory stay bounded.
 * Source: Myers 1986, "An O(ND) Difference Algorithm and Its Variations".
 */
size_t alignment_match(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count,
		       struct alignment_match **ret);

#endif
