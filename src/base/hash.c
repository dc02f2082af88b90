/* Hashes for tables in memory. */
#include "base/hash.h"

#include <string.h>

uint64_t hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint64_t hash = size;

	for (; size >= sizeof(uint64_t); at += sizeof(uint64_t), size -= sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, at, sizeof(word));
		hash = hash_combine(hash, word);
	}
	if (size) {
		uint64_t word = 0;

		memcpy(&word, at, size);
		hash = hash_combine(hash, word);
	}
	return hash_word(hash);
}
