/* Hashes for tables in memory; never written to a file. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Mix a 64-bit word. Source: the finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t hash_word(uint64_t word)
{
	word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
	word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
	return word ^ (word >> 31);
}

static inline uint64_t hash_combine(uint64_t hash, uint64_t word)
{
	return hash_word(hash ^ (word + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2)));
}

uint64_t hash_bytes(const void *bytes, size_t size);

#endif
