#include "profile/pairing.h"

#include <stdio.h>

#include "base/memory.h"
#include "unit/test.h"

static const struct pairing_setup all_rules = { .last_rule = PAIR_AMBIGUOUS };

/* One item a side. */
static struct pair pair_of(const struct pair_item *a, const struct pair_item *b, size_t *count)
{
	cleanup(pairing_guard) struct pairing *pairing = pairing_create(a, a != NULL, b, b != NULL, &all_rules);
	const struct pair *pairs;

	*count = pairing_pairs(pairing, &pairs);
	return pairs[0];
}

#define F(...) { .size = 64, __VA_ARGS__ }

static const struct {
	struct pair_item a, b;
	enum pair_rule rule; /* PAIR_GONE: not paired */
} cases[] = {
	{ F(.object = "/a/prog", .build_id = "11", .name = "f", .start = 16),
	  F(.object = "/b/other", .build_id = "11", .name = "f", .start = 16), PAIR_SAME_BYTES },
	{ F(.object = "/a/prog", .build_id = "11", .name = "f", .start = 16),
	  F(.object = "/b/prog", .build_id = "22", .name = "f", .start = 99), PAIR_NAME },
	{ F(.object = "p", .name = "f", .code_hash = 1), F(.object = "p", .name = "f", .code_hash = 2), PAIR_NAME },
	{ F(.object = "p", .name = "f"), F(.object = "p", .name = "f.constprop.0.isra.0"), PAIR_CANONICAL },
	{ F(.object = "p", .name = "f.llvm.1"), F(.object = "p", .name = "f.llvm.2"), PAIR_CANONICAL },
	{ F(.object = "p", .name = "_Z3sigmi", .shown = "sig(unsigned long, int)"),
	  F(.object = "p", .name = "_Z3sigml", .shown = "sig(unsigned long, long)"), PAIR_SIGNATURE },
	{ F(.object = "p", .name = "f"), F(.object = "/l/libw.so.1", .name = "f"), PAIR_NAME }, /* objects share it */
	{ F(.object = "libw.so.1.0", .name = "f"), F(.object = "libw.so.1.1", .name = "f"), PAIR_NAME },
	{ F(.object = "[kernel.kallsyms]", .build_id = "1", .name = "schedule"),
	  F(.object = "[kernel.kallsyms]_stext", .build_id = "2", .name = "schedule"), PAIR_NAME },
	{ F(.object = "p", .name = "old", .code_hash = 7), F(.object = "p", .name = "new", .code_hash = 7), PAIR_CODE },
	{ F(.object = "p", .name = "f"), F(.object = "p", .name = "g"), PAIR_GONE },
	/* A few bytes of equal code say nothing. */
	{ { .object = "p", .name = "f", .code_hash = 7, .size = 8 },
	  { .object = "p", .name = "g", .code_hash = 7, .size = 8 }, PAIR_GONE },
};

void test_pairing__each_rule_pairs_what_it_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t count;
		struct pair pair = pair_of(&cases[i].a, &cases[i].b, &count);

		if (pair.rule != cases[i].rule)
			fail_msg("case %zu (%s, %s): %s", i, cases[i].a.name, cases[i].b.name,
				 pair_rule_text(pair.rule));
		assert_int_equal(count, cases[i].rule == PAIR_GONE ? 2 : 1);
	}
}

/* Find the row that holds item index of side A. */
static const struct pair *row_of(const struct pairing *pairing, size_t index)
{
	const struct pair *pairs;
	size_t count = pairing_pairs(pairing, &pairs);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < pairs[i].a_count; j++)
			if (pairs[i].a[j] == index)
				return &pairs[i];
	fail_msg("item %zu stands in no row", index);
	return NULL;
}

void test_pairing__two_statics_of_one_name_stay_two_rows(void **state)
{
	(void)state;
	const struct pair_item a[] = { F(.object = "p", .name = "work", .file = "/s/x.c", .start = 1),
				       F(.object = "p", .name = "work", .file = "/s/y.c", .start = 2) };
	const struct pair_item b[] = { F(.object = "p", .name = "work", .file = "/s/y.c", .start = 1),
				       F(.object = "p", .name = "work", .file = "/s/x.c", .start = 2) };
	cleanup(pairing_guard) struct pairing *pairing = pairing_create(a, 2, b, 2, &all_rules);

	assert_int_equal(row_of(pairing, 0)->b[0], 1);
	assert_int_equal(row_of(pairing, 1)->b[0], 0);
	assert_int_equal(row_of(pairing, 0)->rule, PAIR_NAME_FILE);
}

void test_pairing__statics_without_files_are_told_apart_by_code(void **state)
{
	(void)state;
	const struct pair_item a[] = { F(.object = "p", .name = "work", .code_hash = 5),
				       F(.object = "p", .name = "work", .code_hash = 6) };
	const struct pair_item b[] = { F(.object = "p", .name = "work", .code_hash = 6),
				       F(.object = "p", .name = "work", .code_hash = 5) };
	cleanup(pairing_guard) struct pairing *pairing = pairing_create(a, 2, b, 2, &all_rules);

	assert_int_equal(row_of(pairing, 0)->b[0], 1);
	assert_int_equal(row_of(pairing, 0)->rule, PAIR_NAME_CODE);
	assert_int_equal(row_of(pairing, 0)->code, CODE_IDENTICAL);
}

void test_pairing__what_nothing_tells_apart_is_one_ambiguous_row(void **state)
{
	(void)state;
	const struct pair_item a[] = { F(.object = "p", .name = "work"), F(.object = "p", .name = "work") };
	cleanup(pairing_guard) struct pairing *pairing = pairing_create(a, 2, a, 2, &all_rules);

	assert_int_equal(row_of(pairing, 0)->rule, PAIR_AMBIGUOUS);
	assert_int_equal(row_of(pairing, 0)->a_count, 2);
	assert_int_equal(row_of(pairing, 0)->b_count, 2);
}

void test_pairing__a_cold_part_joins_its_function(void **state)
{
	(void)state;
	const struct pair_item a[] = { F(.object = "p", .name = "work") };
	const struct pair_item b[] = { F(.object = "p", .name = "work.cold"), F(.object = "p", .name = "work") };
	const struct pairing_setup clones = { .keep_clones = true, .last_rule = PAIR_AMBIGUOUS };
	cleanup(pairing_guard) struct pairing *folded = pairing_create(a, 1, b, 2, &all_rules);
	cleanup(pairing_guard) struct pairing *apart = pairing_create(a, 1, b, 2, &clones);

	assert_int_equal(row_of(folded, 0)->b_count, 2);
	assert_int_equal(row_of(apart, 0)->b_count, 1);
}

void test_pairing__lambda_numbers_are_not_trusted(void **state)
{
	(void)state;
	const struct pair_item a[] = { F(.object = "p", .name = "_ZZ4mainENKUlmE_clEm", .code_hash = 9,
					 .shown = "main::{lambda(unsigned long)#1}::operator()(unsigned long) const") };
	const struct pair_item b[] = { F(.object = "p", .name = "_ZZ4mainENKUlmE_clEm", .code_hash = 3,
					 .shown = "main::{lambda(unsigned long)#1}::operator()(unsigned long) const"),
				       F(.object = "p", .name = "_ZZ4mainENKUlmE0_clEm", .code_hash = 9,
					 .shown = "main::{lambda(unsigned long)#2}::operator()(unsigned long) const") };
	cleanup(pairing_guard) struct pairing *pairing = pairing_create(a, 1, b, 2, &all_rules);

	assert_int_equal(row_of(pairing, 0)->b[0], 1);
}

void test_pairing__folded_code_merges_the_functions_it_came_from(void **state)
{
	(void)state;
	const struct pair_item a[] = { F(.object = "p", .name = "get", .code_hash = 4),
				       F(.object = "p", .name = "load", .code_hash = 4) };
	const struct pair_item b[] = { F(.object = "p", .name = "load", .code_hash = 4) };
	cleanup(pairing_guard) struct pairing *pairing = pairing_create(a, 2, b, 1, &all_rules);

	assert_ptr_equal(row_of(pairing, 0), row_of(pairing, 1));
	assert_true(row_of(pairing, 0)->merged);
}

void test_pairing__unresolved_rests_pair_by_object(void **state)
{
	(void)state;
	const struct pair_item a[] = { { .object = "/a/p", .build_id = "1" }, { .object = "/lib/q" } };
	const struct pair_item b[] = { { .object = "/b/p", .build_id = "2" } };
	cleanup(pairing_guard) struct pairing *pairing = pairing_create(a, 2, b, 1, &all_rules);

	assert_int_equal(row_of(pairing, 0)->rule, PAIR_UNRESOLVED);
	assert_int_equal(row_of(pairing, 0)->b_count, 1);
	assert_int_equal(row_of(pairing, 1)->rule, PAIR_UNRESOLVED);
	assert_int_equal(row_of(pairing, 1)->b_count, 0);
}

/* The property: known edits over many functions; every function must be paired with itself. */
enum edit { EDIT_NONE, EDIT_SUFFIX, EDIT_RENAME, EDIT_MOVE, EDIT_SPLIT, EDIT_SIGNATURE, EDIT_COUNT };

struct edited {
	struct pair_item *a, *b;
	size_t *truth; /* of each item of B: its item of A */
	size_t count, b_count;
	struct arena *arena;
};

static char *named(struct arena *arena, const char *format, size_t number)
{
	auto_free char *text = memory_format(format, number);

	return arena_strdup(arena, text);
}

static void edit_function(struct edited *profile, size_t i, enum edit edit)
{
	struct pair_item *a = &profile->a[i], *b = &profile->b[profile->b_count];

	*a = (struct pair_item){ .object = "/old/prog", .build_id = "a0", .start = 64 * i, .size = 60,
				 .name = named(profile->arena, "_Z3fn%zui", i), .code_hash = 1000 + i,
				 .shown = named(profile->arena, "fn%zu(int)", i) };
	*b = *a;
	b->object = "/new/prog";
	b->build_id = "b0";
	b->start = 64 * i + 4096;
	profile->truth[profile->b_count++] = i;
	if (edit == EDIT_SUFFIX)
		b->name = named(profile->arena, "_Z3fn%zui.constprop.0", i);
	if (edit == EDIT_RENAME) {
		b->name = named(profile->arena, "_Z5other%zui", i);
		b->shown = named(profile->arena, "other%zu(int)", i);
	}
	if (edit == EDIT_MOVE)
		b->object = "/new/libmoved.so.1";
	if (edit == EDIT_SIGNATURE) {
		b->name = named(profile->arena, "_Z3fn%zul", i);
		b->shown = named(profile->arena, "fn%zu(long)", i);
		b->code_hash += 1000000;
	}
	if (edit == EDIT_SPLIT) {
		profile->b[profile->b_count] = *b;
		profile->b[profile->b_count].name = named(profile->arena, "_Z3fn%zui.cold", i);
		profile->b[profile->b_count].code_hash = 77777777 + i;
		profile->truth[profile->b_count++] = i;
	}
}

void test_pairing__known_edits_are_undone(void **state)
{
	(void)state;
	enum { FUNCTIONS = 6000 };
	cleanup(arena_guard) struct arena *arena = arena_create();
	struct edited profile = { .arena = arena, .count = FUNCTIONS };

	profile.a = arena_alloc(arena, FUNCTIONS * sizeof(*profile.a));
	profile.b = arena_alloc(arena, 2 * FUNCTIONS * sizeof(*profile.b));
	profile.truth = arena_alloc(arena, 2 * FUNCTIONS * sizeof(*profile.truth));
	for (size_t i = 0; i < FUNCTIONS; i++)
		edit_function(&profile, i, i % EDIT_COUNT);

	cleanup(pairing_guard) struct pairing *pairing =
		pairing_create(profile.a, FUNCTIONS, profile.b, profile.b_count, &all_rules);
	const struct pair *pairs;
	size_t count = pairing_pairs(pairing, &pairs), right = 0, items = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < pairs[i].b_count; j++)
			right += pairs[i].a_count == 1 && profile.truth[pairs[i].b[j]] == pairs[i].a[0];
		items += pairs[i].a_count + pairs[i].b_count;
	}
	printf("# pairing: recall %zu of %zu\n", right, profile.b_count);
	assert_int_equal(items, FUNCTIONS + profile.b_count);
	assert_int_equal(right, profile.b_count);
}
