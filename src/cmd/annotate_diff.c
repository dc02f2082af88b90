/* annotate --diff: the paired function of two builds, its instructions aligned. */
#include <string.h>

#include "base/memory.h"
#include "cmd/annotate.h"
#include "cmd/diff_sides.h"
#include "event/clock.h"
#include "output/diff.h"
#include "profile/annotation_diff.h"

/* Two sides being compared, one event at a time. */
struct comparison {
	struct annotate *annotate;
	struct side_list sides;
	struct symbolizer *symbolizer;
	struct gathering *gathered[2];
	size_t events[2];
	size_t compared; /* events */
	size_t shown;
};

static struct error *gather(struct comparison *comparison)
{
	const struct annotate *annotate = comparison->annotate;
	struct symbolizer_setup symbols = recording_symbols(&annotate->options.recording, true);
	struct error *err = symbolizer_create(&symbols, &comparison->symbolizer);

	for (size_t side = 0; !err && side < 2; side++) {
		const struct side_paths *paths = &comparison->sides.items[side];
		struct gather_setup setup = {
			.label = paths->label,
			.paths = (const char *const *)paths->items,
			.path_count = paths->count,
			.symbolizer = comparison->symbolizer,
			.filter = annotate->filter.sample,
			.force = annotate->options.recording.force,
		};

		err = gathering_create(&setup, &comparison->gathered[side]);
	}
	return err;
}

static bool is_item_wanted(const struct annotate *annotate, const struct pair_item *item)
{
	const char *slash = strrchr(item->object, '/');
	bool is_object = !annotate->dsos.count;

	for (size_t i = 0; i < annotate->dsos.count; i++)
		is_object |= !strcmp(annotate->dsos.items[i], item->object) ||
			     (slash && !strcmp(annotate->dsos.items[i], slash + 1));
	return is_object && item->name &&
	       (!annotate->options.symbol || annotate_is_named(item->name, item->shown, annotate->options.symbol));
}

static bool is_pair_wanted(const struct annotate *annotate, const struct diff_side *sides, const struct pair *pair)
{
	for (size_t i = 0; i < pair->a_count; i++)
		if (is_item_wanted(annotate, &sides[0].items[pair->a[i]]))
			return true;
	for (size_t i = 0; i < pair->b_count; i++)
		if (is_item_wanted(annotate, &sides[1].items[pair->b[i]]))
			return true;
	return false;
}

static struct error *show_pair(struct comparison *comparison, const struct annotation_diff_setup *setup)
{
	struct annotate *annotate = comparison->annotate;
	cleanup(annotation_diff_guard) struct annotation_diff *diff = NULL;
	const struct gathered_event *events;
	struct error *err = annotation_diff_create(setup, &diff);

	if (err)
		return err;
	gathering_events(comparison->gathered[0], &events);

	bool is_clock = event_is_clock(&events[setup->events[0]].attr);
	struct annotate_diff_view view = { events[setup->events[0]].name, is_clock ? "ms" : "events",
					   is_clock ? 1e-6 : 1, annotate->view.color };

	if (annotate->is_browsed) {
		struct diff_view walked = { .event = view.event, .unit = view.unit, .scale = view.scale };

		err = annotate_browse_diff(take(diff), &walked);
	} else if (annotate->options.json) {
		json_array_append_new(annotate->json, annotate_diff_json(diff, &view));
	} else {
		if (comparison->shown)
			putchar('\n');
		annotate_diff_text(diff, &view, &annotate->out);
		print_text(&annotate->out);
	}
	comparison->shown++;
	return err;
}

/* The functions of that name; without a name, of those whose code is there, the one whose cost changed most. */
static struct error *show_pairs(struct comparison *comparison, struct annotation_diff_setup *setup,
				const struct diff_side sides[2], const struct diff *diff)
{
	const struct annotate *annotate = comparison->annotate;
	cleanup(error_guard) struct error *without_code = NULL;
	const struct diff_row *rows;
	size_t count = diff_rows(diff, &rows), before = comparison->shown;

	for (size_t i = 0; i < count; i++) {
		if (!is_pair_wanted(annotate, sides, rows[i].pair))
			continue;
		if (annotate->is_browsed && comparison->shown)
			return NULL;
		setup->pair = rows[i].pair;

		struct error *err = show_pair(comparison, setup);

		if (annotate->options.symbol ? err != NULL : !err || error_kind(err) != ERROR_NOT_FOUND)
			return err;
		if (without_code)
			error_destroy(err);
		else
			without_code = err;
	}
	return comparison->shown == before ? take(without_code) : NULL;
}

static struct error *compare_event(struct comparison *comparison)
{
	const struct annotate *annotate = comparison->annotate;
	struct annotation_diff_setup setup = {
		.sides = { comparison->gathered[0], comparison->gathered[1] },
		.events = { comparison->events[0], comparison->events[1] },
		.disassembly = annotate->disassembly,
		.diff = { .pairing = { .last_rule = PAIR_AMBIGUOUS }, .alpha = 0.05, .overdispersion = 1,
			  .minimum_samples = 10 },
	};
	struct diff_side sides[2];
	cleanup(diff_guard) struct diff *diff = NULL;
	struct error *err;

	for (size_t side = 0; side < 2; side++)
		sides[side] = gathering_side(comparison->gathered[side], comparison->gathered[!side],
					     comparison->events[side]);
	err = diff_create(&sides[0], &sides[1], &setup.diff, &diff);
	return err ? err : show_pairs(comparison, &setup, sides, diff);
}

static struct error *compare_events(struct comparison *comparison)
{
	const char *symbol = comparison->annotate->options.symbol;
	const struct gathered_event *events;
	size_t count = gathering_events(comparison->gathered[0], &events);
	struct error *err = NULL;

	for (size_t i = 0; !err && i < count; i++) {
		comparison->events[0] = i;
		comparison->events[1] = gathering_find_event(comparison->gathered[1], &events[i]);
		if (comparison->events[1] == SIZE_MAX)
			continue;
		comparison->compared++;
		err = compare_event(comparison);
	}
	if (err)
		return err;
	if (!comparison->compared)
		return error_hint(error_new(ERROR_USAGE, "no event is in both sides"), "record both with the same -e");
	if (!comparison->shown)
		return error_hint(error_new(ERROR_NOT_FOUND, "no sample of either side is in %s%s",
					    symbol ? "function " : "a function", symbol ? symbol : ""),
				  "'perfmini diff' lists the functions of both sides");
	return NULL;
}

static void comparison_release(struct comparison *comparison)
{
	gathering_destroy(comparison->gathered[0]);
	gathering_destroy(comparison->gathered[1]);
	symbolizer_destroy(comparison->symbolizer);
	side_list_release(&comparison->sides);
}

struct error *annotate_compare(struct annotate *annotate, char *const *operands)
{
	static const struct option_texts none;
	cleanup(comparison_release) struct comparison comparison = { .annotate = annotate };
	char *sides[3] = { operands[0], operands[0] ? operands[1] : NULL, NULL };
	struct error *err;

	if (!sides[1])
		return error_hint(error_new(ERROR_USAGE, "--diff compares two recordings"),
				  "perfmini annotate --diff A B [SYMBOL]");
	err = side_list_collect(&none, &none, sides, &comparison.sides);
	if (!err)
		err = gather(&comparison);
	return err ? err : compare_events(&comparison);
}
