/* Lists of CPUs as text: "0-3,5". */
#ifndef MEASURE_CPU_LIST_H
#define MEASURE_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* CPU numbers, each once, rising, in an array the caller frees. Errors: ERROR_USAGE for bad syntax. */
must_use struct error *cpu_list_parse(const char *text, int **ret, size_t *count);
/* The online ones. */
must_use struct error *cpu_list_online(int **ret, size_t *count);
bool cpu_list_has(const int *cpus, size_t count, int cpu);

#endif
