/* Runs a command and measures it: the runner of real experiments. */
#include "ab/runner.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "ab/drain.h"
#include "ab/program.h"
#include "ab/run_result.h"
#include "base/log.h"
#include "base/memory.h"
#include "measure/audit.h"
#include "measure/fit.h"
#include "measure/meter.h"

/* An arm that never wrote more than FEW_BYTES is left alone with its pipes, which hold more, for LATE_NS. */
enum { KEEP_OUTPUT = 16 << 20, FEW_BYTES = 16 << 10, LATE_NS = 50000000 };

/* What identifies an executable's content without reading it. */
struct executable {
	char *path; /* NULL before its first run */
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec changed;
};

/* What an arm wrote in its runs so far. */
struct habit {
	bool known;
	uint64_t most_bytes;
};

struct live_runner {
	struct live_setup setup;
	struct executable *executables; /* [executable_count], one an arm, of layout 0 */
	struct habit *habits; /* [executable_count] */
	size_t executable_count;
	int *set; /* [event] as fit_sets() says */
	size_t set_count;
	struct meter *meter; /* of the set metered */
	size_t metered;
	bool *chosen; /* [event] of that meter */
	bool *told;   /* [event] why it is not counted */
	struct audit_watch *audit;
	char complaint[256];
	int signal;
	int null_fd;
};

struct live_runner *live_runner_create(const struct live_setup *setup)
{
	struct live_runner *live = memory_zeroed(1, sizeof(*live));
	size_t events = event_list_count(setup->events);

	static const struct facts_roots here = { 0 };

	live->setup = *setup;
	live->audit = audit_watch_create(&here, true);
	live->null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	live->set = memory_zeroed(events, sizeof(*live->set));
	live->chosen = memory_zeroed(events, sizeof(*live->chosen));
	live->told = memory_zeroed(events, sizeof(*live->told));
	live->set_count = events ? fit_sets(&kernel_linux, setup->events, live->set) : 0;
	if (!live->set_count)
		live->set_count = 1;
	return live;
}

void live_runner_destroy(struct live_runner *live)
{
	if (!live)
		return;
	for (size_t i = 0; i < live->executable_count; i++)
		free(live->executables[i].path);
	meter_destroy(live->meter);
	audit_watch_destroy(live->audit);
	free(live->executables);
	free(live->habits);
	free(live->set);
	free(live->chosen);
	free(live->told);
	if (live->null_fd >= 0)
		close(live->null_fd);
	free(live);
}

size_t live_runner_sets(const struct live_runner *live)
{
	return live->set_count;
}

const char *live_runner_complaint(const struct live_runner *live)
{
	return live->complaint;
}

int live_runner_signal(const struct live_runner *live)
{
	return live->signal;
}

void live_runner_describe(const struct live_runner *live, struct runs *runs)
{
	const struct event_list *list = live->setup.events;

	runs->event_count = event_list_count(list);
	runs->events = runs_alloc(runs, runs->event_count, sizeof(*runs->events));
	for (size_t i = 0; i < runs->event_count; i++) {
		const struct event *event = event_list_at(list, i);

		runs->events[i] = (struct run_event){
			.name = runs_text(runs, event->name), .note = runs_text(runs, event->note),
			.unit = runs_text(runs, event->unit), .scale = event->scale, .group = event->leader,
		};
	}
}

struct error *live_runner_usable(struct launcher *launcher, const char *const *texts, size_t count,
				 struct event_list *list)
{
	cleanup(event_list_guard) struct event_list *all = event_list_create();
	cleanup(meter_guard) struct meter *meter = NULL;
	struct meter_setup setup = { .kernel = &kernel_linux, .launcher = launcher, .events = all };
	struct error *err = NULL;

	for (size_t i = 0; i < count && !err; i++)
		err = event_list_add(all, texts[i]);
	if (!err)
		err = meter_create(&setup, &meter);
	for (size_t i = 0; i < count && !err; i++)
		if (!meter_why(meter, i))
			err = event_list_add(list, texts[i]);
	return err;
}

/* Only one set may be open: what the launcher has open, every command inherits. */
static struct error *choose_set(struct live_runner *live, size_t set)
{
	struct meter_setup setup = { .kernel = &kernel_linux, .launcher = live->setup.launcher,
				     .events = live->setup.events, .chosen = live->chosen };

	if (live->meter && live->metered == set)
		return NULL;
	meter_destroy(take(live->meter));
	live->metered = set;
	for (size_t i = 0; i < event_list_count(live->setup.events); i++)
		live->chosen[i] = live->set[i] == FIT_EVERYWHERE || (size_t)live->set[i] == set;
	return meter_create(&setup, &live->meter);
}

void live_runner_pause(struct live_runner *live)
{
	meter_destroy(take(live->meter));
}

static bool same_file(const struct executable *known, const struct stat *now)
{
	return known->device == now->st_dev && known->inode == now->st_ino && known->size == now->st_size &&
	       known->changed.tv_sec == now->st_mtim.tv_sec && known->changed.tv_nsec == now->st_mtim.tv_nsec;
}

/* The program of an arm must stay what it was: a run of another program belongs to another experiment. */
static struct error *check_executable(struct live_runner *live, const struct run_request *request, const char *word)
{
	const struct plan *plan = request->plan;
	struct stat now;

	if (!live->executables) {
		live->executable_count = plan->arm_count;
		live->executables = memory_zeroed(plan->arm_count, sizeof(*live->executables));
		live->habits = memory_zeroed(plan->arm_count, sizeof(*live->habits));
	}

	struct executable *known = &live->executables[request->arm];
	char *path = known->path ? known->path : program_find(plan->arms[request->arm].directory, word);

	if (request->cell.layout && !known->path) {
		free(path);
		return NULL;
	}
	known->path = path;
	if (request->cell.layout || stat(path, &now))
		return NULL;
	if (known->inode && !same_file(known, &now))
		return error_hint(error_new(ERROR_OS, "%s: %s changed while it was measured",
					    plan->arms[request->arm].name, path),
				  "measure a copy of it; what was measured before the change is kept");
	*known = (struct executable){ path, now.st_dev, now.st_ino, now.st_size, now.st_mtim };
	return NULL;
}

/* What belongs to one run. */
struct attempt {
	const struct run_request *request;
	struct runs *runs;
	struct run *run;
	struct drain *drain;
	struct count *counts;
	bool over_time;
};

static void attempt_release(struct attempt *attempt)
{
	drain_destroy(attempt->drain);
	free(attempt->counts);
}

/* Hold the command with its counters ready. */
static struct error *begin_attempt(struct live_runner *live, struct attempt *attempt, char *const *words)
{
	const struct run_request *request = attempt->request;
	const struct plan *plan = request->plan;
	size_t padding = request->padding_bytes + program_shortfall(plan, request->arm, request->cell.layout);
	auto_free char *variable = NULL;
	auto_free char **environment = program_environment(padding, &variable);
	struct command_setup command = { .argv = words, .environment = environment, .find_cpu = true,
					 .stdin_fd = live->null_fd, .directory = plan->arms[request->arm].directory,
					 .cpus = live->setup.cpus, .cpu_count = live->setup.cpu_count };
	struct error *err = choose_set(live, request->cell.group);

	if (!err && !live->setup.show_output)
		err = drain_create(live->setup.printed->count ? KEEP_OUTPUT : 0, &command.stdout_fd, &command.stderr_fd,
				   &attempt->drain);
	return err ? err : meter_begin(live->meter, &command);
}

static bool is_quiet(const struct live_runner *live, const struct attempt *attempt)
{
	const struct habit *habit = &live->habits[attempt->request->arm];

	return habit->known && habit->most_bytes <= FEW_BYTES;
}

/* A reader beside the command costs more than a short command itself: only one that writes much needs it at once. */
static struct error *wait_and_read(struct live_runner *live, struct attempt *attempt, bool *done)
{
	uint64_t left_ns = live->setup.timeout_ns;
	struct error *err = NULL;

	if (!attempt->drain || (left_ns && left_ns <= LATE_NS))
		return meter_wait(live->meter, left_ns, done);
	if (is_quiet(live, attempt)) {
		err = meter_wait(live->meter, LATE_NS, done);
		left_ns -= left_ns ? LATE_NS : 0;
	}
	if (err || *done || meter_signal(live->meter))
		return err;
	err = drain_read(attempt->drain);
	return err ? err : meter_wait(live->meter, left_ns, done);
}

/* Wait to the end, or kill what takes too long. */
static struct error *wait_for_end(struct live_runner *live, struct attempt *attempt)
{
	bool done = false;
	struct error *err = wait_and_read(live, attempt, &done);

	live->signal = meter_signal(live->meter);
	if (err || done)
		return err;
	attempt->over_time = !live->signal;
	meter_kill(live->meter, SIGKILL);
	while (!err && !done)
		err = meter_wait(live->meter, 0, &done);
	return err;
}

static void tell_why(struct live_runner *live, size_t event)
{
	const struct error *why = meter_why(live->meter, event);

	if (live->told[event])
		return;
	live->told[event] = true;
	log_warning("%s", error_message(why));
	if (error_hint_text(why))
		log_note("%s", error_hint_text(why));
}

/* Sum one event over its places; a second core PMU adds to the event it is shown with. */
static void add_count(struct run_count *into, const struct count *counts, size_t places)
{
	into->state = COUNT_OK;
	for (size_t i = 0; i < places; i++) {
		into->value += counts[i].value;
		into->enabled_ns += counts[i].enabled_ns;
		into->running_ns += counts[i].running_ns;
	}
}

static void take_counts(struct live_runner *live, struct attempt *attempt, size_t places)
{
	struct run *run = attempt->run;

	for (size_t i = 0; i < attempt->runs->event_count; i++)
		run->counts[i].state = COUNT_NOT_IN_RUN;
	for (size_t i = 0; i < attempt->runs->event_count; i++) {
		struct run_count *into = &run->counts[event_list_at(live->setup.events, i)->merge];

		if (!live->chosen[i])
			continue;
		if (!meter_why(live->meter, i)) {
			add_count(into, attempt->counts + i * places, places);
			continue;
		}
		if (into->state == COUNT_NOT_IN_RUN)
			into->state = COUNT_NOT_SUPPORTED;
		tell_why(live, i);
	}
}

static void take_result(struct run *run, const struct command_result *result)
{
	run_keep_result(run, result);
	if (run->major_faults)
		run->flags |= RUN_MAJOR_FAULT;
}

static void take_output(struct live_runner *live, struct attempt *attempt)
{
	const struct drained *drained = drain_finish(attempt->drain);
	struct habit *habit = &live->habits[attempt->request->arm];

	habit->known = true;
	if (drained->bytes + drained->message_bytes > habit->most_bytes)
		habit->most_bytes = drained->bytes + drained->message_bytes;
	attempt->run->output_hash = drained->hash;
	if (drained->held_open)
		attempt->run->flags |= RUN_LEFT_CHILDREN;
	if (attempt->run->status)
		snprintf(live->complaint, sizeof(live->complaint), "%s", drained->last_error);
	for (size_t i = 0; i < live->setup.printed->count; i++)
		attempt->run->printed[i] = printed_find(&live->setup.printed->items[i], drained->text);
}

/* A counter that never got its turn says nothing about this run. */
static void void_unscheduled(struct attempt *attempt)
{
	for (size_t i = 0; i < attempt->runs->event_count; i++) {
		const struct run_count *count = &attempt->run->counts[i];

		if (count->state != COUNT_OK || !count->enabled_ns || count->running_ns)
			continue;

		auto_free char *why = memory_format("%s was never scheduled", attempt->runs->events[i].name);

		attempt->run->void_why = runs_text(attempt->runs, why);
	}
}

/* Beside the co-runner, which is a child of ours too, only a held output tells of children left behind. */
static bool children_are_known(const struct run_request *request)
{
	return !request->cell.condition || strcmp(request->cell.condition, "pressure") != 0;
}

static struct error *end_attempt(struct live_runner *live, struct attempt *attempt)
{
	const struct place *unneeded;
	size_t places = meter_places(live->meter, &unneeded);
	struct command_result result;
	bool left_children = false;
	struct error *err;

	attempt->counts = memory_zeroed(attempt->runs->event_count * places, sizeof(*attempt->counts));
	err = meter_end(live->meter, attempt->counts, &result, &left_children);
	if (err)
		return err;
	take_counts(live, attempt, places);
	take_result(attempt->run, &result);
	if (attempt->drain)
		take_output(live, attempt);
	if (left_children && children_are_known(attempt->request))
		attempt->run->flags |= RUN_LEFT_CHILDREN;
	void_unscheduled(attempt);
	if (attempt->over_time)
		attempt->run->void_why = runs_text(attempt->runs, "over --timeout");
	return NULL;
}

/* What the machine did beside the run: flagged, never a reason to drop it. */
static void flag_disturbance(const struct live_runner *live, const struct audit_counts *before, struct run *run)
{
	struct audit_counts after;

	if (!run->wall_ns)
		return;
	audit_snapshot(live->audit, &after);

	struct audit_counts delta = audit_delta(before, &after);
	struct audit_disturbance judged = audit_judge(&delta, run->user_ns + run->sys_ns, run->wall_ns);

	run->foreign_ns = run->condition ? 0 : judged.foreign_ns;
	run->flags |= (judged.steal ? RUN_STEAL : 0) | (judged.throttled ? RUN_THROTTLED : 0) |
		      (judged.foreign_load && !run->condition ? RUN_FOREIGN_LOAD : 0);
}

static struct error *measure(struct live_runner *live, struct attempt *attempt)
{
	struct audit_counts before;
	struct error *err;

	audit_snapshot(live->audit, &before);
	err = meter_start(live->meter);

	if (attempt->drain)
		drain_started(attempt->drain);
	if (!err)
		err = wait_for_end(live, attempt);
	if (!err)
		err = end_attempt(live, attempt);
	if (!err)
		flag_disturbance(live, &before, attempt->run);
	return err;
}

/* Since boot, in ns: CLOCK_BOOTTIME counts while the machine sleeps, CLOCK_MONOTONIC does not. */
static int64_t slept_ns(void)
{
	struct timespec boot, awake;

	clock_gettime(CLOCK_BOOTTIME, &boot);
	clock_gettime(CLOCK_MONOTONIC, &awake);
	return (boot.tv_sec - awake.tv_sec) * INT64_C(1000000000) + boot.tv_nsec - awake.tv_nsec;
}

static struct error *run_live(void *context, const struct run_request *request, struct runs *runs, struct run *ret)
{
	struct live_runner *live = context;
	auto_free char **words = program_words(request->plan, request->arm, request->cell.layout);
	cleanup(attempt_release) struct attempt attempt = { .request = request, .runs = runs, .run = ret };
	int64_t slept = slept_ns();
	struct error *err = check_executable(live, request, words[0]);

	if (!err)
		err = begin_attempt(live, &attempt, words);
	if (!err)
		err = measure(live, &attempt);
	if (err)
		return error_wrap(err, "%s", request->plan->arms[request->arm].name);
	if (slept_ns() - slept > 100000000)
		ret->void_why = runs_text(runs, "the machine slept");
	return NULL;
}

struct runner live_runner_interface(struct live_runner *live)
{
	return (struct runner){ .run = run_live, .context = live };
}
