/* perfmini diff --axis: several recordings as one table with a column a value. */
#include "cmd/diff_axis.h"

#include <math.h>
#include <string.h>

#include "ab/command_line.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/diff_browse.h"
#include "output/diff_axis.h"

static struct error *parse_values(const struct scan *scan, const char *text, double *values)
{
	char *end;

	for (size_t i = 0; i < scan->count; i++) {
		values[i] = strtod(scan->values[i], &end);
		if (end == scan->values[i] || *end || !isfinite(values[i]))
			return error_new(ERROR_USAGE, "--axis '%s': '%s' is not a number", text, scan->values[i]);
		if (i && values[i] <= values[i - 1])
			return error_hint(error_new(ERROR_USAGE, "--axis '%s': %s is not above %s", text, scan->values[i],
						    scan->values[i - 1]), "give the recordings by rising value");
	}
	return NULL;
}

/* "threads" of a bundle whose commands are named "threads=1", "threads=2": the same with its values. */
static char *complete(const struct diff_command *command, const char *text)
{
	auto_free char *key = memory_format(" %s=", text);
	auto_text struct text whole = { 0 };

	if (strchr(text, '='))
		return memory_strdup(text);
	text_format(&whole, "%s=", text);
	for (size_t i = 0; i < command->sides.count; i++) {
		const char *at = strstr(command->sides.items[i].label, key); /* "10 recordings of threads=1" */

		if (at)
			text_format(&whole, "%s%s", i ? "," : "", at + strlen(key));
	}
	return text_steal(&whole);
}

static void print(struct diff_command *command, const struct axis_view *view)
{
	const struct diff_options *chosen = &command->chosen;

	if (chosen->json)
		json_array_append_new(command->json, axis_to_json(view));
	else if (chosen->csv || chosen->separator)
		axis_print_csv(view, command->view.separator, command->views_printed++ == 0, stdout);
	else
		axis_print_text(view, stdout);
}

/* The comparisons of one event, from the first with the first one's event on; each is of another side. */
static void print_event(struct diff_command *command, const struct diff_kept *kept, size_t first,
			const struct scan *scan, const double *values)
{
	const struct diff_view *head = &kept->comparisons[first]->view;
	auto_free const struct diff **diffs = memory_zeroed(scan->count, sizeof(*diffs));
	cleanup(axis_guard) struct axis *axis = NULL;
	size_t count = 0;

	for (size_t i = first; i < kept->count; i++)
		if (!kept->comparisons[i]->view.inclusive && !strcmp(kept->comparisons[i]->view.event, head->event))
			diffs[count++] = kept->comparisons[i]->diff;
	if (count + 1 != scan->count)
		return;
	axis = axis_create(diffs, values, scan->count);
	print(command, &(struct axis_view){ axis, scan->name, scan->values, head->event, head->raw ? "" : head->unit,
					    head->raw ? 1 : head->scale, command->chosen.percent_limit,
					    command->chosen.period });
}

static bool is_first(const struct diff_kept *kept, size_t at)
{
	if (kept->comparisons[at]->view.inclusive)
		return false;
	for (size_t i = 0; i < at; i++)
		if (!strcmp(kept->comparisons[i]->view.event, kept->comparisons[at]->view.event))
			return false;
	return true;
}

struct error *diff_along_axis(struct diff_command *command, struct error *(*compare)(struct diff_command *command))
{
	cleanup(arena_guard) struct arena *arena = arena_create();
	cleanup(diff_kept_release) struct diff_kept kept = { 0 };
	auto_free char *text = complete(command, command->chosen.axis);
	struct scan scan;
	struct error *err = scan_parse(arena, text, &scan);

	if (err)
		return err;

	auto_free double *values = memory_zeroed(scan.count + 1, sizeof(*values));

	err = parse_values(&scan, text, values);
	if (err)
		return err;
	if (scan.count != command->sides.count)
		return error_new(ERROR_USAGE, "--axis '%s' has %zu values for %zu recordings", text, scan.count,
				 command->sides.count);
	command->kept = &kept;
	err = compare(command);
	for (size_t i = 0; !err && i < kept.count; i++)
		if (is_first(&kept, i))
			print_event(command, &kept, i, &scan, values);
	command->kept = NULL;
	return err;
}
