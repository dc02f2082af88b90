/* Attributes beside those that perf opens for the same text: `perf stat -vv` prints them. Skipped without perf. */
#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "event/event.h"

/* What perf prints of an attribute; fields it leaves out are 0. */
struct printed {
	unsigned long long type, config, config1, config2, flags[10];
};

static const char *const flag_names[] = { "exclude_user", "exclude_kernel", "exclude_hv", "exclude_idle", "exclude_host",
					  "exclude_guest", "pinned", "exclusive", "precise_ip", "bp_type" };

static void ours(const struct event *event, struct printed *ret)
{
	const struct perf_event_attr *attr = &event->attr;
	unsigned long long flags[] = { attr->exclude_user, attr->exclude_kernel, attr->exclude_hv, attr->exclude_idle,
				       attr->exclude_host, attr->exclude_guest, attr->pinned, attr->exclusive,
				       attr->precise_ip, attr->bp_type };

	*ret = (struct printed){ attr->type, attr->config, attr->config1, attr->config2, { 0 } };
	memcpy(ret->flags, flags, sizeof(flags));
}

static void read_field(const char *line, struct printed *into)
{
	char name[64], second[64];
	unsigned long long value;

	if (sscanf(line, " { %63[^,], %63[^ ] } %lli", name, second, (long long *)&value) == 3) {
		if (!strcmp(second, "config1"))
			into->config1 = value;
		else
			into->config2 = value;
		return;
	}
	if (sscanf(line, " %63s %lli", name, (long long *)&value) != 2)
		return;
	if (!strcmp(name, "type"))
		into->type = value;
	if (!strcmp(name, "config"))
		into->config = value;
	for (size_t i = 0; i < ARRAY_SIZE(flag_names); i++)
		if (!strcmp(name, flag_names[i]))
			into->flags[i] = value;
}

/* The attributes perf opened, in order; returns how many. An attempt that failed and was tried again counts too. */
static size_t theirs(const char *text, struct printed *ret, size_t limit)
{
	auto_free char *command = memory_format("LC_ALL=C perf stat -vv -e '%s' true 2>&1 </dev/null", text);
	FILE *perf = popen(command, "r");
	bool inside = false;
	size_t count = 0;
	char line[512];

	assert_non_null(perf);
	while (fgets(line, sizeof(line), perf)) {
		if (text_starts_with(line, "perf_event_attr:") && count < limit) {
			ret[count++] = (struct printed){ 0 };
			inside = true;
		} else if (text_starts_with(line, "-----") && count) {
			inside = false;
		} else if (inside) {
			read_field(line, &ret[count - 1]);
		}
	}
	pclose(perf);
	return count;
}

static void compare(const char *text, const struct printed *wanted, const struct printed *found)
{
	if (wanted->type != found->type || wanted->config != found->config || wanted->config1 != found->config1 ||
	    wanted->config2 != found->config2)
		fail_msg("%s: type %llu config %#llx %#llx %#llx, perf: %llu %#llx %#llx %#llx", text, found->type,
			 found->config, found->config1, found->config2, wanted->type, wanted->config, wanted->config1,
			 wanted->config2);
	for (size_t i = 0; i < ARRAY_SIZE(flag_names); i++)
		if (wanted->flags[i] != found->flags[i])
			fail_msg("%s: %s is %llu, perf: %llu", text, flag_names[i], found->flags[i], wanted->flags[i]);
}

static bool perf_is_there(void)
{
	return !system("perf --version >/dev/null 2>&1");
}

/* One attempt each, whether they open here or not. */
static const char *const singles[] = {
	"cycles", "cpu-cycles", "instructions", "branches", "branch-instructions", "branch-misses", "cache-references",
	"cache-misses", "bus-cycles", "ref-cycles", "stalled-cycles-frontend", "idle-cycles-frontend",
	"stalled-cycles-backend", "idle-cycles-backend", "task-clock", "cpu-clock", "context-switches", "cs",
	"cpu-migrations", "migrations", "page-faults", "faults", "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "cgroup-switches", "dummy", "L1-dcache-loads", "L1-dcache-load-misses", "L1-dcache-stores",
	"L1-dcache-prefetches", "L1-dcache-prefetch-misses", "L1-icache-loads", "L1-icache-load-misses", "LLC-loads",
	"LLC-load-misses", "LLC-stores", "LLC-store-misses", "LLC-misses", "dTLB-loads", "dTLB-load-misses",
	"dTLB-store-misses", "iTLB-loads", "iTLB-load-misses", "branch-loads", "branch-load-misses", "node-loads",
	"node-store-misses", "node-prefetches", "r1a8", "r10000ffffffff", "r1:I", "cycles:u", "cycles:k", "cycles:h",
	"cycles:uk", "cycles:ku", "cycles:uh", "cycles:G", "cycles:H", "cycles:GH", "cycles:uG", "cycles:hG", "cycles:p",
	"cycles:pp", "cycles:ppp", "cycles:D", "cycles:e", "cycles:I", "cycles:S", "cycles:W", "instructions:upp",
	"task-clock:u", "page-faults:k", "cpu-clock:G", "cycles/name=x/", "cycles/name=x/u", "cycles/period=1000/",
};

/* Only where this machine has what they name. perf may try twice: its last attempt is what it kept. */
static const char *const here[][2] = {
	{ "/sys/bus/event_source/devices/msr/events/tsc", "msr/tsc/" },
	{ "/sys/bus/event_source/devices/msr/format/event", "msr/event=0x1,name=foo/" },
	{ "/sys/bus/event_source/devices/software/type", "software/config=1/" },
	{ "/sys/bus/event_source/devices/software/type", "software/config=0x2,name=x/u" },
	{ "/sys/bus/event_source/devices/breakpoint/type", "mem:0x1000" },
	{ "/sys/bus/event_source/devices/breakpoint/type", "mem:0x1000:rw" },
	{ "/sys/bus/event_source/devices/breakpoint/type", "mem:4096:w" },
	{ "/sys/bus/event_source/devices/breakpoint/type", "mem:0x1000/8:w:u" },
	{ "/sys/bus/event_source/devices/breakpoint/type", "mem:0x1000:x" },
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "sched:sched_switch" },
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "sched:sched_switch:u" },
};

/* A list is opened in order; of one event alone perf's last attempt counts. */
static void compare_list(const char *text)
{
	cleanup(event_list_guard) struct event_list *list = event_list_create();
	static struct printed perf[128];
	struct printed mine;
	size_t count = theirs(text, perf, ARRAY_SIZE(perf));

	assert_success(event_list_add(list, text));
	if (count < event_list_count(list))
		fail_msg("perf opened %zu events of '%s'", count, text);
	for (size_t i = 0; i < event_list_count(list); i++) {
		ours(event_list_at(list, i), &mine);
		compare(event_list_at(list, i)->name, &perf[event_list_count(list) == 1 ? count - 1 : i], &mine);
	}
}

void test_event_perf__single_events_open_with_perfs_attributes(void **state)
{
	(void)state;
	if (!perf_is_there()) {
		print_message("skipped: no perf to compare with\n");
		skip();
	}

	auto_text struct text all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(singles); i++)
		text_format(&all, "%s%s", i ? "," : "", singles[i]);
	compare_list(all.bytes);
	for (size_t i = 0; i < ARRAY_SIZE(here); i++)
		if (!access(here[i][0], R_OK))
			compare_list(here[i][1]);
}

void test_event_perf__groups_and_lists_open_with_perfs_attributes(void **state)
{
	static const char *const texts[] = {
		"task-clock,page-faults:u,cs:k",
		"{task-clock,page-faults}",
		"{task-clock:u,page-faults}",
		"{task-clock,page-faults}:u",
		"{task-clock:u,page-faults}:k",
		"{task-clock,cs}:D,page-faults",
		"{task-clock,cs:u}:H",
	};

	(void)state;
	if (!perf_is_there()) {
		print_message("skipped: no perf to compare with\n");
		skip();
	}
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		compare_list(texts[i]);
}
