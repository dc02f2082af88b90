/* `perfmini stat`: the runs. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "ab/run_result.h"
#include "base/memory.h"
#include "cmd/stat.h"

enum { NS_PER_MS = 1000000 };

static bool is_time(uint64_t now_ns, uint64_t due_ns)
{
	return due_ns && now_ns >= due_ns;
}

/* When, since the start of the run, something is to be done; 0: nothing. */
struct schedule {
	uint64_t delay_ns, interval_ns, timeout_ns;
};

static uint64_t next_due(const struct schedule *schedule)
{
	const uint64_t due[] = { schedule->delay_ns, schedule->interval_ns, schedule->timeout_ns };
	uint64_t next = 0;

	for (size_t i = 0; i < ARRAY_SIZE(due); i++)
		if (due[i] && (!next || due[i] < next))
			next = due[i];
	return next;
}

static struct error *print_interval(struct stat_session *session, size_t set, uint64_t now_ns)
{
	struct error *err = meter_read(session->meters[set], session->counts);

	if (!err)
		stat_print_interval(session, set, now_ns);
	return err;
}

/* What is due now. */
static struct error *keep_schedule(struct stat_session *session, size_t set, struct schedule *schedule, bool *done)
{
	const struct stat_options *options = session->options;
	uint64_t now_ns = meter_elapsed_ns(session->meters[set]);
	struct error *err = NULL;

	if (is_time(now_ns, schedule->delay_ns)) {
		err = meter_switch(session->meters[set], true);
		schedule->delay_ns = 0;
	}
	if (!err && is_time(now_ns, schedule->interval_ns)) {
		err = print_interval(session, set, now_ns);
		schedule->interval_ns += options->interval_ms * NS_PER_MS;
		*done = *done || (options->interval_count && session->intervals_done >= options->interval_count);
	}
	*done = *done || is_time(now_ns, schedule->timeout_ns) || session->control_stop;
	return err;
}

/* Ctrl-C reaches the command as well, and it may have something to say: wait for it, the second time kill it. */
static bool note_signal(struct stat_session *session, struct meter *meter, bool has_command)
{
	int signal = meter_signal(meter);

	if (!signal)
		return false;
	if (session->signal && has_command)
		meter_kill(meter, SIGKILL);
	session->signal = signal;
	return !has_command;
}

static struct error *wait_for_end(struct stat_session *session, size_t set, bool has_command)
{
	const struct stat_options *options = session->options;
	struct schedule schedule = { options->delay_ms > 0 ? (uint64_t)options->delay_ms * NS_PER_MS : 0,
				     options->interval_ms * NS_PER_MS, options->timeout_ms * NS_PER_MS };
	struct meter *meter = session->meters[set];
	struct error *err = NULL;
	bool done = false;
	int before = 0;

	while (!err && !done) {
		uint64_t due_ns = next_due(&schedule), now_ns = due_ns ? meter_elapsed_ns(meter) : 0;

		err = stat_control_wait(session, meter, !due_ns ? 0 : due_ns > now_ns ? due_ns - now_ns : 1, &done);
		if (!err && !done && meter_signal(meter) != before)
			done = note_signal(session, meter, has_command);
		before = 0;
		if (!err && !done)
			err = keep_schedule(session, set, &schedule, &done);
	}
	if (!err && meter_signal(meter))
		session->signal = meter_signal(meter);
	return err;
}

/* Uncounted: --pre and --post. */
static struct error *run_shell(struct stat_session *session, const char *option, const char *script)
{
	char *const argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	struct command_setup setup = { .argv = argv };
	cleanup(target_guard) struct target *target = NULL;
	struct error *err = target_from_command(session->launcher, &setup, &target);
	bool done = false;

	if (!err)
		err = target_start(target);
	while (!err && !done)
		err = target_wait(target, 0, &done);
	if (!err && target_result(target)->status)
		err = error_new(ERROR_OS, "%s: '%s' ended with status %d", option, script, target_result(target)->status);
	return err;
}

/* One run fails quietly no more: it is kept, named and, of several, left out. */
static void judge(struct stat_session *session, struct run *run, const struct command_result *result)
{
	auto_free char *why = NULL;

	if (session->signal && session->options->repeat != 1)
		why = memory_format("interrupted");
	else if (result->signal)
		why = memory_format("killed by signal %d (%s)", result->signal, strsignal(result->signal));
	else if (result->status)
		why = memory_format("exit status %d", result->status);
	if (why && session->options->repeat != 1) {
		run->is_void = true;
		run->void_why = runs_text(session->runs, why);
	}
	if (result->status && !session->failed_status && !session->signal)
		session->failed_status = result->status;
}

static void keep_run(struct stat_session *session, size_t set, const struct command_result *result, bool left_children)
{
	struct run *run = runs_add(session->runs);

	run->block = (uint32_t)session->runs->count - 1;
	run_keep_result(run, result);
	stat_fill_run(session, set, session->counts, run);
	run->flags = left_children ? RUN_LEFT_CHILDREN : 0;
	if (session->options->ops)
		run->printed[0] = (double)session->options->ops;
	else if (session->options->ops_from)
		run->printed[0] = stat_find_operations(session);
	judge(session, run, result);
}

/* Where rights are wanting for every event there is nothing to show: the command is not started for it. */
static struct error *check_rights(const struct stat_session *session, size_t set)
{
	const struct error *denied = NULL;

	for (size_t i = 0; i < event_list_count(session->events); i++) {
		const struct error *why = session->chosen[set][i] ? meter_why(session->meters[set], i) : NULL;

		if (session->chosen[set][i] && !why)
			return NULL;
		if (!denied && why && error_kind(why) == ERROR_PERMISSION)
			denied = why;
	}
	if (!denied)
		return NULL;

	struct error *err = error_new(ERROR_PERMISSION, "%s", error_message(denied));

	return error_hint_text(denied) ? error_hint(err, "%s", error_hint_text(denied)) : err;
}

/* What is left after --interval-count intervals is only the time it takes to end. */
static bool ends_in_interval(const struct stat_session *session, const struct command_result *result)
{
	const struct stat_options *options = session->options;
	bool had_all = options->interval_count && session->intervals_done >= options->interval_count;

	return options->interval_ms && !had_all && result->wall_ns > session->last_ns;
}

/* One run, counted in the set's meter. The end is always reached, so that nothing is left running. */
static struct error *measure_run(struct stat_session *session, size_t set, bool keep)
{
	struct meter *meter = session->meters[set];
	struct command_setup setup = { .argv = session->command, .find_cpu = session->options->save };
	struct command_result result = { 0 };
	bool has_command = session->command[0] != NULL, left_children = false;
	struct error *err = has_command ? stat_take_output(session, &setup) : NULL, *end;

	if (!err)
		err = meter_begin(meter, has_command ? &setup : NULL);
	if (!err)
		err = check_rights(session, set);
	if (err)
		return err;
	stat_make_rows(session, meter);
	stat_cpu_time_begin(session);
	err = meter_start(meter);
	if (!err)
		err = wait_for_end(session, set, has_command);
	end = meter_end(meter, session->counts, &result, &left_children);
	if (err || end) {
		if (err)
			error_destroy(end);
		return err ? err : end;
	}
	if (ends_in_interval(session, &result))
		stat_print_interval(session, set, result.wall_ns);
	if (keep)
		keep_run(session, set, &result, left_children);
	else if (session->options->ops_from)
		(void)stat_find_operations(session);
	return NULL;
}

static struct error *one_round(struct stat_session *session, size_t set, bool keep)
{
	const struct stat_options *options = session->options;
	struct error *err = options->pre ? run_shell(session, "--pre", options->pre) : NULL;

	if (options->sync)
		sync();
	if (!err)
		err = measure_run(session, set, keep);
	if (!err && options->post)
		err = run_shell(session, "--post", options->post);
	return err;
}

static struct error *create_meters(struct stat_session *session)
{
	const struct stat_options *options = session->options;
	struct meter_setup setup = {
		.kernel = &kernel_linux, .launcher = session->launcher, .events = session->events,
		.place = session->place, .no_inherit = options->no_inherit || !options->inherit,
		.start_off = options->delay_ms != 0,
		/* Opening once pays from the second run on; and it takes no part in the first one's time. */
		.reopen = options->repeat == 1 && !options->warmup,
	};

	session->meters = memory_zeroed(session->set_count, sizeof(*session->meters));
	for (size_t set = 0; set < session->set_count; set++) {
		setup.chosen = session->chosen[set];

		struct error *err = meter_create(&setup, &session->meters[set]);

		if (err)
			return err;
	}
	return NULL;
}

static bool all_are_void(const struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		if (!runs->items[i].is_void || !runs->items[i].status)
			return false;
	return runs->count > 0;
}

/* When every run fails there is no better one to take: show them, with their reason. */
static void pardon_all(struct stat_session *session)
{
	if (session->signal || !all_are_void(session->runs))
		return;
	for (size_t i = 0; i < session->runs->count; i++)
		session->runs->items[i].is_void = false;
}

static struct error *repeat(struct stat_session *session)
{
	const struct stat_options *options = session->options;
	uint64_t started_ns = 0;
	struct error *err = NULL;

	for (uint64_t i = 0; !err && i < options->warmup && !session->signal; i++)
		err = one_round(session, i % session->set_count, false);
	for (uint64_t i = 0; !err && (!options->repeat || i < options->repeat) && !session->signal; i++) {
		stat_show_progress(session, i, started_ns);
		if (!i && session->runs->count)
			started_ns = session->runs->items[0].start_ns;
		err = one_round(session, i % session->set_count, true);
		if (session->runs->count == 1)
			started_ns = session->runs->items[0].start_ns;
	}
	stat_end_progress(session);
	return err;
}

struct error *stat_measure(struct stat_session *session)
{
	struct error *err = create_meters(session);

	if (!err)
		err = repeat(session);
	pardon_all(session);
	return err;
}
