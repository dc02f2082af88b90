/* The options of `perfmini stat`, and which of them go together. */
#include <string.h>

#include "cmd/stat.h"

#define AT(field) offsetof(struct stat_options, field)
#define FLAG(letter, name, field, help) { letter, name, OPTION_FLAG, AT(field), NULL, help, NULL, NULL }
#define TOGGLE(letter, name, field, help) { letter, name, OPTION_TOGGLE, AT(field), NULL, help, NULL, NULL }
#define COUNT(letter, name, field, argument, help) { letter, name, OPTION_COUNT, AT(field), argument, help, NULL, NULL }
#define TEXT(letter, name, field, argument, help) { letter, name, OPTION_TEXT, AT(field), argument, help, NULL, NULL }

const struct option stat_option_table[] = {
	{ 'e', "event", OPTION_TEXTS, AT(events), "EVENTS", "count these; 'perfmini list' names them", NULL, NULL },
	TEXT('M', "metrics", metrics, "METRICS", "count what these metrics need, and show them"),
	{ 'd', "detailed", OPTION_REPEATED, AT(detail), NULL, "more default events: caches; -dd, -ddd: more", NULL, NULL },
	FLAG('n', "null", null_run, "count nothing: only the times of the runs"),
	FLAG(0, "all-user", all_user, "count only user mode"),
	FLAG(0, "all-kernel", all_kernel, "count only kernel mode"),
	FLAG('i', NULL, no_inherit, "as --no-inherit"),
	TOGGLE(0, "inherit", inherit, "count the command's children too (default)"),
	TEXT('p', "pid", pids, "PIDS", "count these running processes"),
	TEXT('t', "tid", tids, "TIDS", "count these running threads"),
	FLAG('a', "all-cpus", system_wide, "count all CPUs, whatever runs on them"),
	TEXT('C', "cpu", cpus, "CPUS", "count these CPUs: 0-3,5"),
	FLAG('A', "per-cpu", per_cpu, "a row for each CPU"),
	TOGGLE(0, "aggr", aggregate, "--no-aggr: as --per-cpu"),
	FLAG(0, "per-core", per_core, "a row for each core"),
	FLAG(0, "per-die", per_die, "a row for each die"),
	FLAG(0, "per-socket", per_socket, "a row for each socket"),
	FLAG(0, "per-node", per_node, "a row for each NUMA node"),
	FLAG(0, "per-thread", per_thread, "a row for each thread of --pid or --tid"),
	COUNT('r', "repeat", repeat, "N", "run the command N times, keep every run; 0: until Ctrl-C"),
	COUNT(0, "warmup", warmup, "N", "run it N times before, uncounted"),
	TEXT(0, "pre", pre, "SHELL", "run this before each run, uncounted"),
	TEXT(0, "post", post, "SHELL", "run this after each run, uncounted"),
	FLAG('S', "sync", sync, "write back the disk caches before each run"),
	TOGGLE(0, "multiplex", multiplex, "--no-multiplex: events that do not fit take turns by runs"),
	TOGGLE(0, "scale", scale, "extrapolate counts of a part of the time (default)"),
	COUNT(0, "ops", ops, "N", "the command does N operations: show counts for one"),
	TEXT(0, "ops-from", ops_from, "REGEX", "find the number of operations in its output"),
	{ 'D', "delay", OPTION_INTEGER, AT(delay_ms), "MS", "count from MS after the start; -1: from --control", NULL, NULL },
	COUNT(0, "timeout", timeout_ms, "MS", "end after MS"),
	TEXT(0, "control", control, "FD", "take enable and disable from fd:N[,ACK] or fifo:PATH[,ACK]"),
	COUNT('I', "interval-print", interval_ms, "MS", "print the counts of every MS"),
	COUNT(0, "interval-count", interval_count, "N", "end after N intervals"),
	FLAG(0, "summary", summary, "with intervals, print the whole at the end"),
	FLAG(0, "stats", stats, "show median, MAD, extremes, interval and outliers"),
	FLAG(0, "table", table, "show every run of every event"),
	FLAG(0, "metric-only", metric_only, "show only metrics"),
	TEXT('x', "field-separator", separator, "SEP", "print CSV, its fields separated by SEP"),
	FLAG('j', "json-output", json, "print JSON, one object a line"),
	TOGGLE('B', "big-num", big_num, "commas between thousands (default)"),
	TEXT('o', "output", output, "FILE", "print to a file"),
	FLAG(0, "append", append, "append to that file"),
	{ 0, "log-fd", OPTION_INTEGER, AT(log_fd), "FD", "print to an open descriptor", NULL, NULL },
	FLAG(0, "quiet", quiet, "print nothing"),
	TEXT(0, "save", save, "FILE", "keep every run in a file"),
	TEXT(0, "replay", replay, "FILE", "print what --save kept"),
	{ 'v', "verbose", OPTION_REPEATED, AT(verbose), NULL, "also print the raw counts of each run", NULL, NULL },
	{ .type = OPTION_END },
};

const struct stat_options stat_defaults = { .repeat = 1, .log_fd = -1, .big_num = true, .scale = true,
					    .multiplex = true, .inherit = true, .aggregate = true };

enum { MOST_RUNS = 10 * 1000 * 1000, LEAST_TIMEOUT_MS = 10 };

static size_t count_places(const struct stat_options *options)
{
	return (size_t)(options->per_cpu || !options->aggregate) + options->per_core + options->per_die +
	       options->per_socket + options->per_node + options->per_thread;
}

static struct error *check_values(const struct stat_options *options)
{
	if (options->repeat > MOST_RUNS || options->warmup > MOST_RUNS)
		return error_new(ERROR_USAGE, "--repeat and --warmup take at most %d", MOST_RUNS);
	if (options->delay_ms < -1)
		return error_new(ERROR_USAGE, "--delay takes -1, or milliseconds");
	if (options->timeout_ms && options->timeout_ms < LEAST_TIMEOUT_MS)
		return error_new(ERROR_USAGE, "--timeout takes at least %d ms", LEAST_TIMEOUT_MS);
	if (options->separator && !*options->separator)
		return error_new(ERROR_USAGE, "--field-separator is empty");
	if (options->separator && strpbrk(options->separator, "\"\n\r"))
		return error_new(ERROR_USAGE, "--field-separator may not hold a quote or a line end");
	return NULL;
}

/* Pairs that contradict each other, by name. */
static struct error *check_pairs(const struct stat_options *options)
{
	const struct {
		bool one, other;
		const char *names;
	} pairs[] = {
		{ options->separator, options->json, "--field-separator and --json-output" },
		{ options->all_user, options->all_kernel, "--all-user and --all-kernel" },
		{ options->pids, options->tids, "--pid and --tid" },
		{ options->pids || options->tids, options->system_wide || options->cpus,
		  "--pid or --tid, and --all-cpus or --cpu" },
		{ options->output, options->log_fd >= 0, "--output and --log-fd" },
		{ options->ops, options->ops_from, "--ops and --ops-from" },
		{ options->null_run, options->events.count || options->metrics, "--null and events" },
		{ options->interval_ms, options->repeat != 1, "--interval-print and --repeat" },
		{ options->interval_ms, options->timeout_ms, "--interval-print and --timeout" },
		{ options->interval_ms && options->table, true, "--interval-print and --table" },
		{ options->per_thread, !options->pids && !options->tids, "--per-thread without --pid or --tid" },
		{ options->append, !options->output, "--append without --output" },
		{ options->interval_count, !options->interval_ms, "--interval-count without --interval-print" },
		{ options->delay_ms == -1, !options->control, "--delay -1 without --control" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (pairs[i].one && pairs[i].other)
			return error_new(ERROR_USAGE, "%s do not go together", pairs[i].names);
	if (count_places(options) > 1)
		return error_new(ERROR_USAGE, "only one of the --per- options at a time");
	return NULL;
}

static struct error *check_command(const struct stat_options *options, char *const *command)
{
	bool has_place = options->pids || options->tids || options->system_wide || options->cpus ||
			 count_places(options) > 0;

	if (command[0] && options->replay)
		return error_new(ERROR_USAGE, "--replay takes no command");
	if (!command[0] && !options->replay && !has_place)
		return error_hint(error_new(ERROR_USAGE, "nothing to measure"),
				  "name a command, or --pid, --tid, --all-cpus");
	if (!command[0] && (options->repeat != 1 || options->warmup || options->ops_from))
		return error_new(ERROR_USAGE, "--repeat, --warmup and --ops-from need a command");
	return NULL;
}

struct error *stat_check_options(const struct stat_options *options, char *const *command)
{
	struct error *err = check_values(options);

	if (!err)
		err = check_pairs(options);
	return err ? err : check_command(options, command);
}
