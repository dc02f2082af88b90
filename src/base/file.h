/* Whole files: read at once, replaced at once. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* The whole file, NUL-terminated past *size; the caller frees. Works for /proc and /sys, whose files have
 * no size. size may be NULL. Errors: ERROR_NOT_FOUND when there is none, ERROR_OS, ERROR_PERMISSION. */
must_use struct error *file_read(const char *path, char **ret, size_t *size);
/* First line of a small file without its newline. Errors as file_read(). */
must_use struct error *file_read_line(const char *path, char **ret);
/* A whole number in a small file; false when there is none. */
bool file_read_number(const char *path, long long *ret);

/* A file that appears under its name whole, or not at all: written beside it, synced, renamed. The old
 * file survives a full disk and a crash. */
struct file_replacement;

must_use struct error *file_replace_begin(const char *path, unsigned mode, struct file_replacement **ret);
FILE *file_replace_stream(struct file_replacement *file); /* borrowed; do not close */
/* Where it is written meanwhile, for what opens files by itself. Borrowed. */
const char *file_replace_path(const struct file_replacement *file);
/* Errors: ERROR_OS (disk full…): the old file is untouched then. Takes file either way. */
must_use struct error *file_replace_commit(struct file_replacement *file);
void file_replacement_destroy(struct file_replacement *file); /* uncommitted: removes what was written */
DEFINE_GUARD(file_replacement)

/* mkdir -p. */
must_use struct error *file_make_directories(const char *path, unsigned mode);

#endif
