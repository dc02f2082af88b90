/* The -e syntax and what each name stands for. Codes are those of perf_event_open(2) and linux/perf_event.h. */
#include "unit/test.h"

#include <linux/hw_breakpoint.h>
#include <math.h>

#include "event/event.h"

static struct event_list *parsed(const char *text)
{
	struct event_list *list = event_list_create();

	assert_success(event_list_add(list, text));
	return list;
}

static void expect_code(const char *text, uint32_t type, uint64_t config)
{
	cleanup(event_list_guard) struct event_list *list = parsed(text);

	assert_int_equal(event_list_count(list), 1);
	assert_int_equal(event_list_at(list, 0)->attr.type, type);
	assert_int_equal(event_list_at(list, 0)->attr.config, config);
}

void test_event__generic_names_have_the_kernels_codes(void **state)
{
	(void)state;
	expect_code("cycles", 0, 0);
	expect_code("cpu-cycles", 0, 0);
	expect_code("branch-instructions", 0, 4);
	expect_code("stalled-cycles-backend", 0, 8);
	expect_code("task-clock", 1, 1);
	expect_code("cs", 1, 3);
	expect_code("L1-dcache-load-misses", 3, 0x10000);
	expect_code("LLC-store-misses", 3, 0x10102);
	expect_code("dTLB-prefetches", 3, 0x203);
	expect_code("branch-load-misses", 3, 0x10005);
}

void test_event__raw_code_is_hexadecimal(void **state)
{
	(void)state;
	expect_code("r1a8", 4, 0x1a8);
	expect_code("r10000ffffffff:u", 4, 0x10000ffffffff);
}

void test_event__levels_named_exclude_the_others(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *list = parsed("cycles:k,cycles:uh,{cycles:u,instructions}:k");
	const struct perf_event_attr *kernel = &event_list_at(list, 0)->attr, *two = &event_list_at(list, 1)->attr;
	const struct perf_event_attr *joined = &event_list_at(list, 2)->attr, *member = &event_list_at(list, 3)->attr;

	assert_true(kernel->exclude_user && !kernel->exclude_kernel && kernel->exclude_hv);
	assert_true(!two->exclude_user && two->exclude_kernel && !two->exclude_hv);
	assert_true(!joined->exclude_user && !joined->exclude_kernel && joined->exclude_hv);
	assert_true(member->exclude_user && !member->exclude_kernel);
	assert_int_equal(event_list_at(list, 3)->leader, 2);
	assert_string_equal(event_list_at(list, 2)->name, "cycles:u");
}

void test_event__flags_of_modifiers(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *list = parsed("cycles:ppp,cycles:P,cycles:DeWS,cycles:G");

	assert_int_equal(event_list_at(list, 0)->attr.precise_ip, 3);
	assert_true(event_list_at(list, 1)->precise_max);
	assert_true(event_list_at(list, 2)->attr.pinned && event_list_at(list, 2)->attr.exclusive);
	assert_true(event_list_at(list, 2)->weak && event_list_at(list, 2)->sample_read);
	assert_true(event_list_at(list, 3)->attr.exclude_host);
}

void test_event__breakpoint(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *list = parsed("mem:0x1000/8:w:u,mem:4096:x,mem:0x10:u");

	assert_int_equal(event_list_at(list, 0)->attr.bp_type, HW_BREAKPOINT_W);
	assert_int_equal(event_list_at(list, 0)->attr.bp_len, 8);
	assert_true(event_list_at(list, 0)->attr.exclude_kernel);
	assert_int_equal(event_list_at(list, 1)->attr.bp_addr, 4096);
	assert_int_equal(event_list_at(list, 1)->attr.bp_len, sizeof(long));
	assert_int_equal(event_list_at(list, 2)->attr.bp_type, HW_BREAKPOINT_RW);
}

void test_event__clocks_are_shown_in_msec(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *list = parsed("task-clock");

	assert_true(fabs(event_list_at(list, 0)->scale - 1e-6) < 1e-12);
	assert_string_equal(event_list_at(list, 0)->unit, "msec");
}

static void expect_refusal(const char *text, enum error_kind kind, const char *message)
{
	cleanup(event_list_guard) struct event_list *list = parsed("cycles");

	assert_failure(event_list_add(list, text), kind, message);
	assert_int_equal(event_list_count(list), 1);
}

void test_event__bad_text_is_refused_and_the_list_kept(void **state)
{
	(void)state;
	expect_refusal("", ERROR_USAGE, "event expected");
	expect_refusal("cycles,", ERROR_USAGE, "column 8");
	expect_refusal("cycles,,instructions", ERROR_USAGE, "event expected at column 8");
	expect_refusal("{}", ERROR_USAGE, "empty group");
	expect_refusal("{cycles,{instructions}}", ERROR_USAGE, "group inside");
	expect_refusal("{cycles", ERROR_USAGE, "without its '}'");
	expect_refusal("cycles}", ERROR_USAGE, "',' expected");
	expect_refusal("cpu/event=1", ERROR_USAGE, "without its end");
	expect_refusal("cycles:x", ERROR_USAGE, "unknown event modifier 'x'");
	expect_refusal("cycles:uu", ERROR_USAGE, "given twice");
	expect_refusal("cycles:pppp", ERROR_USAGE, "more than 3");
	expect_refusal("mem:zz", ERROR_USAGE, "bad breakpoint");
	expect_refusal("mem:0x10/3", ERROR_USAGE, "bad breakpoint");
	expect_refusal("rzz", ERROR_NOT_FOUND, "unknown event");
	expect_refusal("nopmu/event=1/", ERROR_NOT_FOUND, "no PMU 'nopmu'");
}

void test_event__unknown_name_suggests_near_ones(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *list = event_list_create();
	cleanup(error_guard) struct error *err = event_list_add(list, "instrutcions");

	assert_non_null(err);
	assert_int_equal(error_kind(err), ERROR_NOT_FOUND);
	assert_non_null(strstr(error_hint_text(err), "instructions"));
}

void test_event__of_another_cpu_names_that_cpu(void **state)
{
	(void)state;
	cleanup(event_list_guard) struct event_list *list =
		event_list_create_in(&(struct event_roots){ .cpu = "x86_64/test" });

#ifdef __x86_64__
	assert_failure(event_list_add(list, "nhm::UOPS_RETIRED:ANY:u"), ERROR_UNSUPPORTED, "Intel Nehalem");
#endif
}
