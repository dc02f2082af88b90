/* The options that say how to sample, as text. */
#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "capture/sampling.h"

enum { DEFAULT_STACK_BYTES = 8192, MAX_STACK_BYTES = 65528 };

struct error *sampling_parse_call_graph(const char *text, struct sampling *sampling)
{
	char *end;

	if (!strcmp(text, "fp")) {
		sampling->call_graph = CALL_GRAPH_FRAME_POINTERS;
		return NULL;
	}
	if (strncmp(text, "dwarf", 5) || (text[5] && text[5] != ','))
		return error_hint(error_new(ERROR_USAGE, "unknown call graph '%s'", text),
				  "use fp, dwarf or dwarf,BYTES");

	unsigned long bytes = text[5] ? strtoul(text + 6, &end, 0) : DEFAULT_STACK_BYTES;

	if (text[5] && (!isdigit((unsigned char)text[6]) || *end))
		return error_new(ERROR_USAGE, "'%s' is no number of bytes of stack", text + 6);
	if (bytes < 8 || bytes > MAX_STACK_BYTES)
		return error_new(ERROR_USAGE, "a stack copy is 8 to %d bytes, not %lu", MAX_STACK_BYTES, bytes);
	sampling->call_graph = CALL_GRAPH_DWARF;
	sampling->stack_bytes = (uint32_t)(bytes + 7) & ~7u;
	return NULL;
}

static const struct {
	const char *name;
	uint64_t bit;
} branch_kinds[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER },	      { "k", PERF_SAMPLE_BRANCH_KERNEL },
	{ "hv", PERF_SAMPLE_BRANCH_HV },	      { "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },  { "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },  { "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "cond", PERF_SAMPLE_BRANCH_COND },	      { "call", PERF_SAMPLE_BRANCH_CALL },
	{ "call_stack", PERF_SAMPLE_BRANCH_CALL_STACK }, { "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS },  { "no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES },
};

static uint64_t branch_kind(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(branch_kinds); i++) {
		if (!strcmp(branch_kinds[i].name, name))
			return branch_kinds[i].bit;
	}
	return 0;
}

struct error *sampling_parse_branches(const char *text, uint64_t *ret)
{
	enum { PRIVILEGES = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV };
	auto_free char *copy = memory_strdup(text);
	char *rest = copy, *name;
	uint64_t all = 0;

	while ((name = strsep(&rest, ","))) {
		uint64_t bit = branch_kind(name);

		if (!bit)
			return error_hint(error_new(ERROR_USAGE, "unknown kind of branch '%s'", name),
					  "use any, any_call, any_ret, ind_call, ind_jmp, cond, call, with u or k");
		all |= bit;
	}
	/* Only a privilege: of all branches. */
	*ret = all & ~(uint64_t)PRIVILEGES ? all : all | PERF_SAMPLE_BRANCH_ANY;
	return NULL;
}

static const struct {
	const char *name;
	int clock;
} clocks[] = {
	{ "monotonic", CLOCK_MONOTONIC }, { "monotonic_raw", CLOCK_MONOTONIC_RAW }, { "mono", CLOCK_MONOTONIC },
	{ "raw", CLOCK_MONOTONIC_RAW },	  { "realtime", CLOCK_REALTIME },	    { "real", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME },	  { "boot", CLOCK_BOOTTIME },		    { "tai", CLOCK_TAI },
};

struct error *sampling_parse_clock(const char *text, int *ret)
{
	const char *name = strncasecmp(text, "CLOCK_", 6) ? text : text + 6;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (strcasecmp(name, clocks[i].name))
			continue;
		*ret = clocks[i].clock;
		return NULL;
	}
	return error_hint(error_new(ERROR_USAGE, "unknown clock '%s'", text),
			  "use monotonic, monotonic_raw, realtime, boottime or tai");
}
