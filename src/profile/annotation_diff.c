/* Instructions of two builds aligned by their masked text, then by their operation; costs tested as rows of a diff. */
#include "profile/annotation_diff.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "profile/alignment.h"
#include "profile/annotation.h"
#include "profile/diff_gather_private.h"
#include "stats/descriptive.h"
#include "stats/poisson_pair.h"
#include "symbol/code_hash.h"

/* One side while it is put together. */
struct building_side {
	const struct instruction *instructions;
	size_t count;
	const char **masked;      /* [count], interned in both sides' table */
	uint32_t *texts, *operations; /* [count]: equal ones are equal numbers */
	double *events, *samples; /* [count][runs] */
	size_t runs;
};

struct building {
	const struct annotation_diff_setup *setup;
	struct annotation_diff *diff;
	struct intern *strings;
	struct tuples numbers;    /* interned texts to numbers */
	struct building_side sides[2];
	size_t capacity;
	size_t *row_of[2];        /* [instructions] its row */
};

static double item_samples(const struct gathering *gathering, size_t event, size_t item)
{
	double samples = 0;

	for (size_t i = 0; i < gathering->cell_count; i++)
		if (gathering->cells[i].event == event && gathering->sites[gathering->cells[i].site].item == item)
			samples += gathering->cells[i].samples;
	return samples;
}

/* SIZE_MAX when the side has none. */
static size_t main_item(const struct annotation_diff_setup *setup, size_t side)
{
	const size_t *items = side ? setup->pair->b : setup->pair->a;
	size_t count = side ? setup->pair->b_count : setup->pair->a_count, best = SIZE_MAX;
	double most = -1;

	for (size_t i = 0; i < count; i++) {
		double samples = item_samples(setup->sides[side], setup->events[side], items[i]);

		if (samples > most) {
			most = samples;
			best = items[i];
		}
	}
	return best;
}

static uint32_t number_of(struct building *building, const char *text)
{
	uint64_t key = (uintptr_t)text;

	return tuples_intern(&building->numbers, &key);
}

static void number_texts(struct building *building, struct building_side *side)
{
	side->texts = memory_zeroed(side->count + 1, sizeof(*side->texts));
	side->operations = memory_zeroed(side->count + 1, sizeof(*side->operations));
	for (size_t i = 0; i < side->count; i++) {
		size_t length = strcspn(side->masked[i], " \t");

		side->texts[i] = number_of(building, side->masked[i]);
		side->operations[i] = number_of(building, intern_bytes(building->strings, side->masked[i], length));
	}
}

static void add_costs(struct building *building, size_t number, size_t item)
{
	const struct gathering *gathering = building->setup->sides[number];
	struct building_side *side = &building->sides[number];

	side->events = memory_zeroed(side->count * side->runs + 1, sizeof(double));
	side->samples = memory_zeroed(side->count * side->runs + 1, sizeof(double));
	for (size_t i = 0; i < gathering->cell_count; i++) {
		const struct gathered_cell *cell = &gathering->cells[i];
		const struct gathered_site *site = &gathering->sites[cell->site];
		const struct instruction *instruction;

		if (cell->event != building->setup->events[number] || site->item != item)
			continue;
		instruction = disassembly_find(building->diff->sides[number].disassembly, site->address);
		if (!instruction)
			continue;

		size_t place = (size_t)(instruction - side->instructions) * side->runs + cell->run;

		side->events[place] += cell->period;
		side->samples[place] += cell->samples;
	}
}

static struct error *build_side(struct building *building, size_t number)
{
	struct gathering *gathering = building->setup->sides[number];
	struct aligned_side *shown = &building->diff->sides[number];
	struct building_side *side = &building->sides[number];
	size_t item = main_item(building->setup, number);
	struct binary *binary;
	struct error *err;

	shown->label = gathering->setup.label;
	shown->run_count = side->runs = gathering->setup.path_count;
	if (item == SIZE_MAX)
		return NULL;
	shown->item = &gathering->items[item];
	binary = gathering->binaries[item];
	shown->function = binary && shown->item->name ? binary_function(binary, shown->item->start) : NULL;
	err = shown->function ? disassembly_create(binary, shown->function->start, shown->function->end,
						   &building->setup->disassembly, &shown->disassembly)
			      : error_new(ERROR_NOT_FOUND, "no function");
	if (!err)
		err = code_masked_texts(binary, shown->function, building->strings, &side->masked, &side->count);
	if (err)
		return error_wrap(annotation_missing(binary, shown->item->object,
						     shown->item->shown ? shown->item->shown : "code without symbol", err),
				  "%s", shown->label);
	disassembly_instructions(shown->disassembly, &side->instructions);
	number_texts(building, side);
	add_costs(building, number, item);
	return NULL;
}

static void add_row(struct building *building, enum aligned_kind kind, size_t a, size_t b)
{
	struct annotation_diff *diff = building->diff;
	struct aligned_row *row;
	size_t at[2] = { a, b };

	array_grow(&diff->rows, diff->count, &building->capacity);
	row = &diff->rows[diff->count];
	*row = (struct aligned_row){ .kind = kind };
	for (size_t side = 0; side < 2; side++) {
		if (at[side] == SIZE_MAX)
			continue;
		row->sides[side] = &building->sides[side].instructions[at[side]];
		building->row_of[side][at[side]] = diff->count;
	}
	diff->count++;
}

/* A stretch without equal instructions: equal operations are put beside each other. */
static void add_gap(struct building *building, size_t a, size_t a_end, size_t b, size_t b_end)
{
	const struct building_side *sides = building->sides;
	auto_free struct alignment_match *matches = NULL;
	size_t count = 0;

	if (a < a_end && b < b_end)
		count = alignment_match(sides[0].operations + a, a_end - a, sides[1].operations + b, b_end - b, &matches);

	size_t a_first = a, b_first = b;

	for (size_t i = 0; i <= count; i++) {
		size_t a_next = i < count ? a_first + matches[i].a : a_end, b_next = i < count ? b_first + matches[i].b : b_end;

		for (; a < a_next; a++)
			add_row(building, ALIGNED_REMOVED, a, SIZE_MAX);
		for (; b < b_next; b++)
			add_row(building, ALIGNED_ADDED, SIZE_MAX, b);
		if (i < count)
			add_row(building, ALIGNED_CHANGED, a++, b++);
	}
}

static void align(struct building *building)
{
	const struct building_side *sides = building->sides;
	auto_free struct alignment_match *matches = NULL;
	size_t a = 0, b = 0, count = 0;

	for (size_t side = 0; side < 2; side++)
		building->row_of[side] = memory_zeroed(sides[side].count + 1, sizeof(size_t));
	if (sides[0].count && sides[1].count)
		count = alignment_match(sides[0].texts, sides[0].count, sides[1].texts, sides[1].count, &matches);
	for (size_t i = 0; i < count; i++) {
		add_gap(building, a, matches[i].a, b, matches[i].b);
		add_row(building, ALIGNED_SAME, matches[i].a, matches[i].b);
		a = matches[i].a + 1;
		b = matches[i].b + 1;
	}
	add_gap(building, a, sides[0].count, b, sides[1].count);
}

/* The row of a jump's target within the function; SIZE_MAX: outside. */
static size_t target_row(const struct building *building, size_t side, const struct instruction *instruction)
{
	const struct instruction *target =
		disassembly_find(building->diff->sides[side].disassembly, instruction->target);

	return target ? building->row_of[side][target - building->sides[side].instructions] : SIZE_MAX;
}

static const char *called_name(const struct building *building, size_t side, const struct instruction *instruction)
{
	const struct annotation_diff *diff = building->diff;
	size_t item = (size_t)(diff->sides[side].item - building->setup->sides[side]->items);
	const struct function *function = binary_function(building->setup->sides[side]->binaries[item], instruction->target);

	return function && function->start == instruction->target ? function->shown : NULL;
}

/* Addresses were masked: jumps to instructions that are not each other, and calls of other functions, did change. */
static bool goes_elsewhere(const struct building *building, const struct aligned_row *row)
{
	const struct instruction *a = row->sides[0], *b = row->sides[1];
	const char *names[2];

	if (!a->has_target || !b->has_target || a->kind == INSTRUCTION_OTHER)
		return a->has_target != b->has_target;

	size_t a_row = target_row(building, 0, a), b_row = target_row(building, 1, b);

	if (a_row != SIZE_MAX || b_row != SIZE_MAX)
		return a_row != b_row;
	names[0] = called_name(building, 0, a);
	names[1] = called_name(building, 1, b);
	return names[0] && names[1] && strcmp(names[0], names[1]);
}

static void refine(struct building *building)
{
	struct annotation_diff *diff = building->diff;

	for (size_t i = 0; i < diff->count; i++) {
		struct aligned_row *row = &diff->rows[i];

		if (row->kind == ALIGNED_SAME && goes_elsewhere(building, row))
			row->kind = ALIGNED_CHANGED;
		diff->kinds[row->kind]++;
	}
}

/* Of one place over the runs. */
static struct aligned_cost cost_of(const struct building_side *side, const double *events, const double *samples,
				   double unit)
{
	struct aligned_cost cost = { .interval = { NAN, NAN, NAN } };
	double sum = 0;

	for (size_t run = 0; run < side->runs; run++) {
		sum += events[run];
		cost.samples += samples[run];
	}
	cost.mean = sum / (double)side->runs;
	if (side->runs > 1 && cost.samples > 0) {
		cost.interval = descriptive_summary(events, side->runs, 0.95).mean_interval;
		cost.interval.low = fmax(0, cost.interval.low);
		return cost;
	}
	cost.interval = poisson_interval(cost.samples, 0.95);
	unit = (cost.samples > 0 ? sum / cost.samples : unit) / (double)side->runs;
	cost.interval.low *= unit;
	cost.interval.high *= unit;
	return cost;
}

/* Both sides as tables of rows by runs, as a diff takes them. */
struct tables {
	double *events[2], *samples[2]; /* [rows][runs] */
	struct pair_item *items;
	char *names;
};

enum { NAME_SIZE = 32 };

static void fill_tables(const struct building *building, struct tables *tables)
{
	const struct annotation_diff *diff = building->diff;

	tables->items = memory_zeroed(diff->count + 1, sizeof(*tables->items));
	tables->names = memory_zeroed(diff->count + 1, NAME_SIZE);
	for (size_t i = 0; i < diff->count; i++) {
		char *name = tables->names + i * NAME_SIZE;

		snprintf(name, NAME_SIZE, "row%zurow", i);
		tables->items[i] = (struct pair_item){ .object = "function", .name = name, .shown = name };
	}
	for (size_t side = 0; side < 2; side++) {
		const struct building_side *from = &building->sides[side];
		size_t bytes = from->runs * sizeof(double);

		tables->events[side] = memory_zeroed(diff->count * from->runs + 1, sizeof(double));
		tables->samples[side] = memory_zeroed(diff->count * from->runs + 1, sizeof(double));
		for (size_t i = 0; i < from->count; i++) {
			size_t row = building->row_of[side][i];

			memcpy(tables->events[side] + row * from->runs, from->events + i * from->runs, bytes);
			memcpy(tables->samples[side] + row * from->runs, from->samples + i * from->runs, bytes);
		}
	}
}

static void tables_release(struct tables *tables)
{
	for (size_t side = 0; side < 2; side++) {
		free(tables->events[side]);
		free(tables->samples[side]);
	}
	free(tables->items);
	free(tables->names);
}

static void set_costs(const struct building *building, const struct tables *tables, double unit)
{
	struct annotation_diff *diff = building->diff;

	for (size_t side = 0; side < 2; side++) {
		const struct building_side *from = &building->sides[side];
		auto_free double *events = memory_zeroed(from->runs, sizeof(double));
		auto_free double *samples = memory_zeroed(from->runs, sizeof(double));

		for (size_t i = 0; i < diff->count; i++) {
			size_t at = i * from->runs;

			diff->rows[i].costs[side] = cost_of(from, tables->events[side] + at, tables->samples[side] + at, unit);
			for (size_t run = 0; run < from->runs; run++) {
				events[run] += tables->events[side][at + run];
				samples[run] += tables->samples[side][at + run];
			}
		}
		diff->sides[side].total = cost_of(from, events, samples, unit);
	}
}

/* Events that one sample stands for, over both sides. */
static double mean_period(const struct building *building)
{
	double events = 0, samples = 0;

	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < building->sides[side].count * building->sides[side].runs; i++) {
			events += building->sides[side].events[i];
			samples += building->sides[side].samples[i];
		}
	return samples > 0 ? events / samples : 1;
}

static struct error *test_rows(struct building *building)
{
	struct annotation_diff *shown = building->diff;
	cleanup(tables_release) struct tables tables = { 0 };
	cleanup(diff_guard) struct diff *diff = NULL;
	struct diff_setup setup = building->setup->diff;
	const struct diff_row *rows;
	struct error *err;

	fill_tables(building, &tables);

	struct diff_side sides[2];

	for (size_t side = 0; side < 2; side++)
		sides[side] = (struct diff_side){ shown->sides[side].label, tables.items, shown->count, tables.events[side],
						  tables.samples[side], building->sides[side].runs };
	setup.pairing = (struct pairing_setup){ .keep_clones = true, .last_rule = PAIR_NAME };
	err = diff_create(&sides[0], &sides[1], &setup, &diff);
	if (err)
		return err;
	set_costs(building, &tables, mean_period(building));
	for (size_t i = diff_rows(diff, &rows); i--;) {
		struct aligned_row *row = &shown->rows[rows[i].pair->a[0]];

		row->difference = rows[i].difference;
		row->difference_interval = rows[i].difference_interval;
		row->marked = rows[i].marked;
	}
	shown->difference = diff_totals(diff)->b - diff_totals(diff)->a;
	shown->difference_interval = diff_totals(diff)->difference_interval;
	return NULL;
}

static void building_release(struct building *building)
{
	for (size_t side = 0; side < 2; side++) {
		free(building->sides[side].masked);
		free(building->sides[side].texts);
		free(building->sides[side].operations);
		free(building->sides[side].events);
		free(building->sides[side].samples);
		free(building->row_of[side]);
	}
	tuples_release(&building->numbers);
	intern_destroy(building->strings);
}

struct error *annotation_diff_create(const struct annotation_diff_setup *setup, struct annotation_diff **ret)
{
	cleanup(annotation_diff_guard) struct annotation_diff *diff = memory_zeroed(1, sizeof(*diff));
	cleanup(building_release) struct building building = { .setup = setup, .diff = diff, .numbers.words = 1 };
	struct error *err;

	building.strings = intern_create();
	diff->rule = setup->pair->rule;
	err = build_side(&building, 0);
	if (!err)
		err = build_side(&building, 1);
	if (err)
		return err;
	align(&building);
	refine(&building);
	err = test_rows(&building);
	if (!err)
		*ret = take(diff);
	return err;
}

void annotation_diff_destroy(struct annotation_diff *diff)
{
	if (!diff)
		return;
	for (size_t side = 0; side < 2; side++)
		disassembly_destroy(diff->sides[side].disassembly);
	free(diff->rows);
	free(diff);
}
