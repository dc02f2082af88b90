/* Lists of CPUs as text: "0-3,5". */
#include "measure/cpu_list.h"

#include <ctype.h>
#include <stdint.h>

#include "base/file.h"
#include "base/memory.h"

enum { CPU_LIMIT = 1 << 16 }; /* far above CONFIG_NR_CPUS of any kernel */

static bool parse_number(const char **text, int *ret)
{
	char *end;
	long number;

	if (!isdigit((unsigned char)**text))
		return false;
	number = strtol(*text, &end, 10);
	if (number >= CPU_LIMIT)
		return false;
	*text = end;
	*ret = (int)number;
	return true;
}

enum { WORD_BITS = 64 };

static bool is_wanted(const uint64_t *wanted, int cpu)
{
	return wanted[cpu / WORD_BITS] >> (cpu % WORD_BITS) & 1;
}

static bool parse_range(const char **text, uint64_t *wanted)
{
	int first, last;

	if (!parse_number(text, &first))
		return false;
	last = first;
	if (**text == '-') {
		++*text;
		if (!parse_number(text, &last) || last < first)
			return false;
	}
	for (int cpu = first; cpu <= last; cpu++)
		wanted[cpu / WORD_BITS] |= UINT64_C(1) << (cpu % WORD_BITS);
	return true;
}

static bool parse_ranges(const char *text, uint64_t *wanted)
{
	while (parse_range(&text, wanted)) {
		if (*text == '\0' || *text == '\n')
			return true;
		if (*text++ != ',')
			return false;
	}
	return false;
}

struct error *cpu_list_parse(const char *text, int **ret, size_t *count)
{
	uint64_t wanted[CPU_LIMIT / WORD_BITS] = { 0 };
	size_t capacity = 0, found = 0;
	int *cpus = NULL;

	if (!parse_ranges(text, wanted))
		return error_hint(error_new(ERROR_USAGE, "bad list of CPUs '%s'", text),
				  "write it as 0-3,5; 'lscpu' shows which CPUs there are");
	for (int cpu = 0; cpu < CPU_LIMIT; cpu++)
		if (is_wanted(wanted, cpu)) {
			array_grow(&cpus, found, &capacity);
			cpus[found++] = cpu;
		}
	*ret = cpus;
	*count = found;
	return NULL;
}

struct error *cpu_list_online(int **ret, size_t *count)
{
	auto_free char *line = NULL;
	struct error *err = file_read_line("/sys/devices/system/cpu/online", &line);

	return err ? err : cpu_list_parse(line, ret, count);
}

bool cpu_list_has(const int *cpus, size_t count, int cpu)
{
	for (size_t i = 0; i < count; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}
