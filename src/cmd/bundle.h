/* The directory of one experiment of `ab`: DIR/ab.runs, DIR/profiles/ARM/BLOCK.data, DIR/binaries (a build-id cache). */
#ifndef CMD_BUNDLE_H
#define CMD_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runs/runs.h"

/* A directory that holds a runs file. */
bool bundle_is(const char *path);

/* Paths inside it; the caller frees. arm_name may hold anything. */
char *bundle_runs(const char *directory);
char *bundle_binaries(const char *directory);
char *bundle_profiles(const char *directory, size_t arm, const char *arm_name);
char *bundle_profile(const char *directory, size_t arm, const char *arm_name, uint32_t block);

/* The recordings of the blocks that count and of which every arm has one: [arm][count], run i of each of one block. */
struct bundle_recordings {
	char **paths;
	size_t arm_count, count;
};
void bundle_recordings(const char *directory, const struct runs *runs, struct bundle_recordings *ret);
/* The runs file of a bundle, and its recordings. Errors: as runs_load(); ERROR_NOT_FOUND without a recording. */
must_use struct error *bundle_load(const char *directory, struct runs **runs, struct bundle_recordings *recordings);
/* [count] of one arm. */
const char *const *bundle_recordings_of(const struct bundle_recordings *recordings, size_t arm);
void bundle_recordings_release(struct bundle_recordings *recordings);

#endif
