/* perfmini stat: count events while a command runs, or on tasks and CPUs. */
#include "cmd/stat.h"

#include <errno.h>
#include <string.h>

#include "ab/program.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/program_identity.h"

static void session_release(struct stat_session *session)
{
	for (size_t i = 0; session->meters && i < session->set_count; i++)
		meter_destroy(session->meters[i]);
	for (size_t i = 0; session->chosen && i < session->set_count; i++)
		free(session->chosen[i]);
	free(session->meters);
	free(session->chosen);
	free(session->set);
	free(session->rows);
	free(session->counts);
	free(session->last_counts);
	target_destroy(session->place);
	event_list_destroy(session->events);
	metric_table_destroy(session->metrics);
	runs_destroy(session->runs);
	stat_cpu_time_release(&session->cpu_time);
	stat_control_close(session);
	close_guard(&session->output_fd);
	if (session->options->ops_from)
		regfree(&session->ops_pattern);
	if (session->out && session->out != stderr)
		fclose(session->out);
}

static struct error *parse_ids(const char *text, pid_t **ret, size_t *count)
{
	size_t capacity = 0, found = 0;
	auto_free pid_t *ids = NULL;

	for (const char *at = text;; at++) {
		char *end;
		long id = strtol(at, &end, 10);

		if (end == at || id <= 0 || id > INT32_MAX || (*end && *end != ','))
			return error_hint(error_new(ERROR_USAGE, "'%s' is no list of process or thread ids", text),
					  "write it as 123,456");
		array_grow(&ids, found, &capacity);
		ids[found++] = (pid_t)id;
		at = end;
		if (!*at)
			break;
	}
	*ret = take(ids);
	*count = found;
	return NULL;
}

static struct error *find_tasks(const struct stat_options *options, struct target **ret)
{
	auto_free pid_t *ids = NULL;
	size_t count = 0;
	struct error *err = parse_ids(options->pids ? options->pids : options->tids, &ids, &count);

	if (err)
		return err;
	return options->pids ? target_from_pids(ids, count, ret) : target_from_tids(ids, count, ret);
}

static struct error *find_place(struct stat_session *session)
{
	const struct stat_options *options = session->options;
	bool keeps_cpus_apart = options->per_cpu || !options->aggregate || options->per_core || options->per_die ||
				options->per_socket || options->per_node;

	if (options->pids || options->tids)
		return find_tasks(options, &session->place);
	if (options->cpus || options->system_wide || keeps_cpus_apart)
		return target_from_cpus(options->cpus, &session->place);
	return NULL;
}

/* What the title says is counted, when it is no command. */
static char *place_text(const struct stat_options *options)
{
	if (options->pids)
		return memory_format("process id %s", options->pids);
	if (options->tids)
		return memory_format("thread id %s", options->tids);
	if (options->cpus)
		return memory_format("CPU(s) %s", options->cpus);
	return memory_strdup("system wide");
}

static void add_plan(struct runs *runs, const char **plan, const char *name, const char *value)
{
	auto_free char *text = value ? memory_format("%s=%s", name, value) : NULL;

	if (text)
		plan[runs->plan_count++] = runs_text(runs, text);
}

static void describe(struct stat_session *session)
{
	struct runs *runs = session->runs;
	const char **plan = runs_alloc(runs, 4, sizeof(*plan)), **names = runs_alloc(runs, 1, sizeof(*names)), **words;
	auto_free char *place = session->place ? place_text(session->options) : NULL;
	size_t count = 0;

	runs->arms = runs_alloc(runs, 1, sizeof(*runs->arms));
	runs->arm_count = 1;
	while (session->command[count])
		count++;
	words = runs_alloc(runs, count + 1, sizeof(*words));
	for (size_t i = 0; i < count; i++)
		words[i] = runs_text(runs, session->command[i]);
	runs->arms[0] = (struct run_arm){ .name = "stat", .command = words };
	add_plan(runs, plan, "target", place);
	add_plan(runs, plan, "metrics", session->options->metrics);
	runs->plan = plan;
	if (session->options->ops || session->options->ops_from) {
		names[0] = "operations";
		runs->printed = names;
		runs->printed_count = 1;
	}
}

static struct error *compile_pattern(struct stat_session *session)
{
	const char *pattern = session->options->ops_from;
	char why[128];
	int failed = pattern ? regcomp(&session->ops_pattern, pattern, REG_EXTENDED | REG_NEWLINE) : 0;

	if (!failed)
		return NULL;
	regerror(failed, &session->ops_pattern, why, sizeof(why));
	return error_new(ERROR_USAGE, "--ops-from: '%s': %s", pattern, why);
}

static struct error *load_metrics(struct stat_session *session, bool all)
{
	return all ? metric_table_load(NULL, &session->metrics) : metric_table_load_beside(&session->metrics);
}

static struct error *prepare(struct stat_session *session)
{
	struct error *err = compile_pattern(session);

	if (!err)
		err = load_metrics(session, session->options->metrics);
	if (!err)
		err = find_place(session);
	if (!err)
		err = stat_choose_events(session);
	if (!err)
		err = stat_open_output(session);
	if (!err)
		err = stat_control_open(session);
	if (err)
		return err;
	session->runs = runs_create("stat");
	describe(session);
	return NULL;
}

/* After the runs: --pre may have built it. */
static struct error *save(const struct stat_session *session)
{
	struct runs *runs = session->runs;
	auto_free char *path = session->command[0] ? program_find(NULL, session->command[0]) : NULL;

	if (path)
		program_identify(runs, path, &runs->arms[0]);
	return runs_save(runs, session->options->save);
}

static struct error *report(const struct stat_session *session, struct error *measured)
{
	const struct stat_options *options = session->options;
	struct error *err = NULL;

	stat_cpu_time_print_average(session);
	if (session->runs->count && (!options->interval_ms || options->summary))
		err = stat_print_result(session, session->runs);
	if (!err && options->save && session->runs->count)
		err = save(session);
	if (measured) {
		error_destroy(err);
		return measured;
	}
	return err;
}

static struct error *measure(struct stat_session *session, int *status)
{
	struct error *err = prepare(session);

	if (err)
		return err;
	err = report(session, stat_measure(session));
	*status = session->signal ? 128 + session->signal : session->failed_status;
	return err;
}

static struct error *replay(struct stat_session *session)
{
	struct error *err = runs_load(session->options->replay, &session->runs);

	if (!err)
		err = load_metrics(session, runs_plan(session->runs, "metrics"));
	if (!err)
		err = stat_open_output(session);
	return err ? err : stat_print_result(session, session->runs);
}

static struct error *run_with(const struct stat_options *chosen, struct launcher *launcher, char **command, int *status)
{
	cleanup(session_release) struct stat_session session = { .options = chosen, .launcher = launcher,
								 .command = command, .control_fd = -1, .ack_fd = -1,
								 .signal_fd = -1, .output_fd = -1 };
	struct error *err = stat_check_options(chosen, command);

	if (err)
		return err;
	if (chosen->verbose)
		log_set_level(LOG_VERBOSE);
	return chosen->replay ? replay(&session) : measure(&session, status);
}

static struct error *run(int argc, char **argv, int *status)
{
	cleanup(launcher_guard) struct launcher *launcher = NULL;
	struct stat_options chosen = stat_defaults;
	struct options_parse parse = { stat_option_table, &chosen, true, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = launcher_create(&launcher);

	if (!err)
		err = command_parse(&command_stat, &parse, &operands, &helped);
	if (err)
		return err;
	*status = 0;
	if (!helped)
		err = run_with(&chosen, launcher, operands, status);
	option_texts_release(&chosen.events);
	return err;
}

const struct command command_stat = { "stat", "count events while a command runs", run, stat_option_table,
				      "[OPTIONS] [COMMAND [ARGUMENT…]]" };
