/* perfmini record: sample a command, tasks or CPUs into perf.data. */
#include <signal.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "capture/control.h"
#include "cmd/cmd.h"
#include "cmd/record_open.h"
#include "cmd/record_options.h"

/* All that lives while recording. */
struct session {
	struct record_options options;
	char **operands;
	struct launcher *launcher;
	struct target *command, *others; /* what is run; what else is measured */
	struct event_list *events;
	struct control *control;
	struct recorder_window *windows;
	const char **words; /* the command line as the file keeps it */
	struct sampling sampling;
	struct recorder_setup setup;
};

static void session_release(struct session *session)
{
	option_texts_release(&session->options.events);
	free(session->operands);
	free(session->windows);
	free(session->words);
	control_destroy(session->control);
	target_destroy(session->command);
	target_destroy(session->others);
	launcher_destroy(session->launcher);
	event_list_destroy(session->events);
}

static struct error *choose_others(struct session *session)
{
	const struct record_options *options = &session->options;
	auto_free pid_t *ids = NULL;
	size_t count;
	struct error *err;

	if (options->all_cpus || options->cpus)
		return target_from_cpus(options->cpus, &session->others);
	if (!options->pids && !options->tids)
		return NULL;
	err = record_pid_list(options->pids ? options->pids : options->tids, options->pids ? "-p" : "-t", &ids, &count);
	if (err)
		return err;
	return options->pids ? target_from_pids(ids, count, &session->others) :
			       target_from_tids(ids, count, &session->others);
}

static struct error *check_target(const struct session *session)
{
	const struct record_options *options = &session->options;
	int chosen = (options->all_cpus || options->cpus) + (options->pids != NULL) + (options->tids != NULL);

	if (chosen > 1)
		return error_new(ERROR_USAGE, "choose one of -a or -C, -p, -t");
	if (!chosen && !session->operands[0])
		return error_hint(error_new(ERROR_USAGE, "nothing to record"),
				  "name a command, or use -a, -C, -p or -t");
	return NULL;
}

static struct error *choose_targets(struct session *session)
{
	struct command_setup command = { .argv = session->operands };
	struct error *err = check_target(session);

	/* What the command prints must not lie between the records. */
	if (!strcmp(session->options.output, "-"))
		command.stdout_fd = STDERR_FILENO;

	if (!err)
		err = choose_others(session);
	if (!err && session->operands[0])
		err = target_from_command(session->launcher, &command, &session->command);
	return err;
}

static struct error *choose_events(struct session *session)
{
	const struct option_texts *texts = &session->options.events;
	struct error *err = NULL;

	session->events = event_list_create();
	if (!texts->count)
		return event_list_add(session->events, record_default_event);
	for (size_t i = 0; !err && i < texts->count; i++)
		err = event_list_add(session->events, texts->items[i]);
	return err;
}

static const char **command_line(char **argv)
{
	size_t count = 0;

	while (argv[count])
		count++;

	const char **words = memory_zeroed(count + 2, sizeof(*words));

	words[0] = "perfmini";
	memcpy(words + 1, argv, count * sizeof(*words));
	return words;
}

static struct error *prepare(struct session *session, char **argv)
{
	const struct record_options *options = &session->options;
	struct error *err = record_sampling(options, &session->sampling);

	session->words = command_line(argv);
	session->setup = (struct recorder_setup){
		.kernel = &kernel_linux,
		.events = session->events,
		.target = session->others ? session->others : session->command,
		.command = session->command,
		.sampling = &session->sampling,
		.output = options->output,
		.words = session->words,
		.compress = options->compress,
		.inherit = options->inherit && !options->no_inherit && !options->per_thread,
		.start_disabled = options->delay != NULL,
		.keep_build_ids = options->build_ids && !options->no_build_ids,
		.keep_binaries = options->cache && !options->no_cache,
		.timeout_ns = options->timeout_ms * 1000000,
		.max_bytes = options->max_size,
	};
	if (!err)
		err = record_ring_bytes(options->ring, &session->setup.ring_bytes);
	if (!err)
		err = record_windows(options->delay, &session->windows, &session->setup.window_count);
	if (!err && options->control)
		err = control_open(options->control, &session->control);
	session->setup.windows = session->windows;
	session->setup.control = session->control;
	return err;
}

static void tell(const struct session *session, const struct recorder_result *result)
{
	const char *output = session->options.output;
	uint64_t all = result->samples + result->lost_records;

	if (session->options.quiet)
		return;
	fprintf(stderr, "[ perfmini record: Woken up %llu times to write data, %.1f ms of CPU ]\n",
		(unsigned long long)result->wakeups, (double)result->cpu_ns / 1e6);
	fprintf(stderr, "[ perfmini record: Captured and wrote %.3f MB %s (%llu samples) ]\n",
		(double)result->bytes / 1024 / 1024, strcmp(output, "-") ? output : "to the pipe",
		(unsigned long long)result->samples);
	if (result->lost_records)
		log_warning("lost %llu records of %llu (%.2f%%): larger rings (-m) or fewer samples (-F) help",
			    (unsigned long long)result->lost_records, (unsigned long long)all,
			    100.0 * (double)result->lost_records / (double)all);
	if (result->lost_samples)
		log_warning("lost %llu samples", (unsigned long long)result->lost_samples);
	if (result->throttles)
		log_warning("the kernel throttled the events %llu times: samples are missing there",
			    (unsigned long long)result->throttles);
}

static struct error *record(struct session *session, int *status)
{
	cleanup(recorder_guard) struct recorder *recorder = NULL;
	struct recorder_result result;
	struct error *err = record_open(&session->setup, &session->events, !session->options.events.count, &recorder);

	if (err)
		return err;
	err = recorder_run(recorder, &result);
	if (err && error_status(err, 0) == 127)
		return err;
	tell(session, &result);
	if (err)
		return err;
	*status = result.signal ? 128 + result.signal : 0;
	if (!result.signal && session->command && target_result(session->command))
		*status = target_result(session->command)->status;
	return NULL;
}

static struct error *run(int argc, char **argv, int *status)
{
	cleanup(session_release) struct session session = { .options = record_defaults };
	struct options_parse parse = { record_option_table, &session.options, true, argc, argv };
	bool helped;
	struct error *err = command_parse(&command_record, &parse, &session.operands, &helped);

	*status = 0;
	if (err || helped)
		return err;
	if (session.options.quiet)
		log_set_level(LOG_QUIET);
	else if (session.options.verbose)
		log_set_level(LOG_VERBOSE);
	err = launcher_create(&session.launcher);
	/* A reader of our pipe that leaves is an error to be told, not a death. */
	signal(SIGPIPE, SIG_IGN);
	if (!err)
		err = choose_targets(&session);
	if (!err)
		err = choose_events(&session);
	if (!err)
		err = prepare(&session, argv);
	return err ? err : record(&session, status);
}

const struct command command_record = { "record", "sample a command, tasks or CPUs into perf.data", run,
					record_option_table, "[OPTIONS] [COMMAND [ARGUMENT…]]" };
