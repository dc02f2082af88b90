/* The machines of an experiment over several. */
#include "output/ab_machines.h"

#include <math.h>

#include "ab/wording.h"
#include "base/memory.h"
#include "output/ab_table.h"
#include "output/ab_values.h"

enum { MOST_ROWS = 40, WIDE_NAME = 30, NARROW = 80 };

static const char *told(const struct machine_effect *effect)
{
	if (effect->verdict == VERDICT_INSUFFICIENT)
		return "too few";
	if (effect->is_better || effect->is_worse)
		return effect->is_better ? "better" : "worse";
	return effect->verdict == VERDICT_EQUIVALENT ? "same" : "-";
}

static char *shortened(const char *name)
{
	auto_text struct text cell = { 0 };

	text_append_escaped(&cell, name ? name : "unknown");
	if (cell.length <= WIDE_NAME || text_width(cell.bytes) != cell.length)
		return text_steal(&cell);
	return memory_format("%.*s…", WIDE_NAME - 1, cell.bytes);
}

static void add_row(struct ab_table *table, const struct comparison *c, const struct machine_effect *effect,
		    const char *name, const char *about)
{
	struct ab_row *row = ab_table_add(table);
	auto_text struct text value = { 0 }, percent = { 0 };

	ab_append_effect(&value, c, &effect->effect);
	ab_append_percent(&percent, c, &effect->effect);
	row->cells[0] = shortened(name);
	row->cells[1] = about ? shortened(about) : NULL;
	row->cells[2] = memory_format("%zu", effect->blocks);
	row->cells[3] = text_steal(&value);
	row->cells[4] = text_steal(&percent);
	row->cells[5] = memory_strdup(told(effect));
}

static void add_heading(struct ab_table *table, const struct comparison *c, const char *what, const char *about)
{
	struct ab_row *row = ab_table_add(table);
	auto_text struct text name = { 0 };

	text_append_escaped(&name, c->quantity->name);
	row->cells[0] = memory_strdup(what);
	row->cells[1] = about ? memory_strdup(about) : NULL;
	row->cells[2] = memory_strdup("blocks");
	row->cells[3] = text_steal(&name);
}

static void print_classes(const struct analysis *analysis, const struct comparison *c, FILE *out)
{
	cleanup(ab_table_release) struct ab_table table = { .right = "lrrlrl", .gap = 2 };

	if (c->machines->class_count < 2)
		return;
	add_heading(&table, c, "CPU", "machines");
	for (size_t i = 0; i < c->machines->class_count && i < MOST_ROWS; i++) {
		auto_free char *count = memory_format("%zu", c->machines->classes[i].machines);

		add_row(&table, c, &c->machines->classes[i], analysis->machines->classes[i], count);
	}
	ab_table_print(&table, "  ", out);
}

void ab_machines_print(const struct analysis *analysis, const struct comparison *c, size_t width, FILE *out)
{
	cleanup(ab_table_release) struct ab_table table = { .right = "llrlrl", .gap = 2 };
	size_t rows = c->machines->count < MOST_ROWS ? c->machines->count : MOST_ROWS;
	bool is_wide = width >= NARROW;

	print_classes(analysis, c, out);
	add_heading(&table, c, "machine", is_wide ? "CPU" : NULL);
	for (size_t i = 0; i < rows; i++) {
		const struct machine *machine = &analysis->machines->items[i];

		add_row(&table, c, &c->machines->items[i], machine->name,
			is_wide ? (machine->cpu_model ? machine->cpu_model : "unknown") : NULL);
	}
	ab_table_print(&table, "  ", out);
	if (rows < c->machines->count)
		fprintf(out, "  … and %zu more: --format json has all\n", c->machines->count - rows);
}

/* The machines without doubt on one side, named when they are few. */
static void append_names(struct text *out, const struct analysis *analysis, const struct machine_effects *machines,
			 bool worse, size_t count)
{
	const char *separator = " (";

	if (!count || count > 3)
		return;
	for (size_t i = 0; i < machines->count; i++) {
		if (!(worse ? machines->items[i].is_worse : machines->items[i].is_better))
			continue;
		text_append(out, separator);
		text_append_escaped(out, analysis->machines->items[i].name);
		separator = ", ";
	}
	text_append_char(out, ')');
}

static void append_next(struct text *out, const struct comparison *c)
{
	const struct interval *next = &c->machines->next;
	int decimals = wording_decimals(next);

	if (!isfinite(next->low) || !isfinite(next->high))
		return;
	if (c->mode == PAIRED_LOG_RATIO)
		text_format(out, " On a machine that was not tried: between %.*fx and %.*fx at %.4g %%.", decimals, next->low,
			    decimals, next->high, 100 * next->level);
	else
		text_format(out, " On a machine that was not tried: between %+.*f and %+.*f a run at %.4g %%.", decimals,
			    next->low, decimals, next->high, 100 * next->level);
}

void ab_machines_sentence(struct text *out, const struct analysis *analysis, const struct comparison *c)
{
	const struct machine_effects *machines = c->machines;
	size_t silent = machines->count - machines->better - machines->worse;

	text_append_escaped(out, analysis->arms[c->arm].name);
	text_format(out, " is better on %zu of %zu machines", machines->better, machines->count);
	append_names(out, analysis, machines, false, machines->better);
	text_format(out, ", worse on %zu", machines->worse);
	append_names(out, analysis, machines, true, machines->worse);
	if (silent)
		text_format(out, "; %zu %s", silent, silent == 1 ? "does not tell" : "do not tell");
	text_append_char(out, '.');
	append_next(out, c);
}

static void set_number(json_t *object, const char *name, double value)
{
	json_object_set_new(object, name, isfinite(value) ? json_real(value) : json_null());
}

static void set_text(json_t *object, const char *name, const char *text)
{
	auto_text struct text escaped = { 0 };

	text_append_escaped(&escaped, text ? text : "");
	json_object_set_new(object, name, text ? json_string(escaped.bytes) : json_null());
}

json_t *ab_machines_json(const struct machine_list *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->count; i++) {
		const struct machine *machine = &list->items[i];
		json_t *object = json_object();

		set_text(object, "name", machine->name);
		set_text(object, "cpu_model", machine->cpu_model);
		set_text(object, "kernel", machine->kernel);
		json_object_set_new(object, "parts", json_integer((json_int_t)machine->part_count));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *effect_json(const struct machine_effect *effect, const char *name)
{
	json_t *object = json_object();

	set_text(object, "name", name);
	json_object_set_new(object, "machines", json_integer((json_int_t)effect->machines));
	json_object_set_new(object, "blocks", json_integer((json_int_t)effect->blocks));
	set_number(object, "value", effect->effect.value);
	set_number(object, "low", effect->effect.interval.low);
	set_number(object, "high", effect->effect.interval.high);
	set_text(object, "verdict", verdict_name(effect->verdict));
	return object;
}

json_t *ab_machine_effects_json(const struct analysis *analysis, const struct comparison *c)
{
	const struct machine_effects *machines = c->machines;
	json_t *object = json_object(), *rows = json_array(), *classes = json_array();

	set_number(object, "tau2", machines->fit.tau2);
	set_number(object, "i2", machines->fit.i2);
	set_number(object, "q", machines->fit.q);
	set_number(object, "q_p", machines->fit.q_p);
	set_number(object, "new_machine_low", machines->next.low);
	set_number(object, "new_machine_high", machines->next.high);
	json_object_set_new(object, "better", json_integer((json_int_t)machines->better));
	json_object_set_new(object, "worse", json_integer((json_int_t)machines->worse));
	for (size_t i = 0; i < machines->count; i++)
		json_array_append_new(rows, effect_json(&machines->items[i], analysis->machines->items[i].name));
	for (size_t i = 0; i < machines->class_count; i++)
		json_array_append_new(classes, effect_json(&machines->classes[i], analysis->machines->classes[i]));
	json_object_set_new(object, "rows", rows);
	json_object_set_new(object, "cpu_models", classes);
	return object;
}
