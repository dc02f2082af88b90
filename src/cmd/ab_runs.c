/* perfmini ab: what a runs file says of the arms, and going on with one. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "ab/command_line.h"
#include "ab/program.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/ab.h"
#include "cmd/program_identity.h"

/* The program that an arm executes; the caller frees. */
static char *program_path(const struct plan_arm *arm)
{
	return program_find(arm->directory, arm->words[0]);
}

struct ab_control {
	char *directory, *path;
};

void ab_control_destroy(struct ab_control *control)
{
	if (!control)
		return;
	if (control->path)
		unlink(control->path);
	rmdir(control->directory);
	free(control->path);
	free(control->directory);
	free(control);
}

static struct error *copy_file(const char *from, const char *to, unsigned mode)
{
	auto_free char *bytes = NULL;
	struct file_replacement *copy;
	size_t size;
	struct error *err = file_read(from, &bytes, &size);

	if (!err)
		err = file_replace_begin(to, mode, &copy);
	if (err)
		return err;
	fwrite(bytes, 1, size, file_replace_stream(copy));
	return file_replace_commit(copy);
}

static void add_control_arm(struct plan *plan, const char *path)
{
	struct plan_arm *arms = arena_alloc(plan->arena, (plan->arm_count + 1) * sizeof(*arms));
	size_t count = 0;

	memcpy(arms, plan->arms, plan->arm_count * sizeof(*arms));
	while (arms[0].words[count])
		count++;

	const char **words = arena_alloc(plan->arena, (count + 1) * sizeof(*words));

	memcpy(words, arms[0].words, count * sizeof(*words));
	words[0] = path;
	arms[plan->arm_count] = arms[0];
	arms[plan->arm_count].words = words;
	arms[plan->arm_count].is_control = true;
	plan->arms = arms;
	plan->arm_count++;
}

struct error *ab_control_create(struct plan *plan, struct ab_control **ret)
{
	const char *temporary = getenv("TMPDIR");
	auto_free char *program = program_path(&plan->arms[0]);
	auto_free char *directory = memory_format("%s/perfmini-ab-XXXXXX", temporary ? temporary : "/tmp");
	const char *slash = strrchr(program, '/');
	struct error *err;

	if (!mkdtemp(directory))
		return error_os(errno, "create %s", directory);

	struct ab_control *control = memory_zeroed(1, sizeof(*control));

	control->path = memory_format("%s/%s", directory, slash ? slash + 1 : program);
	control->directory = take(directory);
	err = copy_file(program, control->path, 0755);
	if (err) {
		ab_control_destroy(control);
		return error_wrap(err, "--control");
	}
	add_control_arm(plan, arena_strdup(plan->arena, control->path));

	struct plan_arm *arm = &plan->arms[plan->arm_count - 1];
	auto_free char *name = memory_format("%s-copy", plan->arms[0].name);

	arm->name = arena_strdup(plan->arena, name);
	*ret = control;
	return NULL;
}

void ab_describe_arms(const struct plan *plan, struct runs *runs)
{
	runs->arms = runs_alloc(runs, plan->arm_count, sizeof(*runs->arms));
	runs->arm_count = plan->arm_count;
	for (size_t i = 0; i < plan->arm_count; i++) {
		const struct plan_arm *arm = &plan->arms[i];
		auto_free char *path = program_path(arm);
		size_t words = 0;

		while (arm->words[words])
			words++;

		const char **command = runs_alloc(runs, words + 1, sizeof(*command));

		for (size_t w = 0; w < words; w++)
			command[w] = runs_text(runs, arm->words[w]);
		runs->arms[i] = (struct run_arm){ .name = runs_text(runs, arm->name), .command = command };
		program_identify(runs, path, &runs->arms[i]);
	}
}

static bool same_commands(const struct run_arm *a, const struct run_arm *b)
{
	auto_free char *one = command_line_join(a->command);
	auto_free char *other = command_line_join(b->command);

	return !strcmp(a->name, b->name) && !strcmp(one, other);
}

const char *ab_why_other_arms(const struct plan *plan, const struct runs *now, const struct runs *old)
{
	if (strcmp(old->kind, "ab"))
		return "it is no experiment";
	if (old->arm_count != now->arm_count)
		return "it has another number of commands";
	for (size_t i = 0; i < now->arm_count; i++) {
		const struct run_arm *a = &old->arms[i], *b = &now->arms[i];

		if (!plan->arms[i].is_control && !same_commands(a, b))
			return "it has other commands";
		if (a->content_hash && b->content_hash && strcmp(a->content_hash, b->content_hash))
			return "a program is another one now";
	}
	return NULL;
}

/* What keeps a file from being gone on with, or NULL. */
static const char *why_different(const struct plan *plan, const struct runs *now, const struct runs *old)
{
	const char *why = ab_why_other_arms(plan, now, old);

	if (why)
		return why;
	if (old->event_count != now->event_count || old->printed_count != now->printed_count)
		return "it has other events";
	for (size_t i = 0; i < now->event_count; i++)
		if (strcmp(old->events[i].name, now->events[i].name))
			return "it has other events";
	return NULL;
}

struct error *ab_resume(const char *path, struct plan *plan, struct runs **runs, struct runs_writer **writer)
{
	cleanup(runs_guard) struct runs *old = NULL;
	struct error *err = runs_load(path, &old);
	const char *blocks, *why;

	if (err)
		return error_wrap(err, "--resume");
	why = why_different(plan, *runs, old);
	if (why)
		return error_hint(error_new(ERROR_USAGE, "--resume: %s is of another experiment: %s", path, why),
				  "begin anew without --resume; --save FILE keeps the old one");
	if (strcmp(old->host ? old->host : "", (*runs)->host ? (*runs)->host : ""))
		return error_hint(error_new(ERROR_USAGE, "--resume: %s was begun on %s: this is another machine", path,
					    old->host ? old->host : "another machine"),
				  "go on there; or see --share in perfmini-ab(1) for experiments over machines");
	if (old->cut)
		log_note("%s", old->cut);
	blocks = runs_plan(old, "blocks");
	plan->seed = old->seed;
	if (!plan->blocks && blocks)
		plan->blocks = strtoull(blocks, NULL, 10);
	if (!plan->blocks || plan->blocks > PLAN_MOST_BLOCKS)
		plan->blocks = PLAN_MAX_BLOCKS;
	err = runs_writer_resume(old, path, writer);
	if (err)
		return err;
	runs_destroy(*runs);
	*runs = take(old);
	return NULL;
}

/* The first run of an arm whose output is known, from the place on. */
static const struct run *run_of_arm(const struct runs *runs, uint32_t arm)
{
	for (size_t i = 0; i < runs->count; i++)
		if (runs->items[i].arm == arm && !runs->items[i].is_void)
			return &runs->items[i];
	return NULL;
}

struct error *ab_check_output(const struct runs *runs)
{
	const struct run *first = run_of_arm(runs, 0);

	for (size_t i = 0; first && i < runs->count; i++) {
		const struct run *run = &runs->items[i];

		if (!run->is_void && run->output_hash != first->output_hash)
			return error_new(ERROR_FORMAT, "output differs: %s printed %016" PRIx64 " in block %u, %s %016" PRIx64
					 " in block %u", runs->arms[0].name, first->output_hash, first->block,
					 runs->arms[run->arm].name, run->output_hash, run->block);
	}
	return NULL;
}

static struct error *write_script(const struct runs *runs, const char *path)
{
	struct file_replacement *file;
	struct error *err = file_replace_begin(path, 0755, &file);

	if (err)
		return err;
	fprintf(file_replace_stream(file), "#!/bin/sh\n# Repeats this experiment.\nexec %s\n",
		runs_plan(runs, "repeat") ? runs_plan(runs, "repeat") : "perfmini ab");
	return file_replace_commit(file);
}

static struct error *write_environment(const struct runs *runs, const char *path)
{
	struct file_replacement *file;
	struct error *err = file_replace_begin(path, 0644, &file);

	if (err)
		return err;

	FILE *out = file_replace_stream(file);

	fprintf(out, "host=%s\nkernel=%s\nmachine=%s\ncpu=%s\n", runs->host, runs->kernel, runs->machine,
		runs->cpu_model ? runs->cpu_model : "unknown");
	for (size_t i = 0; i < runs->setting_count; i++)
		fprintf(out, "%s\n", runs->settings[i]);
	return file_replace_commit(file);
}

static struct error *copy_programs(const struct plan *plan, const char *directory)
{
	struct error *err = NULL;

	for (size_t i = 0; i < plan->arm_count && !err; i++) {
		auto_free char *program = program_path(&plan->arms[i]);
		auto_free char *to = memory_format("%s/programs/%zu-%s", directory, i, basename(program));

		if (!plan->arms[i].is_control)
			err = copy_file(program, to, 0755);
	}
	return err;
}

struct error *ab_write_bundle(const struct runs *runs, const struct plan *plan, const char *directory,
			      bool with_programs)
{
	auto_free char *script = memory_format("%s/repeat.sh", directory);
	auto_free char *environment = memory_format("%s/environment", directory);
	auto_free char *programs = memory_format("%s/programs", directory);
	struct error *err = write_script(runs, script);

	if (!err)
		err = write_environment(runs, environment);
	if (err || !with_programs)
		return err;
	err = file_make_directories(programs, 0755);
	return err ? err : copy_programs(plan, directory);
}

static struct error *ship_program(struct arena *arena, const char *operand, const char *directory, char **ret)
{
	const char *const *words, **shipped;
	struct run_arm identity = { 0 };
	cleanup(runs_guard) struct runs *runs = runs_create("ab");
	struct error *err = command_line_split(arena, operand, false, &words);
	size_t count = 0;

	if (err)
		return err;

	auto_free char *program = program_find(NULL, words[0]);

	program_identify(runs, program, &identity);
	if (!identity.content_hash)
		return error_new(ERROR_NOT_FOUND, "--ship: cannot read %s", program);

	auto_free char *place = memory_format("%s/programs/%s", directory,
					      identity.build_id ? identity.build_id : identity.content_hash);
	auto_free char *copy = memory_format("%s/%s", place, text_base_name(program));

	err = file_make_directories(place, 0755);
	if (!err)
		err = copy_file(program, copy, 0755);
	if (err)
		return error_wrap(err, "--ship");
	while (words[count])
		count++;
	shipped = arena_alloc(arena, (count + 1) * sizeof(*shipped));
	memcpy(shipped, words, count * sizeof(*shipped));
	shipped[0] = copy;

	auto_free char *joined = command_line_join(shipped);

	*ret = arena_strdup(arena, joined);
	return NULL;
}

struct error *ab_ship_programs(struct arena *arena, char *const *operands, const char *directory, char ***ret)
{
	size_t count = 0;
	struct error *err = NULL;

	while (operands[count])
		count++;
	*ret = arena_alloc(arena, (count + 1) * sizeof(**ret));
	for (size_t i = 0; i < count && !err; i++)
		err = ship_program(arena, operands[i], directory, &(*ret)[i]);
	return err;
}
