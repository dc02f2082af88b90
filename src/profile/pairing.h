/* Which function of build A is which function of build B. Knows names, places and code hashes; nothing of samples. */
#ifndef PROFILE_PAIRING_H
#define PROFILE_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* One function of one build, or everything unresolved of one object (name NULL). Strings are borrowed. */
struct pair_item {
	const char *object;     /* path of the binary, "[kernel.kallsyms]", … */
	const char *build_id;   /* hex; NULL: unknown */
	const char *name;       /* mangled; NULL: no symbol */
	const char *shown;      /* demangled */
	const char *file;       /* where it is declared; NULL: unknown */
	uint64_t start;         /* ELF address */
	uint64_t size;          /* bytes of code */
	uint64_t exact_hash;    /* of its bytes; 0: unknown */
	uint64_t code_hash;     /* of its instructions, what relocation changes masked; 0: unknown */
	bool is_inlined;        /* copies inlined into others: no code of its own */
};

/* Why two sides are one row; the order is the order of trust. */
enum pair_rule {
	PAIR_SAME_BYTES,    /* one build id, one address */
	PAIR_NAME,          /* name and object */
	PAIR_NAME_FILE,     /* name and declaring file: other object, or one of several statics */
	PAIR_NAME_CODE,     /* one of several of that name, told apart by its code */
	PAIR_CANONICAL,     /* name without compiler suffixes */
	PAIR_SIGNATURE,     /* name without parameters and template arguments */
	PAIR_MOVED,         /* name alone: moved to another object or file */
	PAIR_CODE,          /* same machine code under another name */
	PAIR_AMBIGUOUS,     /* several of one name a side that nothing tells apart, as one row */
	PAIR_UNRESOLVED,    /* no symbols: the object's rest */
	PAIR_NEW,           /* only in B */
	PAIR_GONE,          /* only in A */
};
const char *pair_rule_text(enum pair_rule rule); /* "name", "name without suffixes", … */

enum code_state { CODE_UNKNOWN, CODE_IDENTICAL, CODE_CHANGED };

struct pair {
	const size_t *a, *b;     /* indexes of the items of each side; several when clones were folded */
	size_t a_count, b_count; /* 0: new or gone */
	enum pair_rule rule;
	enum code_state code;
	bool object_renamed;     /* the objects have different names */
	bool merged;             /* functions with one machine code were folded into one on the other side */
};

struct pairing_setup {
	bool keep_clones;            /* .cold, .part, .constprop … as rows of their own */
	enum pair_rule last_rule;    /* loosest rule to use; PAIR_AMBIGUOUS: all */
};

struct pairing;

/* The arrays and their strings are borrowed until the pairing is destroyed. */
struct pairing *pairing_create(const struct pair_item *a, size_t a_count, const struct pair_item *b, size_t b_count,
			       const struct pairing_setup *setup);
/* Every item of both sides stands in exactly one pair. Borrowed. */
size_t pairing_pairs(const struct pairing *pairing, const struct pair **ret);
void pairing_destroy(struct pairing *pairing);
DEFINE_GUARD(pairing)

#endif
