#include "ab/experiment.h"

#include <math.h>
#include <string.h>

#include "ab/command_line.h"
#include "ab/drain.h"
#include "ab/printed.h"
#include "base/memory.h"
#include "unit/test.h"

/* Runs made up: every fails_every-th run of arm 1 fails. */
struct fake {
	unsigned runs[4], fails_every, interrupt_after, enough_after;
	unsigned looks[8], look_count;
	unsigned recorded[64]; /* [block], one bit an arm */
};

static struct error *fake_run(void *context, const struct run_request *request, struct runs *runs, struct run *ret)
{
	struct fake *fake = context;
	unsigned nth = ++fake->runs[request->arm];

	(void)runs;
	ret->wall_ns = 1000;
	if (request->arm == 1 && fake->fails_every && nth % fake->fails_every == 0)
		ret->status = 3;
	return NULL;
}

/* After the counted runs of its block, and once for each arm. */
static struct error *fake_record(void *context, const struct run_request *request, uint32_t block)
{
	struct fake *fake = context;

	assert_true(block < ARRAY_SIZE(fake->recorded));
	assert_int_equal(fake->runs[0], block + 1);
	assert_int_equal(fake->runs[1], block + 1);
	assert_false(fake->recorded[block] & 1u << request->arm);
	fake->recorded[block] |= 1u << request->arm;
	return NULL;
}

static bool fake_enough(void *context, const struct runs *runs, unsigned look)
{
	struct fake *fake = context;

	fake->looks[fake->look_count++] = (unsigned)experiment_valid_blocks(runs);
	assert_int_equal(look, fake->look_count - 1);
	return experiment_valid_blocks(runs) >= fake->enough_after;
}

static bool fake_interrupted(void *context)
{
	struct fake *fake = context;

	return fake->interrupt_after && fake->runs[0] + fake->runs[1] >= fake->interrupt_after;
}

static const char *const words[] = { "x", NULL };

static struct plan *two_arms(void)
{
	struct plan *plan = plan_create();

	plan->arm_count = 2;
	plan->arms = arena_alloc(plan->arena, 2 * sizeof(*plan->arms));
	plan->arms[0] = (struct plan_arm){ .name = "A", .words = words };
	plan->arms[1] = (struct plan_arm){ .name = "B", .words = words };
	plan->seed = 42;
	plan->blocks = 20;
	return plan;
}

static struct runs *empty_runs(void)
{
	struct runs *runs = runs_create("ab");

	runs->arm_count = 2;
	runs->arms = runs_alloc(runs, 2, sizeof(*runs->arms));
	return runs;
}

static enum experiment_end run_with(const struct plan *plan, struct runs *runs, struct fake *fake)
{
	struct experiment experiment = { plan, runs, NULL, { fake_run, fake, fake_record, fake },
					 { fake_enough, NULL, fake_interrupted, fake } };
	enum experiment_end end;

	assert_success(experiment_run(&experiment, &end));
	return end;
}

void test_experiment__every_block_holds_each_arm_once(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = two_arms();
	cleanup(runs_guard) struct runs *runs = empty_runs();
	struct fake fake = { 0 };
	unsigned a_first = 0;

	assert_int_equal(run_with(plan, runs, &fake), EXPERIMENT_ENOUGH);
	assert_int_equal(runs->count, 40);
	for (size_t i = 0; i < runs->count; i += 2) {
		assert_int_equal(runs->items[i].block, i / 2);
		assert_int_equal(runs->items[i].arm + runs->items[i + 1].arm, 1);
		assert_int_equal(runs->items[i].padding_bytes, runs->items[i + 1].padding_bytes);
		a_first += runs->items[i].arm == 0;
	}
	assert_in_range(a_first, 4, 16);
	assert_int_equal(fake.look_count, 0);
}

/* Arm 1 fails in its fifteenth run, of block 14. */
void test_experiment__records_every_other_block_that_counts(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = two_arms();
	cleanup(runs_guard) struct runs *runs = empty_runs();
	struct fake fake = { .fails_every = 15 };

	plan->record_every = 2;
	assert_int_equal(run_with(plan, runs, &fake), EXPERIMENT_ENOUGH);
	for (uint32_t block = 0; block < 21; block++)
		assert_int_equal(fake.recorded[block], block % 2 || block == 14 ? 0 : 3);
}

void test_experiment__a_failed_run_voids_its_block_by_name(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = two_arms();
	cleanup(runs_guard) struct runs *runs = empty_runs();
	struct fake fake = { .fails_every = 15 };

	assert_int_equal(run_with(plan, runs, &fake), EXPERIMENT_ENOUGH);
	assert_int_equal(experiment_valid_blocks(runs), 20);
	assert_int_equal(experiment_void_blocks(runs), 1);
	for (size_t i = 0; i < runs->count; i++)
		if (runs->items[i].is_void)
			assert_string_equal(runs->items[i].void_why, runs->items[i].arm ? "exit status 3" :
									     "its block is void: B");
}

void test_experiment__one_failure_in_five_is_too_many(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = two_arms();
	cleanup(runs_guard) struct runs *runs = empty_runs();
	struct fake fake = { .fails_every = 5 };

	assert_int_equal(run_with(plan, runs, &fake), EXPERIMENT_VOID);
	assert_int_equal(experiment_void_blocks(runs), 3);
}

void test_experiment__an_interrupt_drops_only_its_block_and_is_resumed(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = two_arms();
	cleanup(runs_guard) struct runs *runs = empty_runs();
	cleanup(runs_guard) struct runs *straight = empty_runs();
	struct fake fake = { .interrupt_after = 9 }, calm = { 0 };

	assert_int_equal(run_with(plan, runs, &fake), EXPERIMENT_INTERRUPTED);
	assert_int_equal(runs->count, 8);
	fake.interrupt_after = 0;
	assert_int_equal(run_with(plan, runs, &fake), EXPERIMENT_ENOUGH);
	assert_int_equal(run_with(plan, straight, &calm), EXPERIMENT_ENOUGH);
	assert_int_equal(runs->count, 40);
	for (size_t i = 0; i < 40; i++) /* the same order and paddings as without the interrupt */
		assert_true(runs->items[i].arm == straight->items[i].arm &&
			    runs->items[i].padding_bytes == straight->items[i].padding_bytes);
}

void test_experiment__looks_come_at_10_20_40_80(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = two_arms();
	cleanup(runs_guard) struct runs *runs = empty_runs();
	struct fake fake = { .enough_after = 40 };

	assert_success(plan_set_until(plan, "decided"));
	assert_int_equal(run_with(plan, runs, &fake), EXPERIMENT_ENOUGH);
	assert_int_equal(fake.look_count, 3);
	assert_int_equal(fake.looks[0], 10);
	assert_int_equal(fake.looks[1], 20);
	assert_int_equal(fake.looks[2], 40);
	assert_int_equal(experiment_valid_blocks(runs), 40);
}

void test_experiment__conditions_groups_and_layouts_are_balanced(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = two_arms();
	unsigned quiet = 0, groups[3] = { 0 }, layouts[2] = { 0 };

	plan->background = "sleep 9";
	plan->group_count = 3;
	plan->layouts = 2;
	for (uint64_t slot = 0; slot < 24; slot++) {
		struct plan_cell cell = plan_cell(plan, slot);

		quiet += !strcmp(cell.condition, "quiet");
		groups[cell.group]++;
		layouts[cell.layout]++;
	}
	assert_int_equal(quiet, 12);
	assert_int_equal(groups[0], 8);
	assert_int_equal(groups[2], 8);
	assert_int_equal(layouts[1], 12);
}

void test_plan__abba_turns_every_second_block_round(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = two_arms();
	size_t order[2], reversed[2], first_is_a = 0;

	plan->is_abba = true;
	plan->group_count = 3;
	plan->background = "sleep 9";
	for (uint64_t slot = 0; slot < 80; slot += 2) {
		struct plan_cell one = plan_cell(plan, slot), other = plan_cell(plan, slot + 1);

		/* Void blocks in between move the numbers of blocks, not the order. */
		plan_order(plan, slot + 5, &one, order);
		plan_order(plan, slot + 9, &other, reversed);
		assert_true(order[0] == reversed[1] && order[1] == reversed[0] && order[0] != order[1]);
		assert_true(one.group == other.group && one.condition == other.condition && one.layout == other.layout);
		first_is_a += order[0] == 0;
	}
	assert_in_range(first_is_a, 8, 32);
}

void test_plan__blocks_come_from_durations_alone(void **state)
{
	(void)state;
	static const struct {
		double seconds;
		size_t groups;
		uint64_t blocks;
	} cases[] = { { 0.001, 1, 60 }, { 1, 1, 30 }, { 100, 1, 10 }, { 100, 3, 18 }, { 1.07, 3, 30 } };

	for (size_t i = 0; i < 5; i++) {
		cleanup(plan_guard) struct plan *plan = plan_create();

		plan->group_count = cases[i].groups;
		plan_choose_blocks(plan, cases[i].seconds);
		assert_int_equal(plan->blocks, cases[i].blocks);
	}
}

void test_plan__until_is_read_or_refused(void **state)
{
	(void)state;
	cleanup(plan_guard) struct plan *plan = plan_create();

	assert_success(plan_set_until(plan, "+-0.5%"));
	assert_true(plan->precision == 0.005 && plan->until == UNTIL_PRECISE);
	assert_success(plan_set_until(plan, "±2%"));
	assert_true(plan->precision == 0.02);
	assert_success(plan_set_until(plan, "decided:40"));
	assert_int_equal(plan->blocks, 40);
	assert_failure(plan_set_until(plan, "decided:5"), ERROR_USAGE, "from 10 to 2000");
	assert_failure(plan_set_until(plan, "decided:"), ERROR_USAGE, "neither");
	assert_failure(plan_set_until(plan, "+-0%"), ERROR_USAGE, "neither");
	assert_failure(plan_set_until(plan, "soon"), ERROR_USAGE, "neither");
}

void test_command_line__splits_and_joins_as_a_shell(void **state)
{
	(void)state;
	cleanup(arena_guard) struct arena *arena = arena_create();
	const char *const *split;

	assert_success(command_line_split(arena, "./p 'a b' \"c d\" e\\ f", false, &split));
	assert_string_equal(split[1], "a b");
	assert_string_equal(split[3], "e f");
	assert_null(split[4]);

	auto_free char *joined = command_line_join(split);

	assert_string_equal(joined, "./p 'a b' 'c d' 'e f'");
	assert_failure(command_line_split(arena, "./p 'open", false, &split), ERROR_USAGE, "quote is left open");
	assert_failure(command_line_split(arena, "  ", false, &split), ERROR_USAGE, "no command");
}

void test_command_line__scans_fill_placeholders(void **state)
{
	(void)state;
	cleanup(arena_guard) struct arena *arena = arena_create();
	struct scan scan;

	assert_success(scan_parse(arena, "t=1,2,16", &scan));
	assert_int_equal(scan.count, 3);
	assert_string_equal(scan.values[2], "16");
	assert_string_equal(command_line_replace(arena, "p {t} -j{t} {x}", "t", "16"), "p 16 -j16 {x}");
	assert_failure(scan_parse(arena, "t=", &scan), ERROR_USAGE, "is not name=value");
}

void test_drain__hashes_all_and_keeps_the_beginning(void **state)
{
	(void)state;
	cleanup(drain_guard) struct drain *drain = NULL;
	int out, err;

	assert_success(drain_create(3, &out, &err, &drain));
	assert_int_equal(write(out, "123456789", 9), 9);
	assert_int_equal(write(err, "one\ntwo\n\n", 9), 9);
	drain_started(drain);

	const struct drained *got = drain_finish(drain);

	/* The check values of CRC-32 and Adler-32 for "123456789". */
	assert_true(got->hash == 0xcbf43926091e01deu);
	assert_string_equal(got->text, "123");
	assert_string_equal(got->last_error, "two");
	assert_int_equal(got->bytes, 9);
	assert_false(got->held_open);
}

/* More than a pipe holds: the writer waits for the reader, and nothing is lost. */
void test_drain__reads_beside_a_command_that_writes_much(void **state)
{
	static char much[3 << 20];
	cleanup(drain_guard) struct drain *drain = NULL;
	int out, err;

	(void)state;
	assert_success(drain_create(5, &out, &err, &drain));
	out = dup(out);
	drain_started(drain);
	assert_success(drain_read(drain));
	assert_success(drain_read(drain)); /* already */
	for (size_t i = 0; i < sizeof(much); i++)
		much[i] = (char)('a' + i % 26);
	for (size_t done = 0; done < sizeof(much);) {
		ssize_t wrote = write(out, much + done, sizeof(much) - done);

		assert_true(wrote > 0);
		done += (size_t)wrote;
	}
	close(out);

	const struct drained *got = drain_finish(drain);

	assert_int_equal(got->bytes, sizeof(much));
	assert_string_equal(got->text, "abcde");
}

static double find_in(const char *metric, const char *output)
{
	struct printed_list list = { 0 };

	assert_success(printed_list_add(&list, metric));

	double found = printed_find(&list.items[0], output);

	printed_list_release(&list);
	return found;
}

void test_printed__the_last_number_counts(void **state)
{
	(void)state;
	assert_true(find_in("rps=/requests\\/s: ([0-9.]+)/;good=higher", "requests/s: 1\nx\nrequests/s: 2.5\n") == 2.5);
	assert_true(isnan(find_in("x=/y(z)/", "yz")));
	assert_true(isnan(find_in("x=/n=([0-9]*)/", "nothing")));
	assert_true(find_in("x=/^n=([0-9]*)/", "m\nn=\nn=7") == 7);
}

void test_printed__bad_metrics_are_refused(void **state)
{
	(void)state;
	struct printed_list list = { 0 };

	assert_failure(printed_list_add(&list, "x"), ERROR_USAGE, "not NAME=/EXPRESSION/");
	assert_failure(printed_list_add(&list, "x=/a(b"), ERROR_USAGE, "no closing");
	assert_failure(printed_list_add(&list, "x=/a/"), ERROR_USAGE, "no (…)");
	assert_failure(printed_list_add(&list, "x=/(a/"), ERROR_USAGE, "--metric 'x=/(a/'");
	assert_failure(printed_list_add(&list, "x=/(a)/;good=fast"), ERROR_USAGE, "good=higher");
	assert_int_equal(list.count, 0);
}
