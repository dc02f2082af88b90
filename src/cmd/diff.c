/* perfmini diff: which functions changed between two builds, by how much, and is it real. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/diff_axis.h"
#include "cmd/diff_browse.h"
#include "event/clock.h"

enum { GATE_PASS = 0, GATE_WORSE = 1, GATE_UNRESOLVED = 3 };

static struct error *gather(struct diff_command *command, size_t side, bool inclusive, struct gathering **ret)
{
	struct gather_setup setup = command->gather;

	setup.label = command->sides.items[side].label;
	setup.paths = (const char *const *)command->sides.items[side].items;
	setup.path_count = command->sides.items[side].count;
	setup.inclusive = inclusive;
	return gathering_create(&setup, ret);
}

static void choose_unit(const struct gathered_event *event, struct diff_view *view)
{
	bool is_clock = event_is_clock(&event->attr);

	view->event = event->name;
	view->unit = is_clock ? "ms" : "";
	view->scale = is_clock ? 1e-6 : 1;
}

static void print_view(struct diff_command *command, const struct diff_view *view)
{
	if (command->chosen.json)
		json_array_append_new(command->json, diff_to_json(view));
	else if (command->chosen.html)
		diff_html_view(view, stdout);
	else if (command->chosen.csv || command->chosen.separator)
		diff_print_csv(view, command->views_printed++ == 0, stdout);
	else
		diff_print_text(view, stdout);
}

/* By the interval of the totals' ratio; one run a side never convicts. */
static int gate_verdict(const struct diff *diff, double threshold)
{
	const struct diff_totals *totals = diff_totals(diff);
	bool replicated = diff_side(diff, 0)->run_count > 1 && diff_side(diff, 1)->run_count > 1;
	double low = 1 + totals->difference_interval.low / totals->a, high = 1 + totals->difference_interval.high / totals->a;

	if (!(totals->a > 0) || isnan(low))
		return GATE_UNRESOLVED;
	if (high <= 1 + threshold)
		return GATE_PASS;
	return low > 1 + threshold && replicated ? GATE_WORSE : GATE_UNRESOLVED;
}

static int worse_verdict(int a, int b)
{
	return a == GATE_WORSE || b == GATE_WORSE ? GATE_WORSE : a > b ? a : b;
}

struct event_pair {
	struct gathering *a, *b;
	size_t a_event, b_event;
	bool inclusive;
};

/* Runs of the same machines on both sides: a pair a machine. */
static void pair_machines(struct diff_comparison *made)
{
	const struct gathering *gatherings[2] = { made->gatherings[0], made->gatherings[1] };

	diff_machines_pair(made->sides, gatherings, &made->machines);
	made->setup.paired_runs = made->machines.count > 1;
}

static struct error *compare_event(struct diff_command *command, const struct event_pair *pair)
{
	const struct gathered_event *events;
	cleanup(diff_comparison_guard) struct diff_comparison *made = memory_zeroed(1, sizeof(*made));
	struct error *err;

	if (command->chosen.inline_frames && !pair->inclusive)
		gatherings_split_inlined(pair->a, pair->b, pair->a_event, pair->b_event);
	*made = (struct diff_comparison){
		.gatherings = { pair->a, pair->b }, .events = { pair->a_event, pair->b_event }, .setup = command->setup,
		.sides = { gathering_side(pair->a, pair->b, pair->a_event),
			   gathering_side(pair->b, pair->a, pair->b_event) },
	};
	made->setup.paired_runs = (command->chosen.paired || command->sides.paired) && made->sides[0].run_count > 1;
	if (!made->setup.paired_runs && command->chosen.by_machine)
		pair_machines(made);
	err = diff_create(&made->sides[0], &made->sides[1], &made->setup, &made->diff);
	if (err)
		return err;
	gathering_events(pair->b, &events);
	if (!command->chosen.quiet) {
		comparability_check(pair->a, pair->b, pair->a_event, pair->b_event, &made->warnings);
		comparability_tell_machines(&made->machines, &made->warnings);
	}
	made->view = command->view;
	made->view.diff = made->diff;
	made->view.warnings = (const char *const *)made->warnings.items;
	made->view.warning_count = made->warnings.count;
	made->view.inclusive = pair->inclusive;
	choose_unit(&events[pair->b_event], &made->view);
	if (!pair->inclusive)
		command->verdict = worse_verdict(command->verdict,
						 gate_verdict(made->diff, command->chosen.threshold / 100));
	if (command->kept)
		diff_keep(command->kept, take(made));
	else
		print_view(command, &made->view);
	return NULL;
}

static bool prints_text(const struct diff_command *command)
{
	return !command->kept && !command->chosen.json && !command->chosen.csv && !command->chosen.html &&
	       !command->chosen.separator;
}

static void append_events(struct text *list, const struct gathering *side)
{
	const struct gathered_event *events;
	size_t count = gathering_events(side, &events);

	for (size_t i = 0; i < count; i++) {
		text_append(list, i ? ", " : "");
		text_append_escaped(list, events[i].name);
	}
	if (!count)
		text_append(list, "none");
}

static struct error *nothing_common(const struct gathering *a, const struct gathering *b, const char *wanted)
{
	auto_text struct text left = { 0 }, right = { 0 };

	append_events(&left, a);
	append_events(&right, b);
	if (wanted)
		return error_new(ERROR_NOT_FOUND, "event %s is not in both sides: A has %s; B has %s", wanted, left.bytes,
				 right.bytes);
	return error_hint(error_new(ERROR_USAGE, "no event is in both sides: A has %s; B has %s", left.bytes, right.bytes),
			  "record both with the same -e; --all-user compares the user code of cycles and cycles:u");
}

static struct error *compare_events(struct diff_command *command, struct event_pair *pair)
{
	const struct gathered_event *events;
	size_t count = gathering_events(pair->a, &events), compared = 0;

	for (size_t i = 0; i < count; i++) {
		if (command->chosen.event && strcmp(command->chosen.event, events[i].name))
			continue;
		pair->a_event = i;
		pair->b_event = gathering_find_event(pair->b, &events[i]);
		if (pair->b_event == SIZE_MAX)
			continue;
		if (compared++ && prints_text(command))
			putchar('\n');

		struct error *err = compare_event(command, pair);

		if (err)
			return err;
	}
	return compared ? NULL : nothing_common(pair->a, pair->b, command->chosen.event);
}

static struct error *compare_side(struct diff_command *command, size_t side, bool inclusive)
{
	cleanup(gathering_guard) struct gathering *a = NULL, *b = NULL;
	struct event_pair pair = { .inclusive = inclusive };
	struct error *err = gather(command, 0, inclusive, &a);

	if (!err)
		err = gather(command, side, inclusive, &b);
	if (err)
		return err;
	pair.a = a;
	pair.b = b;
	err = compare_events(command, &pair);
	if (command->kept) {
		diff_keep_gathering(command->kept, take(a));
		diff_keep_gathering(command->kept, take(b));
	}
	return err;
}

static struct error *compare_all(struct diff_command *command)
{
	struct error *err = NULL;

	if (command->chosen.order >= command->sides.count && command->chosen.order)
		return error_new(ERROR_USAGE, "--order: there is no file %llu beside the first",
				 (unsigned long long)command->chosen.order);
	for (size_t side = 1; !err && side < command->sides.count; side++) {
		if (command->chosen.order && command->chosen.order != side)
			continue;
		if (side > 1 && !command->chosen.order && prints_text(command))
			putchar('\n');
		err = compare_side(command, side, false);
		if (!err && command->chosen.inclusive)
			err = compare_side(command, side, true);
	}
	return err;
}

static struct error *run(int argc, char **argv, int *status)
{
	cleanup(diff_command_release) struct diff_command command = {
		.chosen = { .phi = 1, .threshold = 1, .percent_limit = 0.05, .inline_frames = true, .fold = true, .demangle = true,
			    .by_machine = true },
		.json = json_array(),
	};
	struct options_parse parse = { diff_option_table, &command.chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_diff, &parse, &operands, &helped);

	if (!err && !helped)
		err = diff_options_prepare(&command);
	if (!err && !helped)
		err = side_list_collect(&command.chosen.a, &command.chosen.b, operands, &command.sides);
	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	command.symbols.cache = command.sides.binaries;
	command.view.percent_limit = command.chosen.percent_limit;
	command.view.baseline_only = command.chosen.baseline_only;
	command.view.raw = command.chosen.period;
	command.view.formula = command.chosen.formula;
	command.view.separator = command.chosen.separator ? command.chosen.separator : ",";
	command.view.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	err = symbolizer_create(&command.symbols, &command.gather.symbolizer);
	if (!err && diff_is_browsed(&command.chosen, operands))
		return diff_browse(&command, compare_all);
	if (!err && command.chosen.html && command.chosen.axis)
		err = error_new(ERROR_USAGE, "--axis has no page: it is text or --json");
	if (!err && command.chosen.html)
		diff_html_begin(stdout);
	if (!err)
		err = command.chosen.axis ? diff_along_axis(&command, compare_all) : compare_all(&command);
	if (err)
		return err;
	if (command.chosen.html)
		diff_html_end(stdout);
	if (command.chosen.json)
		json_dumpf(command.json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)), putchar('\n');
	*status = command.chosen.gate ? command.verdict : 0;
	return NULL;
}

const struct command command_diff = { "diff", "compare two builds' profiles function by function", run, diff_option_table,
				      "[OPTIONS] BASE CHANGED [MORE...]" };
