#include <linux/perf_event.h>

#include "base/intern.h"
#include "perfdata/record.h"
#include "profile/index.h"
#include "profile/range_tree.h"
#include "profile/space.h"
#include "unit/test.h"

/* Side-band records by hand; each holds what its decoder wants. */
struct space_fixture {
	struct intern *names;
	struct objects *objects;
	struct space *space;
	uint64_t offset;
};

static void fixture_init(struct space_fixture *fixture)
{
	fixture->names = intern_create();
	fixture->objects = objects_create(fixture->names);
	fixture->space = space_create(fixture->objects, fixture->names);
	fixture->offset = 0;
}

static void fixture_release(struct space_fixture *fixture)
{
	space_destroy(fixture->space);
	objects_destroy(fixture->objects);
	intern_destroy(fixture->names);
}

static void add(struct space_fixture *fixture, uint32_t type, uint16_t misc, uint64_t time_ns, const void *body,
		size_t size)
{
	struct record record = { .type = type, .misc = misc, .size = (uint32_t)size + 8, .body = body,
				 .attr_index = SIZE_MAX, .time_ns = time_ns, .file_offset = ++fixture->offset };

	assert_success(space_add(fixture->space, &record));
}

static void add_mapping(struct space_fixture *fixture, uint64_t time_ns, uint32_t pid, uint64_t start,
			uint64_t length, const char *path)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, length, offset;
		char path[32];
	} body = { pid, pid, start, length, 0, "" };

	strncpy(body.path, path, sizeof(body.path) - 1);
	add(fixture, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, time_ns, &body, sizeof(body));
}

static void add_fork(struct space_fixture *fixture, uint64_t time_ns, uint32_t parent, uint32_t pid)
{
	struct {
		uint32_t pid, parent_pid, tid, parent_tid;
		uint64_t time_ns;
	} body = { pid, parent, pid, parent, time_ns };

	add(fixture, PERF_RECORD_FORK, 0, time_ns, &body, sizeof(body));
}

static void add_comm(struct space_fixture *fixture, uint64_t time_ns, uint32_t pid, const char *comm, bool is_exec)
{
	struct {
		uint32_t pid, tid;
		char comm[16];
	} body = { pid, pid, "" };

	strncpy(body.comm, comm, sizeof(body.comm) - 1);
	add(fixture, PERF_RECORD_COMM, is_exec ? PERF_RECORD_MISC_COMM_EXEC : 0, time_ns, &body, sizeof(body));
}

static void assert_held(struct space_fixture *fixture, uint64_t time_ns, uint32_t pid, uint64_t address,
			const char *shown)
{
	struct space_view view;
	struct location location;

	space_look(fixture->space, pid, (struct moment){ time_ns, 1000 }, &view);
	space_find(fixture->space, &view, PERF_RECORD_MISC_USER, address, &location);
	assert_string_equal(fixture->objects->items[location.object].shown, shown);
}

void test_space__the_newest_mapping_holds_an_address(void **state)
{
	(void)state;
	struct space_fixture fixture;

	fixture_init(&fixture);
	add_mapping(&fixture, 20, 7, 0x2000, 0x1000, "/b"); /* written before the older one */
	add_mapping(&fixture, 10, 7, 0x1000, 0x4000, "/a");
	space_seal(fixture.space);
	assert_held(&fixture, 15, 7, 0x2800, "a");
	assert_held(&fixture, 25, 7, 0x2800, "b");
	assert_held(&fixture, 25, 7, 0x3800, "a");
	assert_held(&fixture, 5, 7, 0x2800, "[unknown]");
	assert_held(&fixture, 25, 8, 0x2800, "[unknown]");
	fixture_release(&fixture);
}

void test_space__a_fork_has_its_parents_mappings_of_that_moment(void **state)
{
	(void)state;
	struct space_fixture fixture;

	fixture_init(&fixture);
	add_mapping(&fixture, 10, 7, 0x1000, 0x1000, "/a");
	add_fork(&fixture, 20, 7, 8);
	add_mapping(&fixture, 30, 7, 0x1000, 0x1000, "/later");
	add_comm(&fixture, 40, 8, "new", true);
	add_mapping(&fixture, 41, 8, 0x5000, 0x1000, "/new");
	space_seal(fixture.space);
	assert_held(&fixture, 35, 8, 0x1800, "a");
	assert_held(&fixture, 35, 7, 0x1800, "later");
	assert_held(&fixture, 50, 8, 0x1800, "[unknown]"); /* exec cleared them */
	assert_held(&fixture, 50, 8, 0x5800, "new");
	fixture_release(&fixture);
}

void test_space__a_reused_pid_starts_anew(void **state)
{
	(void)state;
	struct space_fixture fixture;

	fixture_init(&fixture);
	add_comm(&fixture, 5, 1, "init", false);
	add_mapping(&fixture, 10, 8, 0x1000, 0x1000, "/first");
	add_comm(&fixture, 10, 8, "first", false);
	add_fork(&fixture, 50, 1, 8);
	space_seal(fixture.space);
	assert_held(&fixture, 20, 8, 0x1800, "first");
	assert_held(&fixture, 60, 8, 0x1800, "[unknown]");
	assert_string_equal(space_comm(fixture.space, 8, (struct moment){ 20, 1000 }, false), "first");
	assert_string_equal(space_comm(fixture.space, 8, (struct moment){ 60, 1000 }, false), "init");
	assert_string_equal(space_comm(fixture.space, 99, (struct moment){ 60, 1000 }, false), ":99");
	fixture_release(&fixture);
}

void test_space__equal_layouts_have_equal_views(void **state)
{
	(void)state;
	struct space_fixture fixture;
	struct space_view one, other;

	fixture_init(&fixture);
	add_mapping(&fixture, 10, 7, 0x1000, 0x1000, "/a");
	add_mapping(&fixture, 30, 8, 0x1000, 0x1000, "/a");
	add_mapping(&fixture, 40, 8, 0x9000, 0x1000, "/b");
	space_seal(fixture.space);
	space_look(fixture.space, 7, (struct moment){ 20, 0 }, &one);
	space_look(fixture.space, 8, (struct moment){ 35, 0 }, &other);
	assert_true(one.layout == other.layout);
	space_look(fixture.space, 8, (struct moment){ 45, 0 }, &other);
	assert_false(one.layout == other.layout);
	fixture_release(&fixture);
}

void test_space__tuples_are_numbered_once(void **state)
{
	(void)state;
	struct tuples tuples = { .words = 2 };

	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t tuple[2] = { i, i * 3 };

		assert_int_equal(tuples_intern(&tuples, tuple), i);
		assert_int_equal(tuples_intern(&tuples, tuple), i);
	}
	assert_int_equal(tuples.count, 1000);
	tuples_release(&tuples);
}
