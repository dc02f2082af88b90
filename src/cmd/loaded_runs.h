/* Runs files as commands are given them: by path, by bundle, or by a directory of parts. */
#ifndef CMD_LOADED_RUNS_H
#define CMD_LOADED_RUNS_H

#include "base/error.h"
#include "cmd/ab.h"
#include "runs/runs.h"

struct loaded_runs {
	struct runs **items;
	char **paths;
	size_t count;
};

/* operands: NULL-terminated. A bundle is named by its directory, the parts of one experiment (DIR/part-1, …) by theirs;
 * what of a file was cut off is told. Errors: ERROR_USAGE without a file; as runs_load(). */
must_use struct error *loaded_runs_load(const char *const *operands, struct loaded_runs *ret);
void loaded_runs_release(struct loaded_runs *loaded);

/* Is one of them a part of an experiment over machines? */
bool loaded_runs_have_parts(const struct loaded_runs *loaded);
/* Merge parts by machine, judge, print. Errors: as machines_group(); ERROR_FORMAT when no block is whole. */
must_use struct error *judge_machines(const struct judge_options *judge, const struct loaded_runs *loaded, int *status);

#endif
