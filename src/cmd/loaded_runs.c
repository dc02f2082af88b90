/* Runs files as commands are given them, and the parts of one experiment judged together. */
#include "cmd/loaded_runs.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "ab/analysis.h"
#include "ab/foreign.h"
#include "ab/machines.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/bundle.h"
#include "output/ab_report.h"

struct path_list {
	char **items;
	size_t count, capacity;
};

/* Takes path. */
static void add_path(struct path_list *list, char *path)
{
	array_grow(&list->items, list->count, &list->capacity);
	list->items[list->count++] = path;
}

static bool is_directory(const char *path)
{
	struct stat about;

	return !stat(path, &about) && S_ISDIR(about.st_mode);
}

static int is_part_name(const struct dirent *entry)
{
	return text_starts_with(entry->d_name, "part-");
}

/* DIR/part-1, DIR/part-2, …: false when there is none. */
static bool add_parts(struct path_list *list, const char *directory)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, is_part_name, versionsort);
	size_t before = list->count;

	for (int i = 0; i < count; i++) {
		auto_free char *inside = memory_format("%s/%s", directory, entries[i]->d_name);

		if (bundle_is(inside))
			add_path(list, bundle_runs(inside));
		free(entries[i]);
	}
	free(entries);
	return list->count > before;
}

static void add_operand(struct path_list *list, const char *operand)
{
	if (!is_directory(operand))
		add_path(list, memory_strdup(operand));
	else if (bundle_is(operand) || !add_parts(list, operand))
		add_path(list, bundle_runs(operand));
}

struct error *loaded_runs_load(const char *const *operands, struct loaded_runs *ret)
{
	struct path_list paths = { 0 };

	for (; *operands; operands++)
		add_operand(&paths, *operands);
	if (!paths.count)
		return error_hint(error_new(ERROR_USAGE, "no runs file"), "such as: perfmini compare ab.runs");
	ret->items = memory_zeroed(paths.count, sizeof(*ret->items));
	ret->paths = paths.items;
	ret->count = paths.count;
	for (size_t i = 0; i < ret->count; i++) {
		struct error *err = runs_load(ret->paths[i], &ret->items[i]);

		if (err)
			return err;
		foreign_judge(ret->items[i]);
		if (ret->items[i]->cut)
			log_note("%s", ret->items[i]->cut);
	}
	return NULL;
}

void loaded_runs_release(struct loaded_runs *loaded)
{
	for (size_t i = 0; i < loaded->count; i++) {
		runs_destroy(loaded->items[i]);
		free(loaded->paths[i]);
	}
	free(loaded->items);
	free(loaded->paths);
}

bool loaded_runs_have_parts(const struct loaded_runs *loaded)
{
	for (size_t i = 0; i < loaded->count; i++)
		if (machines_is_part(loaded->items[i]))
			return true;
	return false;
}

struct error *judge_machines(const struct judge_options *judge, const struct loaded_runs *loaded, int *status)
{
	cleanup(machine_list_guard) struct machine_list *machines = NULL;
	cleanup(judge_rules_guard) struct judge_rules *rules = NULL;
	cleanup(analysis_guard) struct analysis *analysis = NULL;
	const struct runs *const *files = (const struct runs *const *)loaded->items;
	struct error *err = machines_group(files, (const char *const *)loaded->paths, loaded->count, &machines);

	if (!err)
		err = judge_rules_create(judge, files[0], &rules);
	if (!err)
		err = analysis_create_machines(machines, judge_rules_options(rules), &analysis);
	if (err)
		return err;
	if (!analysis->blocks)
		return error_hint(error_new(ERROR_FORMAT, "no machine has finished a block"),
				  "measure the parts again, or go on with them: ab --share I/N --resume");

	struct ab_report report = {
		.analysis = analysis, .files = files, .file_count = loaded->count, .alpha = judge_rules_options(rules)->alpha,
		.ops = (uint64_t)judge_number((double)judge->ops, files[0], "ops"),
		.rate = judge_number(judge->rate, files[0], "rate"),
	};

	*status = analysis->exit_status;
	return judge_print(judge, &report);
}
