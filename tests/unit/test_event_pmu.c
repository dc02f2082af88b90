/* PMUs of machines that are not here, as their sysfs has them; and libpfm4's names. Codes of Intel and AMD events are
 * those of the manuals and of the kernel's own tables. */
#include "unit/test.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "event/event.h"
#include "event/pmu.h"
#include "unit/fixture.h"

static const char *const tree[][2] = {
	{ "cpu_core/type", "4\n" },
	{ "cpu_core/cpus", "0-3\n" },
	{ "cpu_core/format/event", "config:0-7\n" },
	{ "cpu_core/format/umask", "config:8-15\n" },
	{ "cpu_core/format/cmask", "config:24-31\n" },
	{ "cpu_core/format/edge", "config:18\n" },
	{ "cpu_core/format/offcore_rsp", "config1:0-63\n" },
	{ "cpu_core/format/split", "config:8-11,16-17,32-35\n" },
	{ "cpu_core/format/ext", "config2:0-15\n" },
	{ "cpu_core/format/new", "config3:0-15\n" },
	{ "cpu_core/events/topdown-retiring", "event=0x00,umask=0x80\n" },
	{ "cpu_atom/type", "10\n" },
	{ "cpu_atom/cpus", "4-7\n" },
	{ "cpu_atom/format/event", "config:0-7\n" },
	{ "uncore_imc_0/type", "20\n" },
	{ "uncore_imc_0/cpumask", "0\n" },
	{ "uncore_imc_0/format/event", "config:0-7\n" },
	{ "uncore_imc_0/events/cas_count_read", "event=0x04\n" },
	{ "uncore_imc_0/events/cas_count_read.scale", "6.103515625e-5\n" },
	{ "uncore_imc_0/events/cas_count_read.unit", "MiB\n" },
	{ "uncore_imc_1/type", "21\n" },
	{ "uncore_imc_1/cpumask", "0\n" },
	{ "uncore_imc_1/format/event", "config:0-7\n" },
	{ "uncore_imc_1/events/cas_count_read", "event=0x04\n" },
	{ "hv/type", "30\n" },
	{ "hv/format/domain", "config:0-3\n" },
	{ "hv/format/core", "config:16-31\n" },
	{ "hv/events/cycles_of", "domain=0x2,core=?\n" },
};

static struct fixture machine_create(void)
{
	struct fixture fixture = fixture_create();

	for (size_t i = 0; i < ARRAY_SIZE(tree); i++) {
		auto_free char *file = memory_format("bus/event_source/devices/%s", tree[i][0]);

		fixture_write(&fixture, file, tree[i][1]);
	}
	return fixture;
}

static struct event_list *list_on(const struct fixture *fixture)
{
	static struct event_roots roots;

	roots = (struct event_roots){ .sys = fixture->path, .cpu = "x86_64/test", .any_cpu = true };
	return event_list_create_in(&roots);
}

void test_event_pmu__hybrid_makes_one_event_a_core_pmu(void **state)
{
	auto_fixture struct fixture fixture = machine_create();
	cleanup(event_list_guard) struct event_list *list = list_on(&fixture);

	(void)state;
	assert_success(event_list_add(list, "task-clock,{cycles,instructions}:u"));
	assert_int_equal(event_list_count(list), 5);

	const struct event *core = event_list_at(list, 1), *atom = event_list_at(list, 2);

	assert_int_equal(core->attr.config, 4ull << 32);
	assert_int_equal(atom->attr.config, 10ull << 32);
	assert_string_equal(core->pmu, "cpu_core");
	assert_string_equal(atom->cpus, "4-7");
	assert_int_equal(atom->merge, 1);
	assert_int_equal(core->merge, 1);
	assert_int_equal(event_list_at(list, 3)->attr.config, 4ull << 32 | 1);
	assert_int_equal(event_list_at(list, 3)->leader, 1);
	assert_int_equal(event_list_at(list, 4)->leader, 2);
	assert_true(event_is(atom, "cpu-cycles"));
	assert_false(event_is(atom, "instructions"));
	assert_true(atom->attr.exclude_kernel);
}

void test_event_pmu__terms_fill_their_bits(void **state)
{
	auto_fixture struct fixture fixture = machine_create();
	cleanup(event_list_guard) struct event_list *list = list_on(&fixture);

	(void)state;
	assert_success(event_list_add(list, "cpu_core/event=0xa3,umask=0x4,cmask=4,edge,name='a,b}'/uk"));
	assert_int_equal(event_list_at(list, 0)->attr.type, 4);
	assert_int_equal(event_list_at(list, 0)->attr.config, 0x40404a3);
	assert_string_equal(event_list_at(list, 0)->name, "a,b}:uk");
	assert_success(event_list_add(list, "cpu_core/offcore_rsp=0xffffffffffffffff,ext=7/"));
	assert_int_equal(event_list_at(list, 1)->attr.config1, UINT64_MAX);
	assert_int_equal(event_list_at(list, 1)->attr.config2, 7);
	assert_int_equal(event_list_at(list, 1)->attr.size, PERF_ATTR_SIZE_VER1);
	assert_success(event_list_add(list, "cpu_core/split=0x3b5/"));
	/* 0x3b5 is 1110 11 0101: 0101 to bits 8-11, 11 to 16-17, 1110 to 32-35. */
	assert_int_equal(event_list_at(list, 2)->attr.config, 0xe00030500);
	assert_success(event_list_add(list, "topdown-retiring:u"));
	assert_int_equal(event_list_at(list, 3)->attr.config, 0x8000);
	assert_string_equal(event_list_at(list, 3)->pmu, "cpu_core");
	assert_success(event_list_add(list, "cpu_atom/instructions/"));
	assert_int_equal(event_list_at(list, 4)->attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(event_list_at(list, 4)->attr.config, 10ull << 32 | 1);
}

void test_event_pmu__uncore_has_instances_scale_unit_and_place(void **state)
{
	auto_fixture struct fixture fixture = machine_create();
	cleanup(event_list_guard) struct event_list *list = list_on(&fixture);

	(void)state;
	assert_success(event_list_add(list, "imc/cas_count_read/,uncore_imc_1/event=4/"));
	assert_int_equal(event_list_count(list), 3);
	assert_int_equal(event_list_at(list, 0)->attr.type, 20);
	assert_int_equal(event_list_at(list, 1)->attr.type, 21);
	assert_int_equal(event_list_at(list, 1)->merge, 0);
	assert_true(fabs(event_list_at(list, 0)->scale - 6.103515625e-5) < 1e-12);
	assert_string_equal(event_list_at(list, 0)->unit, "MiB");
	assert_true(event_list_at(list, 0)->system_wide);
	assert_string_equal(event_list_at(list, 0)->cpus, "0");
	assert_false(event_list_at(list, 0)->attr.exclude_guest);
}

void test_event_pmu__bad_terms_are_refused_by_name(void **state)
{
	static const struct {
		const char *text;
		enum error_kind kind;
		const char *message;
	} bad[] = {
		{ "cpu_core/nope/", ERROR_NOT_FOUND, "no event or term 'nope'" },
		{ "cpu_core/nope=1/", ERROR_NOT_FOUND, "no event or term 'nope'" },
		{ "cpu_core/event=0x100/", ERROR_USAGE, "does not fit" },
		{ "cpu_core/event=x/", ERROR_USAGE, "not a whole number" },
		{ "cpu_core/event=1,,umask=2/", ERROR_USAGE, "empty event term" },
		{ "cpu_core/../../../etc/", ERROR_USAGE, "" },
		{ "cpu_core/new=1/", ERROR_UNSUPPORTED, "config3" },
		{ "hv/cycles_of/", ERROR_USAGE, "needs core=VALUE" },
	};
	auto_fixture struct fixture fixture = machine_create();
	cleanup(event_list_guard) struct event_list *list = list_on(&fixture);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct error *err = event_list_add(list, bad[i].text);

		if (i == 5 && err) {
			error_destroy(err); /* a path is only a name that is not there */
			continue;
		}
		assert_failure(err, bad[i].kind, bad[i].message);
	}
	assert_int_equal(event_list_count(list), 0);
	assert_success(event_list_add(list, "hv/cycles_of,core=3/"));
	assert_int_equal(event_list_at(list, 0)->attr.config, 0x30002);
}

void test_event_pmu__formats_are_parsed_whole(void **state)
{
	static const char *const bad[] = { "", "config", "config:", "config:x", "config:3-1", "config:0-64", "config:1,",
					   "config9:1", "config:1 2" };
	struct perf_event_attr attr = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_failure(pmu_format_apply(bad[i], 1, &attr), ERROR_FORMAT, "not understood");
	assert_int_equal(attr.config, 0);
}

#ifdef __x86_64__
void test_event_pfm__names_of_any_cpu_have_the_manuals_codes(void **state)
{
	static const struct {
		const char *text;
		uint64_t config;
	} known[] = {
		{ "skl::CYCLE_ACTIVITY:STALLS_TOTAL", 0x40004a3 },
		{ "skl::IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE", 0x400019c },
		{ "skl::UOPS_RETIRED:ALL:u", 0x1c2 },
		{ "skl::UOPS_RETIRED:ALL:c=1:i", 0x18001c2 },
		{ "amd64_fam17h_zen1::INSTRUCTION_PIPE_STALL:IC_STALL_BACK_PRESSURE", 0x187 },
		{ "amd64_fam19h_zen4::RETIRED_OPS:k", 0xc1 },
		{ "snb::L2_LINES_IN:S", 0x2f1 },
	};
	cleanup(event_list_guard) struct event_list *list =
		event_list_create_in(&(struct event_roots){ .sys = "/nonexistent", .any_cpu = true });

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		assert_success(event_list_add(list, known[i].text));
		if (event_list_at(list, i)->attr.config != known[i].config)
			fail_msg("%s: %#llx, wanted %#llx", known[i].text,
				 (unsigned long long)event_list_at(list, i)->attr.config,
				 (unsigned long long)known[i].config);
		assert_int_equal(event_list_at(list, i)->attr.type, PERF_TYPE_RAW);
	}
	assert_true(event_list_at(list, 2)->attr.exclude_kernel && !event_list_at(list, 2)->attr.exclude_user);
	assert_true(event_list_at(list, 5)->attr.exclude_user && !event_list_at(list, 5)->attr.exclude_kernel);
	assert_false(event_list_at(list, 3)->attr.exclude_kernel || event_list_at(list, 6)->sample_read);
	assert_failure(event_list_add(list, "skl::UOPS_RETIRED:NOPE"), ERROR_NOT_FOUND, "libpfm4");
	assert_null(getenv("LIBPFM_ENCODE_INACTIVE"));
}

void test_event_alias__stands_where_the_kernel_maps_nothing(void **state)
{
	auto_fixture struct fixture fixture = fixture_create();
	struct event_roots roots = { .sys = fixture.path, .cpu = "x86_64/skl", .any_cpu = true };
	cleanup(event_list_guard) struct event_list *list = event_list_create_in(&roots);

	(void)state;
	fixture_write(&fixture, "bus/event_source/devices/cpu/type", "4\n");
	fixture_write(&fixture, "bus/event_source/devices/cpu/events/stalled-cycles-backend", "event=0xb1\n");
	assert_success(event_list_add(list, "stalled-cycles-frontend:u,stalled-cycles-backend"));
	assert_int_equal(event_list_at(list, 0)->attr.config, 0x400019c);
	assert_true(event_list_at(list, 0)->attr.exclude_kernel);
	assert_string_equal(event_list_at(list, 0)->name, "stalled-cycles-frontend:u");
	assert_string_equal(event_list_at(list, 0)->note, "skl::IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE");
	assert_true(event_is(event_list_at(list, 0), "stalled-cycles-frontend"));
	assert_int_equal(event_list_at(list, 1)->attr.type, PERF_TYPE_HARDWARE);
	assert_null(event_list_at(list, 1)->note);
}
#endif
