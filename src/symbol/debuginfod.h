/* Files by build id from debuginfod servers: only when asked for, and not for long. */
#ifndef SYMBOL_DEBUGINFOD_H
#define SYMBOL_DEBUGINFOD_H

struct debug_search;

/* kind: "debuginfo" or "executable". The path of the file in the library's cache, which the caller frees; NULL when
 * servers may not be asked, $DEBUGINFOD_URLS names none, none has it, or search->download_deadline_ns passed. */
char *debuginfod_fetch(const struct debug_search *search, const char *kind);

#endif
