/* An arm's program as it is executed: its path, its words, and a stack that begins alike for all arms. */
#ifndef AB_PROGRAM_H
#define AB_PROGRAM_H

#include "ab/plan.h"

/* The path that exec will take for name in a directory (NULL: ours), seen from here; the caller frees. */
char *program_find(const char *directory, const char *name);
/* The words of a run, {layout} filled in: an array the caller frees, strings in the arena of the plan. */
char **program_words(const struct plan *plan, size_t arm, uint32_t layout);
/* Bytes that this arm's words take less at the start of the stack than those of the longest arm. */
size_t program_shortfall(const struct plan *plan, size_t arm, uint32_t layout);
/* Our environment with one more variable, PERFMINI_PAD, of that length. The array and *variable, its last string,
 * are the caller's to free. */
char **program_environment(size_t padding, char **variable);

#endif
