/* perfmini top: where the samples of the last seconds fell, live. */
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/live.h"
#include "cmd/cmd.h"
#include "cmd/report.h"
#include "tui/report_view.h"
#include "tui/tui.h"

enum { SYMBOLS_LAST_S = 60, ROWS_OF_TEXT = 20, MOST_SLICES = 600 };

struct top_options {
	struct option_texts events;
	const char *frequency, *call_graph, *pids, *tids, *cpus, *sort;
	bool frame_pointers, all_cpus, stdio;
	double delay, window;
	uint64_t count, rows;
	struct recording_options recording;
};

#define AT(member) offsetof(struct top_options, member)

static const struct option options[] = {
	{ 'e', "event", OPTION_TEXTS, AT(events), "EVENTS", "events to sample (cycles, or the clock)", NULL, NULL },
	{ 'F', "freq", OPTION_TEXT, AT(frequency), "HZ", "samples a second and CPU (1000)", NULL, NULL },
	{ 'a', "all-cpus", OPTION_FLAG, AT(all_cpus), NULL, "everything on all CPUs (without -p, -t, -C)", NULL, NULL },
	{ 'p', "pid", OPTION_TEXT, AT(pids), "LIST", "these processes", NULL, NULL },
	{ 't', "tid", OPTION_TEXT, AT(tids), "LIST", "these threads", NULL, NULL },
	{ 'C', "cpu", OPTION_TEXT, AT(cpus), "LIST", "these CPUs", NULL, NULL },
	{ 'g', NULL, OPTION_FLAG, AT(frame_pointers), NULL, "call graphs by frame pointers", NULL, NULL },
	{ 0, "call-graph", OPTION_TEXT, AT(call_graph), "HOW", "call graphs: fp, dwarf or dwarf,BYTES", NULL, "fp dwarf" },
	{ 's', "sort", OPTION_TEXT, AT(sort), "KEY,…", "what tells rows apart (dso,sym)", NULL, "" },
	{ 'd', "delay", OPTION_REAL, AT(delay), "SECONDS", "between two views (2)", NULL, NULL },
	{ 'w', "window", OPTION_REAL, AT(window), "SECONDS", "show the samples of so many last seconds (10)", NULL, NULL },
	{ 0, "stdio", OPTION_FLAG, AT(stdio), NULL, "as text, also on a terminal", NULL, NULL },
	{ 'n', "count", OPTION_COUNT, AT(count), "N", "end after N views, as text", NULL, NULL },
	{ 0, "rows", OPTION_COUNT, AT(rows), "N", "rows of each view as text (20)", NULL, NULL },
	{ 'k', "vmlinux", OPTION_TEXT, AT(recording.vmlinux), "FILE", "kernel image", NULL, NULL },
	{ 0, "kallsyms", OPTION_TEXT, AT(recording.kallsyms), "FILE", "kernel symbol table", NULL, NULL },
	{ 0, "demangle", OPTION_TOGGLE, AT(recording.demangle), NULL, "show C++ and Rust names as written", NULL, NULL },
	{ .type = OPTION_END },
};

#define DEFAULT_HZ "1000"

/* What `o` goes through after the user's own choice. */
static const char *const sorts[] = { NULL, "comm,dso,sym", "comm", "dso", "pid,comm", "cpu,sym" };

struct top {
	const struct top_options *chosen;
	struct live *live;
	struct symbolizer *symbolizer, *retired; /* retired: what is on the screen may still use it */
	struct symbolizer_setup symbols;
	uint64_t symbols_since_ns, slice_since_ns;
	uint64_t cost_since_ns, cpu_before_ns, recorder_before_ns; /* at the last view */
	double cost;          /* share of one CPU since the view before */
	size_t sort;          /* index into sorts */
	bool is_asked;        /* for a view at once */
	struct report *now, *before;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void report_free(struct report *report)
{
	if (!report)
		return;
	report_release(report);
	free(report);
}

static void top_release(struct top *top)
{
	report_free(top->now);
	report_free(top->before);
	symbolizer_destroy(top->symbolizer);
	symbolizer_destroy(top->retired);
	live_destroy(top->live);
}

static struct error *check_options(const struct top_options *chosen)
{
	int targets = (chosen->all_cpus || chosen->cpus) + (chosen->pids != NULL) + (chosen->tids != NULL);

	if (targets > 1)
		return error_new(ERROR_USAGE, "choose one of -a or -C, -p, -t");
	if (!(chosen->delay >= 0.1 && chosen->delay <= 3600))
		return error_new(ERROR_USAGE, "--delay %g is not from 0.1 to 3600 seconds", chosen->delay);
	if (!(chosen->window >= chosen->delay && chosen->window <= MOST_SLICES * chosen->delay))
		return error_new(ERROR_USAGE, "--window %g is not from one --delay to %d", chosen->window, MOST_SLICES);
	return NULL;
}

struct words {
	const char **items;
	size_t count, capacity;
};

static void add(struct words *words, const char *word)
{
	array_grow(&words->items, words->count, &words->capacity);
	words->items[words->count++] = word;
}

static void add_value(struct words *words, const char *option, const char *value)
{
	if (!value)
		return;
	add(words, option);
	add(words, value);
}

/* `perfmini record` into a pipe. */
static struct error *start_recorder(struct top *top)
{
	const struct top_options *chosen = top->chosen;
	struct words words = { NULL, 0, 0 };
	static const char *const first[] = { "perfmini", "record", "--quiet", "--no-buildid", "--sample-cpu", "-o", "-" };
	struct error *err;

	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		add(&words, first[i]);
	add_value(&words, "-F", chosen->frequency ? chosen->frequency : DEFAULT_HZ);
	for (size_t i = 0; i < chosen->events.count; i++)
		add_value(&words, "-e", chosen->events.items[i]);
	add_value(&words, "-p", chosen->pids);
	add_value(&words, "-t", chosen->tids);
	add_value(&words, "-C", chosen->cpus);
	add_value(&words, "--call-graph", chosen->call_graph);
	if (chosen->frame_pointers)
		add(&words, "-g");
	if (!chosen->pids && !chosen->tids && !chosen->cpus)
		add(&words, "-a");
	add(&words, NULL);
	err = live_start(words.items, (size_t)(chosen->window / chosen->delay + 0.5), &top->live);
	free(words.items);
	return err;
}

/* Symbols are looked up anew now and then: programs are replaced, code is made at run time. */
static struct error *renew_symbols(struct top *top)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (top->symbolizer && now - top->symbols_since_ns < SYMBOLS_LAST_S * 1000000000ull)
		return NULL;
	report_free(take(top->before));
	symbolizer_destroy(top->retired);
	top->retired = take(top->symbolizer);
	top->symbols_since_ns = now;
	return symbolizer_create(&top->symbols, &top->symbolizer);
}

static void account(struct top *top)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t recorder = live_recorder_ns(top->live), passed = now - top->cost_since_ns;

	if (passed)
		top->cost = (double)(cpu - top->cpu_before_ns + recorder - top->recorder_before_ns) / (double)passed;
	top->cpu_before_ns = cpu;
	top->recorder_before_ns = recorder;
	top->cost_since_ns = now;
}

/* The view of the kept slices into top->now; the one before stays as it is. */
static struct error *make_report(struct top *top)
{
	const struct top_options *chosen = top->chosen;
	struct report *report = memory_zeroed(1, sizeof(*report));
	const char *path;
	struct error *err = renew_symbols(top);

	report->options = (struct report_options){ .recording = chosen->recording, .group = true, .stdio = true };
	report->options.children = chosen->frame_pointers || chosen->call_graph;
	report->options.sort = sorts[top->sort] ? sorts[top->sort] : chosen->sort ? chosen->sort : "dso,sym";
	report->symbolizer = top->symbolizer;
	if (!err)
		err = live_snapshot(top->live, &path);
	if (!err) {
		report->options.recording.input = path;
		err = report_prepare(report);
	}
	if (err) {
		report_free(report);
		return err;
	}
	report_free(top->before);
	top->before = top->now;
	top->now = report;
	for (size_t i = 0; i < report->profile->event_count; i++)
		if (report->profile->events[i].samples) {
			report->entry_setup.event = profile_event_leader(report->profile, i, true);
			break;
		}
	return NULL;
}

/* Why the recorder ended, as an error; NULL when it ended well (what it watched is gone). */
static struct error *recorder_end(const struct top *top, int status)
{
	auto_free char *said = live_last_words(top->live);

	if (!status)
		return NULL;
	return error_new(ERROR_OS, "%s", text_starts_with(said, "perfmini record: ") ? strchr(said, ':') + 2 :
			 *said ? said : "the recorder ended");
}

static bool is_due(const struct top *top)
{
	return top->is_asked ||
	       clock_ns(CLOCK_MONOTONIC) - top->slice_since_ns >= (uint64_t)(top->chosen->delay * 1e9);
}

/* It is time: a view into *ret, or (of NULL) only its slice. */
static struct error *make_due(struct top *top, struct report_view_setup *ret)
{
	struct error *err;

	top->slice_since_ns = clock_ns(CLOCK_MONOTONIC);
	if (ret)
		account(top);
	err = ret ? make_report(top) : NULL;
	if (err)
		return err;
	if (!top->is_asked)
		live_next_slice(top->live);
	top->is_asked = false;
	if (ret)
		*ret = (struct report_view_setup){ top->now->resolver, &top->now->view, &top->now->entry_setup };
	return NULL;
}

/* Every tenth of a second: read, and make a view when it is time and the last one is not held. */
static bool next_view(void *data, struct report_view_setup *ret, struct tui *tui)
{
	struct top *top = data;
	struct error *err = live_read(top->live);
	int status = live_status(top->live);
	bool is_new = false;

	if (!err && status >= 0 && !live_samples(top->live)) {
		err = recorder_end(top, status);
		if (!err)
			tui_quit(tui);
	}
	if (!err && status < 0 && is_due(top)) {
		err = make_due(top, ret);
		is_new = !err && ret;
	}
	if (err)
		tui_fail(tui, err);
	return is_new;
}

static void append_head(void *data, struct text *title)
{
	const struct top *top = data;

	text_format(title, "perfmini itself: %.1f %% of a CPU  ", 100 * top->cost);
	if (live_status((struct live *)top->live) >= 0)
		text_append(title, "ended  ");
}

static void next_sort(void *data)
{
	struct top *top = data;

	top->sort = (top->sort + 1) % ARRAY_SIZE(sorts);
	top->is_asked = true;
}

/* Wait for the time of a view, reading meanwhile; false when the recorder ended. */
static struct error *wait_for_view(struct top *top, bool *ended)
{
	struct error *err = NULL;

	*ended = false;
	while (!err && !*ended && !is_due(top)) {
		struct pollfd fd = { live_fd(top->live), POLLIN, 0 };

		poll(&fd, 1, 100);
		err = live_read(top->live);
		*ended = live_status(top->live) >= 0;
	}
	return err;
}

static void print_view(struct top *top)
{
	struct report *report = top->now;
	auto_text struct text out = { 0 }, head = { 0 };
	size_t rows = (size_t)top->chosen->rows;
	char *rest, *line;
	cleanup(entries_guard) struct entries *entries = entries_create(report->resolver, &report->entry_setup);

	append_head(top, &head);
	printf("# %s\n", head.bytes);
	report_text(entries, &report->view, &out);
	rest = out.bytes;
	while (rest && (line = strsep(&rest, "\n")) && rows) {
		if (!*line)
			continue;
		puts(line);
		rows -= *line != '#';
	}
	putchar('\n');
	fflush(stdout);
}

static struct error *print_views(struct top *top)
{
	bool ended = false;
	struct error *err = NULL;

	for (uint64_t view = 0; !err && !ended && (!top->chosen->count || view < top->chosen->count); view++) {
		err = wait_for_view(top, &ended);
		if (!err && ended)
			err = recorder_end(top, live_status(top->live));
		if (err || (ended && !live_samples(top->live)))
			break;
		top->slice_since_ns = clock_ns(CLOCK_MONOTONIC);
		account(top);
		err = make_report(top);
		if (err)
			break;
		print_view(top);
		report_free(take(top->now));
		live_next_slice(top->live);
	}
	return err;
}

/* The first view as soon as there is a sample. */
static struct error *wait_for_first(struct top *top)
{
	struct error *err = NULL;

	for (int tries = 0; !err && tries < 20 && !live_samples(top->live); tries++) {
		struct pollfd fd = { live_fd(top->live), POLLIN, 0 };

		poll(&fd, 1, 100);
		err = live_read(top->live);
		if (!err && live_status(top->live) >= 0)
			return recorder_end(top, live_status(top->live));
	}
	return err;
}

static struct error *browse(struct top *top)
{
	cleanup(tui_guard) struct tui *tui = NULL;
	struct report_view_live live = { next_view, append_head, next_sort, top };
	struct error *err = wait_for_first(top);

	if (!err && live_status(top->live) < 0)
		err = make_report(top);
	if (err || !top->now)
		return err;

	struct report_view_setup setup = { top->now->resolver, &top->now->view, &top->now->entry_setup };

	err = tui_open(&tui);
	if (err)
		return err;
	tui_push(tui, report_view_create_live(&setup, entries_create(top->now->resolver, &top->now->entry_setup), &live));
	return tui_run(tui);
}

static struct error *run_top(const struct top_options *chosen)
{
	cleanup(top_release) struct top top = { .chosen = chosen, .symbols = recording_symbols(&chosen->recording, true) };
	struct error *err = check_options(chosen);

	top.symbols.inlines = chosen->frame_pointers || chosen->call_graph;
	top.slice_since_ns = top.cost_since_ns = clock_ns(CLOCK_MONOTONIC);
	top.cpu_before_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (!err)
		err = start_recorder(&top);
	if (err)
		return err;
	return chosen->stdio || chosen->count || !tui_is_possible() ? print_views(&top) : browse(&top);
}

static struct error *run(int argc, char **argv, int *status)
{
	struct top_options chosen = { .delay = 2, .window = 10, .rows = ROWS_OF_TEXT, .recording = RECORDING_DEFAULTS };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_top, &parse, &operands, &helped);

	*status = 0;
	if (!err && !helped)
		err = operands[0] ? error_hint(error_new(ERROR_USAGE, "top takes no command"),
					       "perfmini record -- %s, or -p PID", operands[0]) : run_top(&chosen);
	option_texts_release(&chosen.events);
	return err;
}

const struct command command_top = { "top", "show live where the machine, or a process, spends its time", run, options,
				     "[OPTIONS]" };
