/* Tables of the kernel's own events. Source: perf_event_open(2) for types and configs, perf-list(1) for names. */
#include "event/generic.h"

#include <linux/perf_event.h>
#include <string.h>
#include <strings.h>

#include "base/attr.h"
#include "base/memory.h"

#define HARDWARE(name, alias, id, text) { name, alias, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, text }
#define SOFTWARE(name, alias, id, text) { name, alias, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, text }

static const struct generic_event named[] = {
	HARDWARE("cycles", "cpu-cycles", CPU_CYCLES, "CPU cycles, at the frequency of the moment"),
	HARDWARE("instructions", NULL, INSTRUCTIONS, "instructions retired"),
	HARDWARE("branches", "branch-instructions", BRANCH_INSTRUCTIONS, "branch instructions retired"),
	HARDWARE("branch-misses", NULL, BRANCH_MISSES, "branches predicted wrong"),
	HARDWARE("cache-references", NULL, CACHE_REFERENCES, "accesses to the last-level cache, usually"),
	HARDWARE("cache-misses", NULL, CACHE_MISSES, "misses of the last-level cache, usually"),
	HARDWARE("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
		 "cycles in which no instruction was delivered"),
	HARDWARE("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND,
		 "cycles in which none could be executed or retired"),
	HARDWARE("bus-cycles", NULL, BUS_CYCLES, "cycles of the bus"),
	HARDWARE("ref-cycles", NULL, REF_CPU_CYCLES, "cycles at the reference frequency"),
	SOFTWARE("task-clock", NULL, TASK_CLOCK, "time on a CPU, of the task"),
	SOFTWARE("cpu-clock", NULL, CPU_CLOCK, "time on a CPU, by the CPU's clock"),
	SOFTWARE("context-switches", "cs", CONTEXT_SWITCHES, "switches to another task"),
	SOFTWARE("cpu-migrations", "migrations", CPU_MIGRATIONS, "moves to another CPU"),
	SOFTWARE("page-faults", "faults", PAGE_FAULTS, "page faults"),
	SOFTWARE("minor-faults", NULL, PAGE_FAULTS_MIN, "page faults mended without reading a disk"),
	SOFTWARE("major-faults", NULL, PAGE_FAULTS_MAJ, "page faults that read a disk"),
	SOFTWARE("alignment-faults", NULL, ALIGNMENT_FAULTS, "unaligned accesses the kernel mended"),
	SOFTWARE("emulation-faults", NULL, EMULATION_FAULTS, "instructions the kernel emulated"),
	SOFTWARE("bpf-output", NULL, BPF_OUTPUT, "records written by BPF programs"),
	SOFTWARE("cgroup-switches", NULL, CGROUP_SWITCHES, "switches to a task of another cgroup"),
	SOFTWARE("dummy", NULL, DUMMY, "counts nothing"),
};

size_t generic_count(void)
{
	return ARRAY_SIZE(named);
}

const struct generic_event *generic_at(size_t index)
{
	return &named[index];
}

/* A cache event is CACHE[-OPERATION][-RESULT]; the first name of each row is the one listed. */
struct cache_word {
	unsigned id;
	const char *names[6];
};

static const struct cache_word caches[] = {
	{ PERF_COUNT_HW_CACHE_L1D, { "L1-dcache", "l1-d", "l1d", "L1-data" } },
	{ PERF_COUNT_HW_CACHE_L1I, { "L1-icache", "l1-i", "l1i", "L1-instruction" } },
	{ PERF_COUNT_HW_CACHE_LL, { "LLC", "L2" } },
	{ PERF_COUNT_HW_CACHE_DTLB, { "dTLB", "d-tlb", "Data-TLB" } },
	{ PERF_COUNT_HW_CACHE_ITLB, { "iTLB", "i-tlb", "Instruction-TLB" } },
	{ PERF_COUNT_HW_CACHE_BPU, { "branch", "branches", "bpu", "btb", "bpc" } },
	{ PERF_COUNT_HW_CACHE_NODE, { "node" } },
};

static const struct cache_word operations[] = {
	{ PERF_COUNT_HW_CACHE_OP_READ, { "load", "loads", "read" } },
	{ PERF_COUNT_HW_CACHE_OP_WRITE, { "store", "stores", "write" } },
	{ PERF_COUNT_HW_CACHE_OP_PREFETCH, { "prefetch", "prefetches", "speculative-read", "speculative-load" } },
};

static const struct cache_word results[] = {
	{ PERF_COUNT_HW_CACHE_RESULT_ACCESS, { "refs", "Reference", "ops", "access" } },
	{ PERF_COUNT_HW_CACHE_RESULT_MISS, { "misses", "miss" } },
};

/* Which operations exist: 1 << operation, by cache. Source: perf-list(1) lists no others. */
static const unsigned operations_of[] = {
	[PERF_COUNT_HW_CACHE_L1D] = 7, [PERF_COUNT_HW_CACHE_L1I] = 5, [PERF_COUNT_HW_CACHE_LL] = 7,
	[PERF_COUNT_HW_CACHE_DTLB] = 7, [PERF_COUNT_HW_CACHE_ITLB] = 1, [PERF_COUNT_HW_CACHE_BPU] = 1,
	[PERF_COUNT_HW_CACHE_NODE] = 7,
};

/* The longest name of the table that begins text and ends at a '-' or the end; returns its length, 0: none. */
static size_t word_match(const struct cache_word *words, size_t count, const char *text, unsigned *id)
{
	size_t best = 0;

	for (size_t i = 0; i < count; i++)
		for (const char *const *name = words[i].names; name < words[i].names + 6 && *name; name++) {
			size_t length = strlen(*name);

			if (length <= best || strncasecmp(text, *name, length) ||
			    (text[length] && text[length] != '-'))
				continue;
			best = length;
			*id = words[i].id;
		}
	return best;
}

static const char *after_word(const char *text, size_t length)
{
	return text[length] == '-' ? text + length + 1 : text + length;
}

static bool cache_find(const char *name, uint64_t *config)
{
	unsigned cache, operation = PERF_COUNT_HW_CACHE_OP_READ, result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	size_t length = word_match(caches, ARRAY_SIZE(caches), name, &cache);

	if (!length)
		return false;
	name = after_word(name, length);
	length = word_match(operations, ARRAY_SIZE(operations), name, &operation);
	if (!(operations_of[cache] & 1u << operation))
		return false;
	if (length)
		name = after_word(name, length);
	if (*name) {
		length = word_match(results, ARRAY_SIZE(results), name, &result);
		name += length;
	}
	if (*name)
		return false;
	*config = cache | operation << 8 | result << 16;
	return true;
}

static bool is_named(const char *known, const char *name)
{
	return known && !strcmp(known, name);
}

bool generic_find(const char *name, size_t length, struct generic_event *ret)
{
	auto_free char *word = memory_strndup(name, length);
	uint64_t config;

	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (is_named(named[i].name, word) || is_named(named[i].alias, word)) {
			*ret = named[i];
			return true;
		}
	if (!cache_find(word, &config))
		return false;
	*ret = (struct generic_event){ .type = PERF_TYPE_HW_CACHE, .config = config };
	return true;
}

static const char *const plural[] = { "loads", "stores", "prefetches" };
static const char *const singular[] = { "load", "store", "prefetch" };

void generic_each_cache(void (*visit)(const char *name, uint64_t config, void *closure), void *closure)
{
	for (size_t cache = 0; cache < ARRAY_SIZE(caches); cache++)
		for (unsigned op = 0; op < ARRAY_SIZE(plural); op++) {
			if (!(operations_of[caches[cache].id] & 1u << op))
				continue;

			auto_free char *accesses = memory_format("%s-%s", caches[cache].names[0], plural[op]);
			auto_free char *misses = memory_format("%s-%s-misses", caches[cache].names[0], singular[op]);
			uint64_t config = caches[cache].id | op << 8;

			visit(accesses, config, closure);
			visit(misses, config | PERF_COUNT_HW_CACHE_RESULT_MISS << 16, closure);
		}
}
