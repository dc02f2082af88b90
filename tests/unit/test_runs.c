#include "runs/runs.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "unit/test.h"

static const char *const command_a[] = { "./old", "in put", NULL };
static const char *const command_b[] = { "./new", "caf\xc3\xa9", NULL };
static const char *const printed[] = { "rps" };
static const char *const plan[] = { "gate=wall", "threshold.wall=0.01" };

static struct runs *example(const char *kind)
{
	struct runs *runs = runs_create(kind);

	runs->seed = 18446744073709551615u;
	runs->plan = plan;
	runs->plan_count = 2;
	runs->arm_count = 2;
	runs->arms = runs_alloc(runs, 2, sizeof(*runs->arms));
	runs->arms[0] = (struct run_arm){ "A", command_a, "00aabb", NULL };
	runs->arms[1] = (struct run_arm){ "B", command_b, NULL, "ff" };
	runs->event_count = 2;
	runs->events = runs_alloc(runs, 2, sizeof(*runs->events));
	runs->events[0] = (struct run_event){ .name = "cycles", .unit = "", .scale = 1 };
	runs->events[1] = (struct run_event){ .name = "task-clock", .unit = "msec", .scale = 1e-6, .group = 1 };
	runs->printed = printed;
	runs->printed_count = 1;
	return runs;
}

static struct run *add(struct runs *runs, uint32_t block, uint32_t arm)
{
	struct run *run = runs_add(runs);

	run->block = block;
	run->arm = arm;
	run->wall_ns = 1000 + block;
	run->counts[0] = (struct run_count){ 9007199254740993u, 5, 4, COUNT_OK }; /* 2^53 + 1 */
	run->counts[1].state = COUNT_NOT_IN_RUN;
	return run;
}

static const char *temporary(void)
{
	static char path[] = "/tmp/perfmini-test-runs-XXXXXX";
	static int made;

	if (!made++)
		close(mkstemp(path));
	return path;
}

static struct runs *reload(void)
{
	struct runs *runs;

	assert_success(runs_load(temporary(), &runs));
	return runs;
}

void test_runs__a_saved_file_comes_back_whole(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = example("ab");
	struct run *run = add(runs, 7, 1);

	run->counts[0].value = 18446744073709551615u;
	run->printed[0] = 0.1;
	run->output_hash = 0xfedcba9876543210u;
	run->status = 139;
	run->void_why = "status 139";
	run->is_void = true;
	run->flags = RUN_STEAL | RUN_MIGRATED;
	add(runs, 8, 0);
	assert_success(runs_save(runs, temporary()));

	cleanup(runs_guard) struct runs *back = reload();

	assert_int_equal(back->count, 2);
	assert_int_equal(back->seed, 18446744073709551615u);
	assert_string_equal(back->arms[0].command[1], "in put");
	assert_string_equal(back->arms[1].command[1], "caf\xc3\xa9");
	assert_null(back->arms[0].command[2]);
	assert_string_equal(runs_plan(back, "gate"), "wall");
	assert_null(runs_plan(back, "gat"));
	assert_string_equal(back->events[1].unit, "msec");
	assert_true(back->events[1].scale == 1e-6);
	assert_true(back->items[0].counts[0].value == 18446744073709551615u);
	assert_true(back->items[1].counts[0].value == 9007199254740993u);
	assert_int_equal(back->items[1].counts[1].state, COUNT_NOT_IN_RUN);
	assert_true(back->items[0].printed[0] == 0.1);
	assert_true(isnan(back->items[1].printed[0]));
	assert_true(back->items[0].output_hash == 0xfedcba9876543210u);
	assert_int_equal(back->items[0].flags, RUN_STEAL | RUN_MIGRATED);
	assert_true(back->items[0].is_void && !back->items[1].is_void);
	assert_int_equal(back->items[1].cpu, -1);
	assert_null(back->cut);
}

void test_runs__a_full_disk_leaves_the_old_file(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = example("stat");
	struct error *err = runs_save(runs, "/proc/none/runs.json");

	assert_non_null(err);
	error_destroy(err);
}

/* Every way to cut an ab file: whole blocks stay, and nothing else does. */
void test_runs__a_cut_file_keeps_its_whole_blocks(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = example("ab");
	auto_free char *bytes = NULL;
	size_t size, kept_before = 0;

	for (uint32_t block = 0; block < 3; block++) {
		add(runs, block, 1);
		add(runs, block, 0);
	}
	assert_success(runs_save(runs, temporary()));
	assert_success(file_read(temporary(), &bytes, &size));

	size_t header = strcspn(bytes, "\n") + 1;

	for (size_t cut = header; cut < size; cut++) {
		struct runs *part;

		assert_success(runs_parse(bytes, cut, "cut", &part));
		assert_int_equal(part->count % 2, 0);
		assert_true(part->count >= kept_before);
		assert_non_null(part->cut);
		assert_true(part->whole_bytes <= cut);
		assert_true(part->whole_bytes == header || bytes[part->whole_bytes - 1] == '\n');
		kept_before = part->count;
		runs_destroy(part);
	}
	assert_int_equal(kept_before, 6);
}

void test_runs__a_cut_stat_file_is_refused(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = example("stat");
	auto_free char *bytes = NULL;
	size_t size;

	add(runs, 0, 0);
	assert_success(runs_save(runs, temporary()));
	assert_success(file_read(temporary(), &bytes, &size));
	for (size_t cut = 0; cut < size; cut++) {
		struct runs *part = NULL;

		assert_failure(runs_parse(bytes, cut, "cut", &part), ERROR_FORMAT, "cut: ");
		assert_null(part);
	}
}

static void assert_resumed(struct runs *runs)
{
	cleanup(runs_guard) struct runs *half = reload();
	cleanup(runs_writer_guard) struct runs_writer *writer = NULL;

	assert_int_equal(half->count, 2);
	assert_non_null(strstr(half->cut, "2 whole runs kept"));
	assert_success(runs_writer_resume(half, temporary(), &writer));
	add(runs, 1, 0);
	add(runs, 1, 1);
	assert_success(runs_writer_append(writer, runs, 2));
	assert_success(runs_writer_finish(writer, runs));

	cleanup(runs_guard) struct runs *whole = reload();

	assert_int_equal(whole->count, 4);
	assert_null(whole->cut);
}

void test_runs__a_writer_is_resumed_after_a_crash(void **state)
{
	(void)state;
	cleanup(runs_guard) struct runs *runs = example("ab");
	struct runs_writer *writer;

	assert_success(runs_writer_create(runs, temporary(), &writer));
	add(runs, 0, 0);
	add(runs, 0, 1);
	assert_success(runs_writer_append(writer, runs, 0));
	runs_writer_destroy(writer);

	FILE *file = fopen(temporary(), "a");

	fputs("{\"arm\":0,\"block\":1,\"counts\":[\"not-coun", file);
	fclose(file);
	assert_resumed(runs);
}

static void assert_refused(const char *header, const char *run, const char *message)
{
	auto_free char *bytes = memory_format("%s\n%s\n", header, run);
	struct runs *runs = NULL;

	assert_failure(runs_parse(bytes, strlen(bytes), "bad", &runs), ERROR_FORMAT, message);
	assert_null(runs);
}

#define HEADER(extra)                                                                        \
	"{\"perfmini_runs\":1,\"kind\":\"ab\",\"seed\":1,\"plan\":[],\"settings\":[],\"arms\":[{\"name\":\"A\"," \
	"\"command\":[\"x\"]}],\"events\":[{\"name\":\"e\",\"scale\":1,\"group\":0}],\"printed\":[]" extra "}"
#define RUN(counts) "{\"arm\":0,\"block\":0,\"counts\":" counts "}"

void test_runs__bad_files_are_refused_by_place(void **state)
{
	(void)state;
	assert_refused("not json", "", "bad: line 1, column");
	assert_refused("[]", "", "line 1: not an object");
	assert_refused("{\"perfmini_runs\":0}", "", "not a runs file");
	assert_refused("{\"perfmini_runs\":1,\"kind\":\"x\"}", "", "\"kind\"");
	assert_refused(HEADER(), RUN("[[NaN,1,1]]"), "line 2, column");
	assert_refused(HEADER(), RUN("[[-1,1,1]]"), "line 2: a count is not");
	assert_refused(HEADER(), RUN("[[1e300,1,1]]"), "line 2: a count is not");
	assert_refused(HEADER(), RUN("[[\"99999999999999999999\",1,1]]"), "line 2: a count is not");
	assert_refused(HEADER(), RUN("[]"), "0 counts for 1 events");
	assert_refused(HEADER(), RUN("[\"lost\"]"), "count state 'lost'");
	assert_refused(HEADER(), "{\"block\":0,\"counts\":[[1,1,1]]}", "without \"arm\"");
	assert_refused(HEADER(), "{\"arm\":1,\"block\":0,\"counts\":[[1,1,1]]}", "arm 1, but there are 1");
	assert_refused(HEADER(), "{\"arm\":-1,\"block\":0,\"counts\":[[1,1,1]]}", "\"arm\" is out of range");
	assert_refused(HEADER(), RUN("[[1,1,1]]") "\n" RUN("[[1,1,1]]"), "line 3: arm 0 twice in block 0");
	assert_refused(HEADER(), "{\"end\":true,\"runs\":3}", "does not count the 0 runs");
	assert_refused(HEADER(), "{\"end\":true,\"runs\":0}\n{}", "more after the end line");
}

void test_runs__a_future_version_is_unsupported(void **state)
{
	(void)state;
	struct runs *runs;

	assert_failure(runs_parse("{\"perfmini_runs\":2}\n", 20, "new", &runs), ERROR_UNSUPPORTED, "new: runs format 2");
}
