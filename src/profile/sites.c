/* From raw addresses and chains to site and stack numbers. */
#include "profile/sites.h"

#include <string.h>

#include "base/memory.h"

enum { SITE_CACHE = 1 << 14, STACK_CACHE = 1 << 15, CHAIN_MAX = 65536 / 8 };

struct profile_scratch {
	struct tuples site_keys; /* object and mark, offset */
	struct site_cache {
		uint64_t layout, address;
		uint32_t mode_plus_one, site;
	} sites[SITE_CACHE];
	struct stack_cache {
		uint64_t layout, first, second;
		uint32_t count, stack;
	} stacks[STACK_CACHE];
	uint32_t chain[2 * CHAIN_MAX];
};

struct profile_scratch *profile_scratch_create(void)
{
	struct profile_scratch *scratch = memory_zeroed(1, sizeof(*scratch));

	scratch->site_keys.words = 2;
	return scratch;
}

void profile_scratch_destroy(struct profile_scratch *scratch)
{
	if (!scratch)
		return;
	tuples_release(&scratch->site_keys);
	free(scratch);
}

static uint32_t intern_site(struct profile *profile, const struct location *location, uint64_t address)
{
	uint64_t key[2] = { (uint64_t)location->object << 8 | (uint8_t)location->mark, location->offset };
	uint32_t number = tuples_intern(&profile->scratch->site_keys, key);

	if (number < profile->site_count)
		return number;
	array_grow(&profile->sites, profile->site_count, &profile->site_capacity);
	profile->sites[profile->site_count++] =
		(struct site){ location->object, location->mark, location->offset, address };
	return number;
}

uint32_t profile_site(struct profile *profile, const struct space_view *view, unsigned cpumode, uint64_t address)
{
	uint64_t hash = (address ^ (view->layout >> 7) ^ cpumode) * 0x9e3779b97f4a7c15u;
	struct site_cache *cached = &profile->scratch->sites[hash >> 50];
	struct location location;

	if (cached->address == address && cached->layout == view->layout && cached->mode_plus_one == cpumode + 1)
		return cached->site;
	space_find(profile->space, view, cpumode, address, &location);
	*cached = (struct site_cache){ view->layout, address, cpumode + 1, intern_site(profile, &location, address) };
	return cached->site;
}

/* The cpumode a context word announces; false for one nobody knows. */
static bool context_mode(uint64_t word, unsigned *mode)
{
	switch ((int64_t)word) {
	case (int64_t)PERF_CONTEXT_HV:
		*mode = PERF_RECORD_MISC_HYPERVISOR;
		return true;
	case (int64_t)PERF_CONTEXT_KERNEL:
		*mode = PERF_RECORD_MISC_KERNEL;
		return true;
	case (int64_t)PERF_CONTEXT_USER:
		*mode = PERF_RECORD_MISC_USER;
		return true;
	case (int64_t)PERF_CONTEXT_GUEST_KERNEL:
		*mode = PERF_RECORD_MISC_GUEST_KERNEL;
		return true;
	case (int64_t)PERF_CONTEXT_GUEST:
	case (int64_t)PERF_CONTEXT_GUEST_USER:
		*mode = PERF_RECORD_MISC_GUEST_USER;
		return true;
	default:
		return false;
	}
}

/* Sites of the chain, innermost first, into the scratch array. */
static size_t chain_sites(struct profile *profile, const struct space_view *view, const struct chain *chain)
{
	uint32_t *sites = profile->scratch->chain;
	unsigned mode = PERF_RECORD_MISC_USER;
	size_t count = 0;

	for (size_t i = 0; i < chain->count && count < chain->limit; i++) {
		if (chain->words[i] < (uint64_t)PERF_CONTEXT_MAX)
			sites[count++] = profile_site(profile, view, mode, chain->words[i]);
		else if (chain->words[i] == (uint64_t)-640) /* PERF_CONTEXT_USER_DEFERRED: a cookie follows */
			break;
		else if (!context_mode(chain->words[i], &mode))
			return 0;
	}
	for (size_t i = 0; i < chain->more_count && count < chain->limit; i++)
		sites[count++] = profile_site(profile, view, PERF_RECORD_MISC_USER, chain->more[i]);
	return count;
}

static uint32_t intern_stack(struct profile *profile, size_t count)
{
	const uint32_t *sites = profile->scratch->chain;
	uint32_t stack = 0;

	while (count--) {
		uint64_t node = (uint64_t)stack << 32 | sites[count];

		stack = tuples_intern(&profile->stacks, &node);
	}
	return stack;
}

uint32_t profile_stack(struct profile *profile, const struct space_view *view, const struct chain *chain)
{
	uint64_t first = view->layout, second = chain->count;

	if (chain->more_count)
		return intern_stack(profile, chain_sites(profile, view, chain));
	for (size_t i = 0; i < chain->count; i++) {
		first = (first ^ chain->words[i]) * 0x9e3779b97f4a7c15u;
		first ^= first >> 32;
		second = (second + chain->words[i]) * 0xd6e8feb86659fd93u;
	}

	struct stack_cache *cached = &profile->scratch->stacks[(first >> 20) & (STACK_CACHE - 1)];

	if (cached->first == first && cached->second == second && cached->layout == view->layout &&
	    cached->count == chain->count)
		return cached->stack;

	uint32_t stack = intern_stack(profile, chain_sites(profile, view, chain));

	*cached = (struct stack_cache){ view->layout, first, second, (uint32_t)chain->count, stack };
	return stack;
}
