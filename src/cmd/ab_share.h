/* One machine's share of an experiment over several. */
#ifndef CMD_AB_SHARE_H
#define CMD_AB_SHARE_H

#include "ab/machines.h"
#include "cmd/ab.h"

struct ab_share {
	struct machine_share part; /* count 0: no share */
	uint64_t seed;             /* of the whole experiment */
};

/* The seed of one part: all parts have other ones, and the same experiment always the same. */
uint64_t ab_share_seed(const struct ab_share *share);

/* --share, --per-machine and --seed into the plan: this part's blocks and seed. share->count is 0 without --share.
 * Errors: ERROR_USAGE. */
must_use struct error *ab_share_apply(const struct ab_options *chosen, struct plan *plan, struct ab_share *share);
/* The machine's name into runs, and the part's place in the experiment behind runs->plan. */
void ab_share_describe(const struct ab_options *chosen, const struct ab_share *share, struct runs *runs);
/* Was this part's file begun on another machine, or not at all? Then it begins anew: told. */
bool ab_share_moved(const struct ab_share *share, const char *path, const struct runs *now);
/* --like FILE: refuse to measure other programs or commands. Errors: ERROR_USAGE, as runs_load(). */
must_use struct error *ab_share_check(const char *path, const struct plan *plan, const struct runs *runs);

#endif
