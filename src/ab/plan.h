/* The plan of an experiment: which arms, under which conditions, in which order, until when. */
#ifndef AB_PLAN_H
#define AB_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct arena;

struct plan_arm {
	const char *name;
	const char *const *words; /* the command, NULL-terminated; a word may hold {layout} */
	const char *directory;    /* where it runs, or NULL: here */
	const char *setup, *prepare, *conclude, *cleanup; /* for /bin/sh, or NULL */
	bool is_control;          /* a byte copy of the first arm */
};

enum plan_until { UNTIL_BLOCKS, UNTIL_DECIDED, UNTIL_PRECISE };

enum { PLAN_MIN_BLOCKS = 10, PLAN_MAX_BLOCKS = 60, PLAN_MAX_LOOK = 80, PLAN_MOST_BLOCKS = 2000,
       PLAN_PADDING = 4096 };

/* Strings and arrays are the arena's. */
struct plan {
	struct arena *arena;
	struct plan_arm *arms;
	size_t arm_count;
	uint64_t seed;
	uint64_t warmup;       /* runs of each arm that are not kept */
	uint64_t blocks;       /* a condition; 0: from durations, see plan_choose_blocks() */
	double budget_seconds; /* for plan_choose_blocks() */
	enum plan_until until;
	double precision;      /* UNTIL_PRECISE: half-width wanted, 0.005 for 0.5% */
	uint64_t layouts;      /* 0: padding drawn anew for each block */
	bool padding;
	bool is_abba;          /* blocks two by two: the second has the first one's order reversed */
	const char *background; /* the co-runner of condition "pressure", or NULL */
	size_t group_count;    /* sets of events rotated over blocks, at least 1 */
	bool ignore_failure;
	uint64_t record_every; /* the arms of every so manieth block are also recorded; 0: none */
	const char *repeat;    /* the command line that made this plan, or NULL */
	uint64_t comparison;   /* which one of the same two builds today; 0: unknown */
};

struct plan *plan_create(void);
void plan_destroy(struct plan *plan);
DEFINE_GUARD(plan)

/* "decided", "decided:160", "+-0.5%". Errors: ERROR_USAGE. */
must_use struct error *plan_set_until(struct plan *plan, const char *text);
/* Blocks a condition from the seconds that one block takes: budget / seconds, from 10 to 60, at least six for each
 * set of events. Never from differences, so no bias. */
void plan_choose_blocks(struct plan *plan, double block_seconds);
size_t plan_conditions(const struct plan *plan); /* 1 or 2 */

/* What slot s of the design is: the s-th block that counts. Depends on seed and s alone. */
struct plan_cell {
	uint64_t unit;         /* slots of one unit share group, layout and condition; with is_abba there are two */
	bool is_reversed;      /* the second of two */
	size_t group;
	uint32_t layout;
	const char *condition; /* NULL without --background; static text */
};

struct plan_cell plan_cell(const struct plan *plan, uint64_t slot);
/* The order of arms in a block, each order equally likely, or the reverse of the other block's. order: [arm_count] */
void plan_order(const struct plan *plan, uint64_t block, const struct plan_cell *cell, size_t *order);
/* Bytes of environment padding in a block: the same for all arms; one of K values with layouts. */
uint32_t plan_padding(const struct plan *plan, uint64_t block, uint32_t layout);
/* Number of slots until the next look, counted from the first: n = 10, 20, 40, 80 blocks a condition. 0 when there is
 * no further look. For UNTIL_BLOCKS the only look is the last block. */
uint64_t plan_next_look(const struct plan *plan, uint64_t slots_done);

#endif
