/* Counters against a kernel that is made up here: multiplexing, refusals, limits, tasks that vanish. */
#include "measure/counters.h"

#include <errno.h>
#include <math.h>
#include <sys/resource.h>

#include "measure/fit.h"
#include "unit/test.h"

enum { FIRST_FD = 100, FD_LIMIT = 64, HARDWARE_COUNTERS = 3 };

/* What the fake kernel knows of a descriptor. */
struct fake_fd {
	bool is_open, is_hardware;
	int leader; /* index of its group's */
	pid_t pid;
};

static struct fake {
	struct fake_fd fds[FD_LIMIT];
	int limit;                      /* of descriptors, then EMFILE */
	int refuse_errno;               /* for hardware events */
	pid_t gone;                     /* ESRCH */
	bool user_only;                 /* EACCES unless exclude_kernel */
	uint64_t enabled_ns, running_ns;
} fake;

static int group_hardware(int leader)
{
	int count = 0;

	for (int i = 0; i < FD_LIMIT; i++)
		count += fake.fds[i].is_open && fake.fds[i].is_hardware && fake.fds[i].leader == leader;
	return count;
}

static int refuse(int number)
{
	errno = number;
	return -1;
}

static int fake_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	bool is_hardware = attr->type == PERF_TYPE_HARDWARE;
	int at = 0;

	(void)cpu;
	(void)flags;
	while (at < fake.limit && fake.fds[at].is_open)
		at++;
	if (at == fake.limit)
		return refuse(EMFILE);
	if (pid && pid == fake.gone)
		return refuse(ESRCH);
	if (is_hardware && fake.refuse_errno)
		return refuse(fake.refuse_errno);
	if (fake.user_only && !attr->exclude_kernel)
		return refuse(EACCES);

	int leader = group_fd < 0 ? at : group_fd - FIRST_FD;

	if (is_hardware && group_hardware(leader) >= HARDWARE_COUNTERS)
		return refuse(EINVAL);
	fake.fds[at] = (struct fake_fd){ true, is_hardware, leader, pid };
	return FIRST_FD + at;
}

/* Every event counts 1000 in the time it runs; a group's read holds all its members. */
static ssize_t fake_read(int fd, void *buffer, size_t size)
{
	uint64_t *words = buffer;
	size_t count = size / sizeof(*words);

	(void)fd;
	if (count == 3) {
		words[0] = 1000;
		words[1] = fake.enabled_ns;
		words[2] = fake.running_ns;
		return (ssize_t)size;
	}
	words[0] = count - 3;
	words[1] = fake.enabled_ns;
	words[2] = fake.running_ns;
	for (size_t i = 3; i < count; i++)
		words[i] = 1000 + i;
	return (ssize_t)size;
}

static int fake_control(int fd, unsigned long request, unsigned long argument)
{
	(void)fd;
	(void)request;
	(void)argument;
	return 0;
}

static void fake_close(int fd)
{
	assert_true(fake.fds[fd - FIRST_FD].is_open);
	fake.fds[fd - FIRST_FD].is_open = false;
}

static const struct kernel fake_kernel = { fake_open, fake_read, fake_control, NULL, fake_close };

static void reset(void)
{
	fake = (struct fake){ .limit = FD_LIMIT, .enabled_ns = 100, .running_ns = 100 };
}

static int open_fds(void)
{
	int count = 0;

	for (int i = 0; i < FD_LIMIT; i++)
		count += fake.fds[i].is_open;
	return count;
}

static struct event_list *events_of(const char *text)
{
	struct event_list *events = event_list_create();

	assert_success(event_list_add(events, text));
	return events;
}

static struct target *ourselves(void)
{
	struct target *target = NULL;
	pid_t pid = getpid();

	assert_success(target_from_tids(&pid, 1, &target));
	return target;
}

static struct error *try_open(struct event_list *events, struct target *target, struct counters **ret)
{
	struct counters_setup setup = { .kernel = &fake_kernel, .events = events, .target = target, .inherit = true };

	return counters_open(&setup, ret);
}

void test_counters__a_multiplexed_count_is_extrapolated(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events = events_of("task-clock");
	cleanup(target_guard) struct target *target = ourselves();
	cleanup(counters_guard) struct counters *counters = NULL;
	struct count count;

	reset();
	fake.running_ns = 25;
	assert_success(try_open(events, target, &counters));
	assert_success(counters_read(counters, &count));
	assert_int_equal(count.value, 1000);
	assert_true(count_scaled(count) == 4000);
	fake.running_ns = 0;
	assert_success(counters_read(counters, &count));
	assert_true(isnan(count_scaled(count)));
}

void test_counters__a_group_is_read_at_once_in_order(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events = events_of("page-faults,{task-clock,context-switches}");
	cleanup(target_guard) struct target *target = ourselves();
	cleanup(counters_guard) struct counters *counters = NULL;
	struct count counts[3];

	reset();
	assert_success(try_open(events, target, &counters));
	assert_success(counters_read(counters, counts));
	assert_int_equal(counts[0].value, 1000);
	assert_int_equal(counts[1].value, 1003);
	assert_int_equal(counts[2].value, 1004);
}

void test_counters__a_group_that_does_not_fit_names_a_split(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events =
		events_of("{cycles,instructions,branches,branch-misses,cache-misses}");
	cleanup(target_guard) struct target *target = ourselves();
	struct counters *counters = NULL;

	reset();

	struct error *err = try_open(events, target, &counters);

	assert_non_null(err);
	assert_non_null(strstr(error_message(err), "group of 5"));
	assert_non_null(strstr(error_message(err), "this CPU has 3 counters, and 3 of them"));
	assert_non_null(strstr(error_hint_text(err), "{cycles,instructions,branches},{branch-misses,cache-misses}"));
	error_destroy(err);
	assert_int_equal(open_fds(), 0);
}

void test_counters__a_weak_group_that_does_not_fit_is_split(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events = events_of("{cycles,instructions,branches,cache-misses}:W");
	cleanup(target_guard) struct target *target = ourselves();
	cleanup(counters_guard) struct counters *counters = NULL;

	reset();
	assert_success(try_open(events, target, &counters));
	for (size_t i = 0; i < 4; i++)
		assert_true(counters_fd(counters, i, 0) >= FIRST_FD);
}

void test_counters__a_refused_event_leaves_the_others(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events = events_of("cycles,task-clock,instructions");
	cleanup(target_guard) struct target *target = ourselves();
	cleanup(counters_guard) struct counters *counters = NULL;
	struct count counts[3];

	reset();
	fake.refuse_errno = ENOENT;
	assert_success(try_open(events, target, &counters));
	assert_non_null(counters_why(counters, 0));
	assert_null(counters_why(counters, 1));
	assert_non_null(strstr(error_message(counters_why(counters, 2)), "instructions"));
	assert_success(counters_read(counters, counts));
	assert_int_equal(counts[0].value, 0);
	assert_int_equal(counts[1].value, 1000);
}

void test_counters__user_mode_is_counted_where_the_kernel_is_forbidden(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events = events_of("cycles");
	cleanup(target_guard) struct target *target = ourselves();
	cleanup(counters_guard) struct counters *counters = NULL;

	reset();
	fake.user_only = true;
	assert_success(try_open(events, target, &counters));
	assert_null(counters_why(counters, 0));
	assert_true(counters_user_only(counters, 0));
	assert_true(event_list_at(events, 0)->attr.exclude_kernel);
}

void test_counters__without_descriptors_there_is_an_error_and_nothing_stays_open(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events = events_of("task-clock,page-faults,cpu-migrations");
	cleanup(target_guard) struct target *target = ourselves();
	struct counters *counters = NULL;
	struct rlimit old, least;

	reset();
	fake.limit = 2;
	getrlimit(RLIMIT_NOFILE, &old);
	least = (struct rlimit){ old.rlim_cur, old.rlim_cur };
	if (old.rlim_cur != old.rlim_max)
		setrlimit(RLIMIT_NOFILE, &least);
	assert_failure(try_open(events, target, &counters), ERROR_OS, "3 events at 1 places");
	assert_int_equal(open_fds(), 0);
}

void test_counters__a_task_that_is_gone_is_an_error_only_when_it_was_the_last(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events = events_of("task-clock");
	cleanup(counters_guard) struct counters *counters = NULL;
	cleanup(target_guard) struct target *target = NULL;
	pid_t both[2] = { getpid(), 1 };

	assert_success(target_from_tids(both, 2, &target));
	reset();
	fake.gone = getpid();
	assert_success(try_open(events, target, &counters));
	assert_int_equal(counters_fd(counters, 0, 0), -1);
	assert_true(counters_fd(counters, 0, 1) >= FIRST_FD);

	cleanup(target_guard) struct target *alone = ourselves();
	struct counters *none = NULL;

	assert_failure(try_open(events, alone, &none), ERROR_NOT_FOUND, "has ended");
}

void test_fit__events_are_divided_into_what_counts_at_once(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *events =
		events_of("cycles,task-clock,{instructions,branches},{branch-misses,cache-misses},bus-cycles");
	int set[7];

	reset();
	assert_true(fit_sets(&fake_kernel, events, set) >= 2);
	assert_int_equal(set[0], 0);
	assert_int_equal(set[1], FIT_EVERYWHERE);
	assert_int_equal(set[2], set[3]);
	assert_int_equal(set[4], set[5]);
	assert_int_not_equal(set[2], set[4]);
	assert_int_equal(open_fds(), 0);
}
