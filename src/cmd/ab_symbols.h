/* The symbol diffs of a bundle: each arm's recordings against the first arm's. */
#ifndef CMD_AB_SYMBOLS_H
#define CMD_AB_SYMBOLS_H

#include "base/attr.h"
#include "base/error.h"
#include "output/ab_symbols.h"
#include "runs/runs.h"

/* [count], with what the diffs stand on. */
struct ab_symbols_list {
	struct ab_symbols *items;
	size_t count;
	struct ab_symbols_sides *sides; /* [count] */
	struct symbolizer *symbolizer; /* of all sides */
};

/* Nothing when the bundle holds no recordings. Errors: those of the reader, with the path. */
must_use struct error *ab_symbols_create(const char *directory, const struct runs *runs, struct ab_symbols_list *ret);
void ab_symbols_release(struct ab_symbols_list *list);

#endif
