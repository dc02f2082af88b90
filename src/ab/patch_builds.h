/* The two builds of a patch: a worktree for each commit, built once and kept. */
#ifndef AB_PATCH_BUILDS_H
#define AB_PATCH_BUILDS_H

#include <stddef.h>

#include "base/error.h"

struct patch_builds;

struct patch_setup {
	const char *range; /* "BASE..CHANGE", or NULL */
	const char *patch; /* a file applied on HEAD, or NULL */
	const char *build; /* for /bin/sh in each worktree, or NULL */
	const char *keep;  /* directory of the builds; NULL: perfmini-builds in the repository's .git */
};

/**
 * Check out and build both sides; what an earlier call built is used again.
 *
 * Errors: ERROR_USAGE: no such commit, a dirty tree, equal sides. ERROR_OS: the build failed (its message says which).
 */
must_use struct error *patch_builds_create(const struct patch_setup *setup, struct patch_builds **ret);
const char *patch_builds_directory(const struct patch_builds *builds, size_t side); /* where its command runs */
const char *patch_builds_commit(const struct patch_builds *builds, size_t side);    /* 12 digits, "+patch" */
void patch_builds_destroy(struct patch_builds *builds); /* the builds stay */
DEFINE_GUARD(patch_builds)

#endif
