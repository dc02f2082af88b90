/* Code made at run time, told by its maker in /tmp/perf-PID.map. */
#ifndef SYMBOL_PERF_MAP_H
#define SYMBOL_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_table;

/* True for names of mappings without a file: //anon, [heap], [stack], /dev/zero, /memfd:…, /SYSV…, and of perf maps. */
bool perf_map_is_anonymous(const char *path);
/* The map of a process, looked for as /tmp/perf-PID.map in its own mount namespace under its innermost pid, then
 * here; path may name it outright. The caller frees both. False when there is none. */
bool perf_map_read(const char *path, uint32_t pid, char **text, size_t *size, char **file);
/* Add the lines "START SIZE name" (hexadecimal) of text, which is cut up; names are borrowed. Returns how many. */
size_t perf_map_add(struct symbol_table *table, char *text, size_t size);

#endif
