/* perfmini ab --slurm: the parts of an experiment as a job array, collected and judged together. */
#include "cmd/ab_slurm.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ab/command_line.h"
#include "ab/slurm.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/bundle.h"
#include "cmd/loaded_runs.h"

enum { MOST_PARTS = 100000, PATIENCE = 3 }; /* looks in which an element that is GONE may still write its file */

/* One experiment over an array. */
struct array {
	const struct ab_slurm_setup *setup;
	char *directory; /* absolute */
	size_t count;    /* parts */
	char job[32];
	struct slurm_element *elements; /* [count], as last seen */
	unsigned *gone;                 /* [count], looks since it was last seen */
	bool *done;                     /* [count], its file is whole: not read again while waiting */
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	stopped = signal;
}

static void array_release(struct array *array)
{
	free(array->directory);
	free(array->elements);
	free(array->gone);
	free(array->done);
}

static struct error *check_options(const struct ab_options *chosen)
{
	static const char *const conflicts[] = { "--share", "--until", "--bisect", "--save", "--record" };
	const bool given[] = { chosen->share != NULL, chosen->until != NULL, chosen->judge.bisect, chosen->save != NULL,
			       chosen->record };

	for (size_t i = 0; i < ARRAY_SIZE(conflicts); i++)
		if (given[i])
			return error_new(ERROR_USAGE, "--slurm does not go with %s", conflicts[i]);
	if (chosen->machines > MOST_PARTS)
		return error_new(ERROR_USAGE, "--machines %" PRIu64 " is too large", chosen->machines);
	return NULL;
}

static char *path_in(const struct array *array, const char *name)
{
	return memory_format("%s/%s", array->directory, name);
}

static char *part_directory(const struct array *array, size_t part)
{
	return memory_format("%s/part-%zu", array->directory, part + 1);
}

/* Whole: measured to its end. blocks: that count, of a whole file or one cut short. */
static bool part_is_whole(const struct array *array, size_t part, uint64_t *blocks)
{
	auto_free char *directory = part_directory(array, part), *path = bundle_runs(directory);
	cleanup(runs_guard) struct runs *runs = NULL;
	struct error *err = runs_load(path, &runs);
	bool is_whole = !err && !runs->cut;

	*blocks = err ? 0 : experiment_valid_blocks(runs);
	error_destroy(err);
	return is_whole;
}

/* This program, as the nodes will find it on the shared file system. */
static char *own_path(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	return length > 0 ? memory_strndup(path, (size_t)length) : memory_strdup("perfmini");
}

/* The options as given, less those that are the array's own. */
static char *element_options(const struct array *array)
{
	struct ab_options own = *array->setup->chosen;

	own.slurm = own.directory = own.seed = own.judge.format = own.judge.output = NULL;
	own.machines = 0;
	own.resume = own.ship = false;
	own.quiet = true;

	char **words = options_words(array->setup->table, &own, array->setup->defaults);
	char *joined = command_line_join((const char *const *)words);

	options_words_free(words);
	return joined;
}

static struct error *write_script(const struct array *array, const char *path)
{
	char here[4096];
	auto_free char *program = own_path(), *options = element_options(array), *like = path_in(array, "experiment.runs");
	auto_free char *operands = command_line_join((const char *const *)array->setup->operands);
	const char *const places[] = { getcwd(here, sizeof(here)) ? here : "/", NULL };
	const char *const programs[] = { program, NULL }, *const likes[] = { like, NULL };
	const char *const directories[] = { array->directory, NULL };
	auto_free char *place = command_line_join(places), *quoted_program = command_line_join(programs);
	auto_free char *quoted_like = command_line_join(likes), *directory = command_line_join(directories);
	struct file_replacement *file;
	struct error *err = file_replace_begin(path, 0755, &file);

	if (err)
		return err;
	fprintf(file_replace_stream(file),
		"#!/bin/sh\n"
		"# One part of an experiment of perfmini ab; by hand: SLURM_ARRAY_TASK_ID=1 sh job.sh\n"
		"cd %s || exit\n"
		"program=%s\n"
		"[ -x \"$program\" ] || program=perfmini\n"
		"part=%s/part-$SLURM_ARRAY_TASK_ID\n"
		"resume=\n"
		"[ ! -e \"$part/ab.runs\" ] || resume=--resume\n"
		"exec \"$program\" ab --share \"$SLURM_ARRAY_TASK_ID/%zu\" --seed %" PRIu64 " --like %s -o \"$part\" $resume \\\n"
		"\t%s -- %s\n",
		place, quoted_program, directory, array->count, array->setup->runs->seed, quoted_like, options, operands);
	return file_replace_commit(file);
}

static struct error *describe(const struct array *array)
{
	auto_free char *path = path_in(array, "experiment.runs"), *logs = path_in(array, "logs");
	auto_free char *script = path_in(array, "job.sh");
	struct error *err = file_make_directories(logs, 0755);

	if (!err)
		err = runs_save(array->setup->runs, path);
	return err ? err : write_script(array, script);
}

/* Seed, number of parts and job of the experiment that is gone on with. */
static struct error *recall(struct array *array)
{
	auto_free char *path = path_in(array, "experiment.runs"), *parts = path_in(array, "parts");
	auto_free char *job = path_in(array, "job"), *line = NULL;
	cleanup(runs_guard) struct runs *old = NULL;
	long long count;
	struct error *err = runs_load(path, &old);
	const char *why;

	if (err)
		return error_wrap(err, "--resume");
	why = ab_why_other_arms(array->setup->plan, array->setup->runs, old);
	if (why)
		return error_new(ERROR_USAGE, "--resume: %s is of another experiment: %s", array->directory, why);
	if (!file_read_number(parts, &count) || count < 1 || count > MOST_PARTS)
		return error_new(ERROR_FORMAT, "--resume: %s does not say how many parts there are", parts);
	array->count = (size_t)count;
	array->setup->runs->seed = old->seed;
	err = file_read_line(job, &line);
	if (!err)
		snprintf(array->job, sizeof(array->job), "%.31s", line);
	error_destroy(err);
	return NULL;
}

static struct error *write_line(const struct array *array, const char *name, const char *line)
{
	auto_free char *path = path_in(array, name);
	struct file_replacement *file;
	struct error *err = file_replace_begin(path, 0644, &file);

	if (err)
		return err;
	fprintf(file_replace_stream(file), "%s\n", line);
	return file_replace_commit(file);
}

static struct error *choose_count(struct array *array)
{
	array->count = (size_t)array->setup->chosen->machines;
	return array->count ? NULL : slurm_count_nodes(&array->count);
}

/* The experiment's directory, made; *ret: its absolute path, the caller frees. */
static struct error *make_directory(const struct ab_options *chosen, char **ret)
{
	const char *name = chosen->directory ? chosen->directory : "ab.slurm";
	struct error *err = file_make_directories(name, 0755);

	if (err)
		return err;
	*ret = realpath(name, NULL);
	return *ret ? NULL : error_os(errno, "find %s", name);
}

struct error *ab_slurm_ship(const struct ab_options *chosen, struct arena *arena, char *const *operands, char ***ret)
{
	auto_free char *directory = NULL;
	struct error *err;

	if (chosen->shell || chosen->scans.count || chosen->git || chosen->patch)
		return error_new(ERROR_USAGE, "--ship takes a list of commands: not --shell, -L, --git or --patch");
	err = make_directory(chosen, &directory);
	return err ? err : ab_ship_programs(arena, operands, directory, ret);
}

static struct error *begin(struct array *array)
{
	const struct ab_options *chosen = array->setup->chosen;
	struct error *err = make_directory(chosen, &array->directory);

	if (err)
		return err;

	auto_free char *before = path_in(array, "job");

	if (chosen->resume)
		err = recall(array);
	else if (!access(before, F_OK))
		err = error_hint(error_new(ERROR_USAGE, "%s holds an experiment", array->directory),
				 "--resume goes on with it; -o DIR begins another");
	else
		err = choose_count(array);
	if (err)
		return err;
	array->elements = memory_zeroed(array->count, sizeof(*array->elements));
	array->gone = memory_zeroed(array->count, sizeof(*array->gone));
	array->done = memory_zeroed(array->count, sizeof(*array->done));

	auto_free char *count = memory_format("%zu", array->count);

	err = chosen->resume ? NULL : describe(array);
	return err ? err : write_line(array, "parts", count);
}

static bool is_under_way(const struct array *array)
{
	for (size_t i = 0; i < array->count; i++)
		if (array->elements[i].state == SLURM_PENDING || array->elements[i].state == SLURM_RUNNING)
			return true;
	return false;
}

/* "1-8", or the parts that are missing: "2,5"; "" when none is. */
static char *missing_elements(const struct array *array)
{
	auto_text struct text list = { 0 };
	size_t missing = 0;
	uint64_t blocks;

	for (size_t i = 0; i < array->count; i++)
		if (!part_is_whole(array, i, &blocks)) {
			text_format(&list, "%s%zu", missing ? "," : "", i + 1);
			missing++;
		}
	return missing == array->count && missing > 1 ? memory_format("1-%zu", missing) : text_steal(&list);
}

static struct error *submit(struct array *array, const char *elements)
{
	cleanup(arena_guard) struct arena *arena = arena_create();
	auto_free char *log = path_in(array, "logs/%a.log");
	auto_free char *script = path_in(array, "job.sh");
	const char *const none[] = { NULL }, *const *words = none;
	struct error *err = NULL;

	if (array->setup->chosen->slurm[strspn(array->setup->chosen->slurm, " ")])
		err = command_line_split(arena, array->setup->chosen->slurm, false, &words);
	if (err)
		return error_wrap(err, "--slurm");

	auto_free char *options = command_line_join(words);

	err = slurm_submit(options, elements, log, script, array->job);
	if (!err)
		log_note("job %s: parts %s of %zu; logs in %s/logs", array->job, elements, array->count, array->directory);
	return err ? err : write_line(array, "job", array->job);
}

static bool is_done(struct array *array, size_t part)
{
	uint64_t blocks;

	if (!array->done[part])
		array->done[part] = part_is_whole(array, part, &blocks);
	return array->done[part];
}

/* Is there an element that may still bring its part? */
static bool is_waiting(struct array *array)
{
	bool waiting = false;

	for (size_t i = 0; i < array->count; i++) {
		const struct slurm_element *element = &array->elements[i];
		bool is_under_way = element->state == SLURM_PENDING || element->state == SLURM_RUNNING;

		array->gone[i] = is_under_way ? 0 : array->gone[i] + 1;
		if (is_under_way || (array->gone[i] < PATIENCE && !is_done(array, i)))
			waiting = true;
	}
	return waiting;
}

static void show_progress(const struct array *array)
{
	size_t done = 0, running = 0, pending = 0;

	if (array->setup->chosen->quiet || !isatty(STDERR_FILENO))
		return;
	for (size_t i = 0; i < array->count; i++) {
		running += array->elements[i].state == SLURM_RUNNING;
		pending += array->elements[i].state == SLURM_PENDING;
		done += array->done[i];
	}
	fprintf(stderr, "\r\033[K%zu of %zu parts done, %zu running, %zu pending", done, array->count, running, pending);
}

static void pause_between_looks(void)
{
	nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
}

/* Until no element is under way. A controller that does not answer is asked again; Ctrl-C cancels. */
static struct error *wait_for_array(struct array *array)
{
	unsigned silent = 0;
	struct error *err = NULL;

	while (!stopped) {
		error_destroy(err);
		err = slurm_look(array->job, array->elements, array->count);
		if (err && ++silent > 60)
			return err;
		if (!err) {
			silent = 0;
			show_progress(array);
			if (!is_waiting(array))
				break;
		}
		pause_between_looks();
	}
	error_destroy(err);
	if (!array->setup->chosen->quiet && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (!stopped)
		return NULL;
	log_note("cancelling job %s", array->job);
	return slurm_cancel(array->job);
}

/* The last line of a part's log that says something. */
static char *last_words(const struct array *array, size_t part)
{
	auto_free char *path = memory_format("%s/logs/%zu.log", array->directory, part + 1), *bytes = NULL;
	size_t size;
	struct error *err = file_read(path, &bytes, &size);
	const char *last = "";
	char *rest = bytes, *line;

	if (err) {
		error_destroy(err);
		return memory_strdup("");
	}
	while (rest && (line = strsep(&rest, "\n")))
		if (*line && !text_starts_with(line, "hint:"))
			last = line;
	return memory_strdup(last);
}

/* Names the parts that did not end, and collects the paths of those with blocks. */
static size_t collect(const struct array *array, const char **paths)
{
	size_t count = 0;

	for (size_t i = 0; i < array->count; i++) {
		uint64_t blocks;
		bool is_whole = part_is_whole(array, i, &blocks);
		auto_free char *said = last_words(array, i), *directory = part_directory(array, i);
		auto_text struct text escaped = { 0 };

		if (blocks)
			paths[count++] = bundle_runs(directory);
		if (is_whole)
			continue;
		text_append_escaped(&escaped, said);
		log_warning("part %zu%s%s: %s, %s%s%s", i + 1, *array->elements[i].node ? " on " : "",
			    array->elements[i].node, *array->elements[i].word ? array->elements[i].word : "did not end",
			    blocks ? "its whole blocks count" : "it is left out", *said ? ": " : "",
			    escaped.bytes ? escaped.bytes : "");
	}
	paths[count] = NULL;
	return count;
}

static struct error *judge(const struct array *array, int *status)
{
	cleanup(loaded_runs_release) struct loaded_runs loaded = { 0 };
	auto_free const char **paths = memory_zeroed(array->count + 1, sizeof(*paths));
	size_t count = collect(array, paths);
	struct error *err = count ? loaded_runs_load(paths, &loaded) :
				    error_hint(error_new(ERROR_OS, "no machine has finished a block"),
					       "%s/logs says why", array->directory);

	for (size_t i = 0; i < count; i++)
		free((char *)paths[i]);
	return err ? err : judge_machines(&array->setup->chosen->judge, &loaded, status);
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = stop };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* What an interrupted one left in the queue is waited for; else what is missing is submitted. */
static struct error *measure(struct array *array)
{
	auto_free char *missing = missing_elements(array);
	struct error *err = *array->job ? slurm_look(array->job, array->elements, array->count) : NULL;

	if (err)
		return err;
	if (!is_under_way(array) && !*missing)
		return NULL;
	if (!is_under_way(array))
		err = submit(array, missing);
	return err ? err : wait_for_array(array);
}

struct error *ab_slurm_run(const struct ab_slurm_setup *setup, int *status)
{
	cleanup(array_release) struct array array = { .setup = setup };
	struct error *err = check_options(setup->chosen);

	if (!err)
		err = begin(&array);
	if (err)
		return err;
	catch_signals();
	err = measure(&array);
	if (err)
		return err;
	if (!stopped)
		return judge(&array, status);
	log_note("cancelled: what is measured is in %s; go on with --resume", array.directory);
	*status = 128 + stopped;
	return NULL;
}
