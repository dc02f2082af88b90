/* Where a difference in time comes from: instructions, cycles for each of them, frequency, waiting. */
#include "ab/cause.h"

#include <math.h>
#include <string.h>

#include "ab/pairs.h"
#include "base/memory.h"
#include "stats/descriptive.h"
#include "stats/t_test.h"

static const char *const term_names[CAUSE_TERMS] = {
	[CAUSE_INSTRUCTIONS] = "instructions", [CAUSE_CPI] = "cycles per instruction", [CAUSE_CYCLES] = "cycles",
	[CAUSE_FREQUENCY] = "time per cycle",  [CAUSE_CPU_TIME] = "CPU time",          [CAUSE_WAITING] = "waiting",
};

static const char *const beside_names[CAUSE_BESIDE] = {
	[CAUSE_SWITCHES] = "context switches", [CAUSE_MINOR_FAULTS] = "minor faults",
	[CAUSE_MAJOR_FAULTS] = "major faults",
};

const char *cause_term_name(enum cause_term term)
{
	return term_names[term];
}

const char *cause_beside_name(enum cause_beside beside)
{
	return beside_names[beside];
}

/* The events of the chain, as indexes; SIZE_MAX for none. */
struct chain {
	size_t instructions, cycles;
};

#define NO_EVENT SIZE_MAX

/* "cycles", "cpu-cycles:u", "cpu_core/cycles/" are not told apart here: the first plain name counts. */
static bool is_named(const char *event, const char *name)
{
	size_t length = strlen(name);

	return strncmp(event, name, length) == 0 && (event[length] == '\0' || event[length] == ':');
}

static size_t find_event(const struct runs *runs, const char *name)
{
	for (size_t i = 0; i < runs->event_count; i++)
		if (is_named(runs->events[i].name, name))
			return i;
	return NO_EVENT;
}

static const char *modifier_of(const struct runs *runs, size_t event)
{
	const char *colon = strchr(runs->events[event].name, ':');

	return colon ? colon : "";
}

static struct chain find_chain(const struct runs *runs)
{
	struct chain chain = { find_event(runs, "instructions"), find_event(runs, "cycles") };

	if (chain.cycles == NO_EVENT)
		chain.cycles = find_event(runs, "cpu-cycles");
	/* User-mode cycles do not divide the instructions of both modes. */
	if (chain.cycles == NO_EVENT || (chain.instructions != NO_EVENT &&
	    strcmp(modifier_of(runs, chain.cycles), modifier_of(runs, chain.instructions)) != 0))
		chain.instructions = NO_EVENT;
	return chain;
}

/* Logarithms of one run's figures, NaN for what it lacks. */
struct figures {
	double wall, cpu, cycles, instructions;
};

static double log_count(const struct run *run, size_t event)
{
	if (event == NO_EVENT || run->counts[event].state != COUNT_OK)
		return NAN;
	return log((double)run->counts[event].value);
}

static struct figures figures_of(const struct run *run, const struct chain *chain)
{
	return (struct figures){ log((double)run->wall_ns), log((double)run->user_ns + (double)run->sys_ns),
				 log_count(run, chain->cycles), log_count(run, chain->instructions) };
}

static void put_terms(const struct figures *f, const struct chain *chain, double terms[CAUSE_TERMS])
{
	for (size_t i = 0; i < CAUSE_TERMS; i++)
		terms[i] = 0;
	terms[CAUSE_WAITING] = f->wall - f->cpu;
	if (chain->cycles == NO_EVENT) {
		terms[CAUSE_CPU_TIME] = f->cpu;
		return;
	}
	terms[CAUSE_FREQUENCY] = f->cpu - f->cycles;
	if (chain->instructions == NO_EVENT) {
		terms[CAUSE_CYCLES] = f->cycles;
		return;
	}
	terms[CAUSE_CPI] = f->cycles - f->instructions;
	terms[CAUSE_INSTRUCTIONS] = f->instructions;
}

static bool uses_term(const struct chain *chain, enum cause_term term)
{
	switch (term) {
	case CAUSE_WAITING:
		return true;
	case CAUSE_CPU_TIME:
		return chain->cycles == NO_EVENT;
	case CAUSE_FREQUENCY:
		return chain->cycles != NO_EVENT;
	case CAUSE_CYCLES:
		return chain->cycles != NO_EVENT && chain->instructions == NO_EVENT;
	default:
		return chain->instructions != NO_EVENT;
	}
}

static struct cause_part part_of(const double *differences, size_t count, double level)
{
	struct t_test test = t_test_one(differences, count, 0);
	struct cause_part part = { true, descriptive_mean(differences, count), t_test_interval(&test, level) };

	if (isnan(test.standard_error) && count > 1)
		part.interval = (struct interval){ part.effect, part.effect, level };
	return part;
}

/* Differences of the blocks that have every figure: [CAUSE_TERMS + 1][count], the total last. */
static size_t collect(const struct pair_list *pairs, const struct chain *chain, double *differences)
{
	size_t used = 0;

	for (size_t i = 0; i < pairs->count; i++) {
		struct figures a = figures_of(pairs->items[i].a, chain), b = figures_of(pairs->items[i].b, chain);
		double terms_a[CAUSE_TERMS], terms_b[CAUSE_TERMS], total = b.wall - a.wall, sum = 0;

		put_terms(&a, chain, terms_a);
		put_terms(&b, chain, terms_b);
		for (size_t t = 0; t < CAUSE_TERMS; t++)
			sum += terms_b[t] - terms_a[t];
		if (!isfinite(sum) || !isfinite(total))
			continue;
		for (size_t t = 0; t < CAUSE_TERMS; t++)
			differences[t * pairs->count + used] = terms_b[t] - terms_a[t];
		differences[CAUSE_TERMS * pairs->count + used++] = total;
	}
	return used;
}

static double beside_value(const struct run *run, enum cause_beside beside)
{
	switch (beside) {
	case CAUSE_SWITCHES:
		return (double)run->voluntary_switches + (double)run->involuntary_switches;
	case CAUSE_MINOR_FAULTS:
		return (double)run->minor_faults;
	default:
		return (double)run->major_faults;
	}
}

static void add_beside(struct cause *cause, const struct pair_list *pairs, double level)
{
	auto_free double *differences = memory_zeroed(pairs->count, sizeof(*differences));

	for (enum cause_beside beside = 0; beside < CAUSE_BESIDE; beside++) {
		for (size_t i = 0; i < pairs->count; i++)
			differences[i] = beside_value(pairs->items[i].b, beside) - beside_value(pairs->items[i].a, beside);
		if (pairs->count)
			cause->beside[beside] = part_of(differences, pairs->count, level);
	}
}

struct cause cause_find(const struct runs *runs, size_t arm, const char *condition, double level)
{
	struct pair_list pairs = pairs_collect(runs, arm, condition);
	auto_free struct pair *items unused = pairs.items;
	auto_free double *differences = memory_zeroed((CAUSE_TERMS + 1) * pairs.count, sizeof(*differences));
	struct cause cause = { .arm = arm, .condition = condition, .total_name = "wall" };
	struct chain chain = find_chain(runs);

	cause.blocks = collect(&pairs, &chain, differences);
	if (!cause.blocks && pairs.count) { /* the events never were on together: times alone */
		chain = (struct chain){ NO_EVENT, NO_EVENT };
		cause.blocks = collect(&pairs, &chain, differences);
	}
	add_beside(&cause, &pairs, level);
	if (!cause.blocks)
		return cause;
	cause.total = part_of(differences + CAUSE_TERMS * pairs.count, cause.blocks, level);
	for (enum cause_term term = 0; term < CAUSE_TERMS; term++)
		if (uses_term(&chain, term))
			cause.terms[term] = part_of(differences + term * pairs.count, cause.blocks, level);
	return cause;
}
