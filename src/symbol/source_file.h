/* Source files by path, each read once, and their lines. */
#ifndef SYMBOL_SOURCE_FILE_H
#define SYMBOL_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct source_files;

/* Where to look; borrowed. */
struct source_setup {
	const char *prefix;   /* put before each path; NULL: none */
	unsigned strip;       /* leading directories taken off before that */
};

struct source_files *source_files_create(const struct source_setup *setup);
/* The text of a line (from 1), without its newline; NULL when the file is not there or is shorter. Borrowed. */
const char *source_line(struct source_files *files, const char *path, uint32_t line);
/* Files asked for that could not be read; an array of borrowed paths, lasting until the next source_line(). */
size_t source_files_missing(const struct source_files *files, const char *const **ret);
/* The file was written after that moment (seconds since 1970): its lines may be others. */
bool source_file_is_newer(struct source_files *files, const char *path, int64_t seconds);
void source_files_destroy(struct source_files *files);
DEFINE_GUARD(source_files)

#endif
