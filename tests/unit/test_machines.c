/* Experiments over machines: which parts belong together, and error rates by simulation. */
#include "ab/machines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ab/analysis.h"
#include "base/memory.h"
#include "stats/random.h"
#include "stats/t_test.h"
#include "unit/synthetic.h"
#include "unit/test.h"

enum { MACHINES = 8, EXPERIMENTS = 10000, LEAST_BLOCKS = 8 };
#define RUN_SD 0.02

/* Eight parts of one experiment, of 8 to 15 blocks; part i ran on machine names[i]. */
struct parts {
	struct runs *items[MACHINES];
	const char *paths[MACHINES];
};

static void set_plan(struct runs *runs, size_t index, const char *seed, const char *identity)
{
	const char **plan = runs_alloc(runs, 3, sizeof(*plan));
	auto_free char *share = memory_format("share=%zu/%d", index + 1, MACHINES);
	auto_free char *of = memory_format("experiment-seed=%s", seed), *id = memory_format("machine-id=%s", identity);

	plan[0] = runs_text(runs, share);
	plan[1] = runs_text(runs, of);
	plan[2] = runs_text(runs, id);
	runs->plan = plan;
	runs->plan_count = 3;
}

static void make(struct parts *parts)
{
	static const char *const names[] = { "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8" };
	double values[LEAST_BLOCKS + MACHINES];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		values[i] = 1e9;
	for (size_t i = 0; i < MACHINES; i++) {
		parts->items[i] = synthetic_pair(values, values, LEAST_BLOCKS + i);
		parts->items[i]->host = names[i];
		parts->items[i]->cpu_model = i < 6 ? "New" : "Old";
		parts->paths[i] = names[i];
		set_plan(parts->items[i], i, "7", names[i]);
	}
}

static void release(struct parts *parts)
{
	for (size_t i = 0; i < MACHINES; i++)
		runs_destroy(parts->items[i]);
}

static struct error *group(const struct parts *parts, size_t count, struct machine_list **ret)
{
	return machines_group((const struct runs *const *)parts->items, parts->paths, count, ret);
}

static void refused(struct parts *parts, size_t count, const char *why)
{
	struct machine_list *list = NULL;

	assert_failure(group(parts, count, &list), ERROR_USAGE, why);
	release(parts);
	make(parts);
}

void test_machines__parts_that_do_not_belong_together_are_refused(void **state)
{
	(void)state;
	struct parts parts;

	make(&parts);
	set_plan(parts.items[1], 0, "7", "m2");
	refused(&parts, MACHINES, "m1 and m2 are the same part 1 of 8");
	set_plan(parts.items[5], 5, "8", "m6");
	refused(&parts, MACHINES, "m6 is of another experiment than m1: its seed is another one");
	parts.items[7]->arms[1].content_hash = "cccc";
	refused(&parts, MACHINES, "m8 is of another experiment than m1: it ran other builds");
	parts.items[2]->events[0].name = "instructions";
	refused(&parts, MACHINES, "it counted other events");
	parts.items[3]->arms[1].name = "C";
	refused(&parts, MACHINES, "its commands have other names");
	parts.items[4]->plan_count = 0;
	refused(&parts, MACHINES, "m5 is no part of an experiment over machines");
	parts.items[6]->host = "m1";
	refused(&parts, MACHINES, "its machine is called 'm1', as another machine is");
	release(&parts);
}

void test_machines__two_parts_of_one_machine_are_one_sample(void **state)
{
	(void)state;
	struct parts parts;
	cleanup(machine_list_guard) struct machine_list *list = NULL;

	make(&parts);
	parts.items[2]->host = "m1";
	set_plan(parts.items[2], 2, "7", "m1");
	assert_success(group(&parts, 7, &list));
	assert_int_equal(list->count, 6);
	assert_int_equal(list->items[0].part_count, 2);
	assert_int_equal(list->absent, 1);
	assert_false(list->present[7]);
	assert_int_equal(list->class_count, 2);
	release(&parts);
}

/* Blocks of a machine whose true log ratio is given. */
static void fill(struct runs *runs, double effect, struct random *random)
{
	for (size_t i = 0; i < runs->count; i++) {
		double value = 1e9 * exp(RUN_SD * random_normal(random) + (runs->items[i].arm ? effect : 0));

		runs->items[i].wall_ns = runs->items[i].user_ns = (uint64_t)value;
		runs->items[i].counts[0].value = (uint64_t)value;
	}
}

/* As if all blocks were of one machine. */
static bool naive_finds(const struct parts *parts)
{
	double d[MACHINES * (LEAST_BLOCKS + MACHINES)];
	size_t count = 0;

	for (size_t m = 0; m < MACHINES; m++)
		for (size_t block = 0; block < parts->items[m]->count / 2; block++) {
			const struct run *one = &parts->items[m]->items[2 * block], *two = one + 1;

			d[count++] = log((double)(one->arm ? one : two)->wall_ns / (one->arm ? two : one)->wall_ns);
		}
	return t_test_one(d, count, 0).p < .05;
}

struct rates {
	size_t false_verdicts, naive, mean_covered, next_covered;
};

static bool is_claim(enum verdict verdict)
{
	return verdict == VERDICT_REGRESSED || verdict == VERDICT_IMPROVED || verdict == VERDICT_WORSE ||
	       verdict == VERDICT_BETTER;
}

/* Machines whose effects scatter by tau around none. */
static struct rates simulate(double tau, uint64_t seed)
{
	struct parts parts;
	cleanup(machine_list_guard) struct machine_list *list = NULL;
	struct random random;
	struct rates rates = { 0 };
	const struct analysis_options options = { 0 };

	make(&parts);
	assert_success(group(&parts, MACHINES, &list));
	random_seed(&random, seed);
	for (size_t i = 0; i < EXPERIMENTS; i++) {
		cleanup(analysis_guard) struct analysis *analysis = NULL;
		const struct comparison *wall;
		double next;

		for (size_t m = 0; m < MACHINES; m++)
			fill(parts.items[m], tau * random_normal(&random), &random);
		next = exp(tau * random_normal(&random));
		assert_success(analysis_create_machines(list, &options, &analysis));
		wall = &analysis->comparisons[0];
		rates.false_verdicts += is_claim(wall->verdict);
		rates.naive += naive_finds(&parts);
		rates.mean_covered += wall->typical.interval.low <= 1 && 1 <= wall->typical.interval.high;
		rates.next_covered += wall->machines->next.low <= next && next <= wall->machines->next.high;
	}
	release(&parts);
	return rates;
}

static double percent(size_t count)
{
	return 100.0 * (double)count / EXPERIMENTS;
}

/* Standard error of a rate of 5 % in 10 000: 0.22 points. */
void test_machines__ten_thousand_experiments_keep_their_promises(void **state)
{
	(void)state;
	static const double taus[] = { 0, 0.01, 0.03 };

	for (size_t i = 0; i < sizeof(taus) / sizeof(taus[0]); i++) {
		struct rates r = simulate(taus[i], 20261201 + i);

		print_message("machine effect sd %.1f %%: false verdicts %.2f %% (without the machine factor %.1f %%), mean "
			      "covered %.1f %%, new machine %.1f %%\n", 100 * taus[i], percent(r.false_verdicts),
			      percent(r.naive), percent(r.mean_covered), percent(r.next_covered));
		assert_true(percent(r.false_verdicts) <= 5.6);
		assert_true(percent(r.mean_covered) >= 94.3);
		assert_true(percent(r.next_covered) >= 93);
		if (taus[i] < RUN_SD / 4) /* machines that hardly differ are not told from those that do not at all */
			continue;
		assert_true(percent(r.next_covered) <= 98);
		assert_true(percent(r.naive) > 8);
	}
}
