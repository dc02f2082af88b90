/* All arms in one table, a row each: the values of a scan, or the machines of several files. */
#include "output/ab_overview.h"

#include <string.h>

#include "base/memory.h"
#include "output/ab_table.h"
#include "output/ab_values.h"

/* The comparison of an arm in one metric under one condition, or NULL. */
static const struct comparison *find(const struct analysis *analysis, size_t arm, const char *condition,
				     const struct quantity *quantity)
{
	for (size_t i = 0; i < analysis->comparison_count; i++) {
		const struct comparison *c = &analysis->comparisons[i];

		if (c->arm == arm && c->quantity == quantity && c->condition == condition)
			return c;
	}
	return NULL;
}

static char *value_cell(const struct comparison *c, bool of_first)
{
	auto_text struct text cell = { 0 };

	if (c)
		ab_append_value(&cell, c->quantity, of_first ? c->median_a : c->median_b);
	return text_steal(&cell);
}

static char *name_cell(const char *name)
{
	auto_text struct text cell = { 0 };

	text_append_escaped(&cell, name);
	return text_steal(&cell);
}

/* What the columns are: the gate first, then the times beside it. */
struct columns {
	const struct quantity *gate, *times[2];
};

static struct columns choose(const struct analysis *analysis)
{
	static const enum quantity_kind wanted[] = { QUANTITY_USER, QUANTITY_SYS };
	struct columns columns = { 0 };

	for (size_t i = 0; i < analysis->comparison_count && !columns.gate; i++)
		if (analysis->comparisons[i].is_gate)
			columns.gate = analysis->comparisons[i].quantity;
	for (size_t i = 0; i < analysis->quantity_count; i++)
		for (size_t t = 0; t < ARRAY_SIZE(wanted); t++)
			if (analysis->quantities[i].kind == wanted[t] && &analysis->quantities[i] != columns.gate)
				columns.times[t] = &analysis->quantities[i];
	return columns;
}

static void add_row(struct ab_table *table, const struct analysis *analysis, size_t arm, const char *condition,
		    const struct columns *columns)
{
	/* The first arm stands in every comparison as the other side: take it from the second's. */
	size_t of = arm ? arm : 1;
	const struct comparison *gate = find(analysis, of, condition, columns->gate);
	struct ab_row *row = ab_table_add(table);
	auto_text struct text effect = { 0 }, verdict = { 0 };

	row->cells[0] = name_cell(analysis->arms[arm].name);
	row->cells[1] = value_cell(gate, !arm);
	for (size_t t = 0; t < ARRAY_SIZE(columns->times); t++)
		if (columns->times[t])
			row->cells[2 + t] = value_cell(find(analysis, of, condition, columns->times[t]), !arm);
	if (!arm || !gate)
		return;
	ab_append_effect(&effect, gate, &gate->typical);
	ab_append_verdict(&verdict, gate);
	row->cells[4] = text_steal(&effect);
	row->cells[5] = text_steal(&verdict);
}

void ab_print_overview(const struct analysis *analysis, const char *condition, size_t gap, FILE *out)
{
	cleanup(ab_table_release) struct ab_table table = { .right = "lrrrll", .gap = gap };
	struct columns columns = choose(analysis);
	struct ab_row *head;

	if (!columns.gate)
		return;
	head = ab_table_add(&table);
	head->cells[0] = memory_strdup(condition ? condition : "median of");
	head->cells[1] = name_cell(columns.gate->name);
	for (size_t t = 0; t < ARRAY_SIZE(columns.times); t++)
		head->cells[2 + t] = columns.times[t] ? name_cell(columns.times[t]->name) : NULL;
	head->cells[4] = memory_format("%s against the first", columns.gate->name);
	head->cells[5] = memory_strdup("verdict");
	for (size_t arm = 0; arm < analysis->arm_count; arm++)
		add_row(&table, analysis, arm, condition, &columns);
	fputc('\n', out);
	ab_table_print(&table, "", out);
}
