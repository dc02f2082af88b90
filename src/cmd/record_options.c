/* The options of `perfmini record`, as given and as the recorder takes them. */
#include "cmd/record_options.h"

#include <string.h>
#include <sys/types.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"

enum { DEFAULT_FREQUENCY = 4000 };

#define AT(member) offsetof(struct record_options, member)

const struct record_options record_defaults = { .timestamp = true, .sample_period = true, .inherit = true,
						.build_ids = true, .cache = true, .output = "perf.data" };

const struct option record_option_table[] = {
	{ 'e', "event", OPTION_TEXTS, AT(events), "EVENTS", "events to sample, with groups and modifiers (cycles)", NULL,
	  NULL },
	{ 'F', "freq", OPTION_TEXT, AT(frequency), "HZ", "samples a second and CPU, or max (4000)", NULL, "max" },
	{ 'c', "count", OPTION_COUNT, AT(period), "N", "a sample every N events", NULL, NULL },
	{ 'g', NULL, OPTION_FLAG, AT(frame_pointers), NULL, "call graphs by frame pointers", NULL, NULL },
	{ 0, "call-graph", OPTION_TEXT, AT(call_graph), "HOW", "call graphs: fp, dwarf or dwarf,BYTES", NULL, "fp dwarf" },
	{ 'a', "all-cpus", OPTION_FLAG, AT(all_cpus), NULL, "everything on all CPUs", NULL, NULL },
	{ 'C', "cpu", OPTION_TEXT, AT(cpus), "LIST", "everything on these CPUs: 0-3,5", NULL, NULL },
	{ 'p', "pid", OPTION_TEXT, AT(pids), "LIST", "running processes", NULL, NULL },
	{ 't', "tid", OPTION_TEXT, AT(tids), "LIST", "running threads", NULL, NULL },
	{ 'o', "output", OPTION_TEXT, AT(output), "FILE", "output file, - for a pipe (perf.data)", NULL, NULL },
	{ 0, "inherit", OPTION_TOGGLE, AT(inherit), NULL, "the children too (on)", NULL, NULL },
	{ 'i', NULL, OPTION_FLAG, AT(no_inherit), NULL, "as --no-inherit", NULL, NULL },
	{ 0, "per-thread", OPTION_FLAG, AT(per_thread), NULL, "a ring a thread, not a CPU; not the children", NULL, NULL },
	{ 'D', "delay", OPTION_TEXT, AT(delay), "MS", "start after MS, never by itself (-1), or in windows (10-20,30-40)",
	  NULL, NULL },
	{ 0, "timeout", OPTION_COUNT, AT(timeout_ms), "MS", "stop after MS", NULL, NULL },
	{ 0, "max-size", OPTION_SIZE, AT(max_size), "SIZE", "stop when the file has SIZE", NULL, NULL },
	{ 0, "control", OPTION_TEXT, AT(control), "WHERE", "take commands from fd:N[,ACK] or fifo:PATH[,ACK]", NULL, NULL },
	{ 'm', "mmap-pages", OPTION_TEXT, AT(ring), "PAGES", "size of each ring: pages, or 512K, 4M", NULL, NULL },
	{ 'z', "compression", OPTION_FLAG, AT(compress), NULL, "pack the records with zstd", NULL, NULL },
	{ 'b', "branch-any", OPTION_FLAG, AT(any_branch), NULL, "branch stacks of all branches", NULL, NULL },
	{ 'j', "branch-filter", OPTION_TEXT, AT(branches), "KINDS", "branch stacks: any, any_call, ind_call, u …", NULL,
	  "any any_call any_ret ind_call ind_jmp cond call" },
	{ 0, "all-user", OPTION_FLAG, AT(all_user), NULL, "user mode only, all events", NULL, NULL },
	{ 0, "all-kernel", OPTION_FLAG, AT(all_kernel), NULL, "kernel mode only, all events", NULL, NULL },
	{ 0, "user-callchains", OPTION_FLAG, AT(user_callchains), NULL, "no kernel part in call graphs", NULL, NULL },
	{ 0, "sample-cpu", OPTION_FLAG, AT(sample_cpu), NULL, "samples carry their CPU", NULL, NULL },
	{ 'T', "timestamp", OPTION_TOGGLE, AT(timestamp), NULL, "samples carry their time", NULL, NULL },
	{ 'P', "period", OPTION_TOGGLE, AT(sample_period), NULL, "samples carry their period", NULL, NULL },
	{ 'k', "clockid", OPTION_TEXT, AT(clock), "CLOCK", "clock of the times: monotonic, realtime …", NULL,
	  "monotonic monotonic_raw realtime boottime tai" },
	{ 0, "namespaces", OPTION_FLAG, AT(namespaces), NULL, "record the namespaces of tasks", NULL, NULL },
	{ 0, "switch-events", OPTION_FLAG, AT(switches), NULL, "record context switches", NULL, NULL },
	{ 0, "strict-freq", OPTION_FLAG, AT(strict_frequency), NULL, "fail when the kernel allows no such -F", NULL, NULL },
	{ 0, "buildid", OPTION_TOGGLE, AT(build_ids), NULL, "look for the build ids of what was hit (on)", NULL, NULL },
	{ 'B', NULL, OPTION_FLAG, AT(no_build_ids), NULL, "as --no-buildid", NULL, NULL },
	{ 0, "buildid-cache", OPTION_TOGGLE, AT(cache), NULL, "keep copies of the binaries that were hit (on)", NULL, NULL },
	{ 'N', NULL, OPTION_FLAG, AT(no_cache), NULL, "as --no-buildid-cache", NULL, NULL },
	{ 'v', "verbose", OPTION_REPEATED, AT(verbose), NULL, "say more", NULL, NULL },
	{ 'q', "quiet", OPTION_FLAG, AT(quiet), NULL, "say nothing but errors", NULL, NULL },
	{ .type = OPTION_END },
};

static struct error *parse_number(const char *text, const char *option, uint64_t *ret)
{
	char *end;
	unsigned long long number = strtoull(text, &end, 10);

	if (end == text || *end || *text == '-')
		return error_new(ERROR_USAGE, "%s: '%s' is no number", option, text);
	*ret = number;
	return NULL;
}

/* The kernel lowers its limit by itself when interrupts take too long. */
static struct error *set_frequency(const struct record_options *options, struct sampling *sampling)
{
	uint64_t limit = sampling_max_frequency();
	struct error *err;

	sampling->frequency = DEFAULT_FREQUENCY < limit ? DEFAULT_FREQUENCY : limit;
	if (!options->frequency)
		return NULL;
	if (!strcmp(options->frequency, "max")) {
		sampling->frequency = limit;
		return NULL;
	}
	err = parse_number(options->frequency, "-F", &sampling->frequency);
	if (err)
		return err;
	if (!sampling->frequency)
		return error_new(ERROR_USAGE, "-F 0 takes no samples");
	if (sampling->frequency <= limit)
		return NULL;
	if (options->strict_frequency)
		return error_hint(error_new(ERROR_PERMISSION, "-F %llu: the kernel allows %llu samples a second",
					    (unsigned long long)sampling->frequency, (unsigned long long)limit),
				  "sysctl kernel.perf_event_max_sample_rate=%llu", (unsigned long long)sampling->frequency);
	log_warning("-F %llu lowered to %llu, what the kernel allows (kernel.perf_event_max_sample_rate)",
		    (unsigned long long)sampling->frequency, (unsigned long long)limit);
	sampling->frequency = limit;
	return NULL;
}

static struct error *set_stacks(const struct record_options *options, struct sampling *sampling)
{
	struct error *err = NULL;

	if (options->frame_pointers)
		sampling->call_graph = CALL_GRAPH_FRAME_POINTERS;
	if (options->call_graph)
		err = sampling_parse_call_graph(options->call_graph, sampling);
	if (!err && (options->branches || options->any_branch))
		err = sampling_parse_branches(options->branches ? options->branches : "any", &sampling->branches);
	return err;
}

struct error *record_sampling(const struct record_options *options, struct sampling *ret)
{
	struct sampling sampling = {
		.period = options->period,
		.cpu = options->sample_cpu || options->all_cpus || options->cpus,
		.no_time = !options->timestamp,
		.no_period = !options->sample_period,
		.all_user = options->all_user,
		.all_kernel = options->all_kernel,
		.user_callchains = options->user_callchains,
		.namespaces = options->namespaces,
		.switches = options->switches,
		/* While events are off, mappings must still be seen. */
		.separate_side_band = options->delay || options->control,
		.has_clock = options->clock != NULL,
	};
	struct error *err;

	if (options->frequency && options->period)
		return error_new(ERROR_USAGE, "-F and -c exclude each other");
	if (options->all_user && options->all_kernel)
		return error_new(ERROR_USAGE, "--all-user and --all-kernel exclude each other");
	sampling.is_default_rate = !options->frequency && !options->period;
	err = set_frequency(options, &sampling);
	if (!err)
		err = set_stacks(options, &sampling);
	if (!err && options->clock)
		err = sampling_parse_clock(options->clock, &sampling.clock);
	if (!err)
		*ret = sampling;
	return err;
}

static struct error *parse_window(char *text, uint64_t after_ns, struct recorder_window *ret)
{
	enum { NS_PER_MS = 1000000 };
	char *end = strchr(text, '-');
	uint64_t on, off = 0;

	if (end)
		*end++ = '\0';

	struct error *err = parse_number(text, "-D", &on);

	if (!err && end)
		err = parse_number(end, "-D", &off);
	if (err)
		return err;
	*ret = (struct recorder_window){ on * NS_PER_MS, off * NS_PER_MS };
	if ((end && off <= on) || ret->on_ns < after_ns)
		return error_new(ERROR_USAGE, "-D: windows must rise: 10-20,30-40");
	return NULL;
}

struct error *record_windows(const char *delay, struct recorder_window **ret, size_t *count)
{
	auto_free char *copy = memory_strdup(delay ? delay : "");
	auto_free struct recorder_window *windows = NULL;
	size_t used = 0, capacity = 0;
	uint64_t after_ns = 0;
	char *rest = copy, *text;

	*count = 0;
	if (!delay || !strcmp(delay, "-1"))
		return NULL;
	while ((text = strsep(&rest, ","))) {
		array_grow(&windows, used, &capacity);

		struct error *err = parse_window(text, after_ns, &windows[used]);

		if (err)
			return err;
		after_ns = windows[used].off_ns ? windows[used].off_ns : UINT64_MAX;
		used++;
	}
	*ret = take(windows);
	*count = used;
	return NULL;
}

struct error *record_ring_bytes(const char *text, uint64_t *ret)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), size, unit;
	char *end;

	*ret = 0;
	if (!text)
		return NULL;
	size = strtoull(text, &end, 10);
	unit = *end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : *end == 'G' ? 1024 * 1024 * 1024 : page;
	if (end == text || (*end && (end[1] || unit == page)) || !size || size > (1ull << 31) / unit)
		return error_new(ERROR_USAGE, "-m: '%s' is no size of a ring (pages, or 512K, 4M)", text);
	*ret = page;
	/* The kernel takes powers of two. */
	while (*ret < size * unit)
		*ret *= 2;
	return NULL;
}

struct error *record_pid_list(const char *text, const char *option, pid_t **ret, size_t *count)
{
	auto_free char *copy = memory_strdup(text);
	auto_free pid_t *pids = NULL;
	size_t used = 0, capacity = 0;
	char *rest = copy, *word;

	while ((word = strsep(&rest, ","))) {
		uint64_t number;
		struct error *err = parse_number(word, option, &number);

		if (err)
			return err;
		if (!number || number > INT32_MAX)
			return error_new(ERROR_USAGE, "%s: '%s' is no process id", option, word);
		array_grow(&pids, used, &capacity);
		pids[used++] = (pid_t)number;
	}
	*ret = take(pids);
	*count = used;
	return NULL;
}
