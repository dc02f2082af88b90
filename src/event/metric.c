/* The metric table: reading it, and finding what belongs beside an event. */
#include "event/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "event/expression.h"
#include "event/resolve.h"
#include "event/table.h"

extern const char events_metrics_tsv[];

struct row {
	struct metric metric; /* stands first: a metric is its row */
	struct expression *parsed;
};

struct metric_table {
	struct table text;
	struct row *rows;
	size_t count;
};

enum { NAME, CPU, BESIDE, EXPRESSION, SHOWN, UNIT, GOOD, DESCRIPTION, METRIC_COLUMNS };

static bool parse_good(const char *text, enum metric_good *ret)
{
	static const char *const names[] = { [METRIC_NONE] = "none", [METRIC_HIGHER] = "higher",
					     [METRIC_LOWER] = "lower" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(text, names[i])) {
			*ret = (enum metric_good)i;
			return true;
		}
	return false;
}

/* "3", "2%", "3k": decimals, then how the number is shown. */
static bool parse_shown(const char *text, struct metric *metric)
{
	if (text[0] < '0' || text[0] > '9')
		return false;
	metric->decimals = (unsigned)(text[0] - '0');
	metric->percent = !strcmp(text + 1, "%");
	metric->scaled = !strcmp(text + 1, "k");
	return !text[1] || metric->percent || metric->scaled;
}

static struct error *row_parse(const struct table_row *from, struct row *ret)
{
	char **fields = from->fields;
	struct metric *metric = &ret->metric;
	struct error *err;

	*metric = (struct metric){ .name = fields[NAME],
				   .cpu = fields[CPU],
				   .beside = fields[BESIDE],
				   .expression = fields[EXPRESSION],
				   .unit = fields[UNIT],
				   .description = fields[DESCRIPTION] };
	if (!parse_good(fields[GOOD], &metric->good))
		return error_new(ERROR_FORMAT, "metrics.tsv:%u: good is higher, lower or none, not '%s'", from->line,
				 fields[GOOD]);
	if (!parse_shown(fields[SHOWN], metric))
		return error_new(ERROR_FORMAT, "metrics.tsv:%u: shown is a digit, then nothing, %% or k, not '%s'",
				 from->line, fields[SHOWN]);
	err = expression_parse(fields[EXPRESSION], &ret->parsed);
	if (err) {
		struct error *told = error_new(ERROR_FORMAT, "metrics.tsv:%u: %s", from->line, error_message(err));

		error_destroy(err);
		return told;
	}
	metric->event_count = expression_names(ret->parsed, &metric->events);
	return NULL;
}

/* machine: whose CPU the rows are for; NULL: all. Its name is asked for only when a row depends on it, since
 * finding it takes longer than all the rest. */
static bool row_holds(const struct table_row *row, struct event_machine *machine, bool beside_only)
{
	if (!machine || !strcmp(row->fields[CPU], "*"))
		return true;
	if (beside_only && !strcmp(row->fields[BESIDE], "-"))
		return false;
	return table_cpu_matches(row->fields[CPU], event_machine_cpu(machine));
}

static struct error *rows_fill(struct metric_table *table, struct event_machine *machine, bool beside_only)
{
	table->rows = memory_zeroed(table->text.count, sizeof(*table->rows));
	for (size_t i = 0; i < table->text.count; i++) {
		const struct table_row *from = &table->text.rows[i];

		if (!row_holds(from, machine, beside_only))
			continue;

		struct error *err = row_parse(from, &table->rows[table->count]);

		if (err)
			return err;
		table->count++;
	}
	return NULL;
}

static void machine_guard(struct event_machine *machine)
{
	event_machine_release(machine);
}

static struct error *load(const struct event_roots *roots, bool beside_only, struct metric_table **ret)
{
	cleanup(metric_table_guard) struct metric_table *table = memory_zeroed(1, sizeof(*table));
	cleanup(machine_guard) struct event_machine machine;
	struct error *err;

	event_machine_init(&machine, roots ? roots : &(struct event_roots){ 0 });
	err = table_load(machine.roots.tables, "metrics", events_metrics_tsv, METRIC_COLUMNS, &table->text);
	if (!err)
		err = rows_fill(table, machine.roots.any_cpu ? NULL : &machine, beside_only);
	if (err)
		return err;
	*ret = take(table);
	return NULL;
}

struct error *metric_table_load(const struct event_roots *roots, struct metric_table **ret)
{
	return load(roots, false, ret);
}

struct error *metric_table_load_beside(struct metric_table **ret)
{
	return load(NULL, true, ret);
}

void metric_table_destroy(struct metric_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++)
		expression_destroy(table->rows[i].parsed);
	free(table->rows);
	table_release(&table->text);
	free(table);
}

size_t metric_count(const struct metric_table *table)
{
	return table->count;
}

const struct metric *metric_at(const struct metric_table *table, size_t index)
{
	return &table->rows[index].metric;
}

const struct metric *metric_find(const struct metric_table *table, const char *name, size_t *cursor)
{
	while (*cursor < table->count) {
		const struct metric *metric = &table->rows[(*cursor)++].metric;

		if (!strcmp(metric->name, name))
			return metric;
	}
	return NULL;
}

static bool stands_beside(const struct metric *metric, const struct event *event)
{
	auto_free char *copy = memory_strdup(metric->beside);
	char *left = copy, *name;

	while ((name = strsep(&left, ",")))
		if (event_is(event, name))
			return true;
	return false;
}

static bool has_its_own(const struct metric_table *table, const struct event *event)
{
	for (size_t i = 0; i < table->count; i++)
		if (stands_beside(&table->rows[i].metric, event))
			return true;
	return false;
}

const struct metric *metric_beside(const struct metric_table *table, const struct event *event, size_t *cursor)
{
	bool own = has_its_own(table, event);

	while (*cursor < table->count) {
		const struct metric *metric = &table->rows[(*cursor)++].metric;

		if (own ? stands_beside(metric, event) : !strcmp(metric->beside, "*"))
			return metric;
	}
	return NULL;
}

double metric_value(const struct metric *metric, double (*value_of)(const char *name, void *closure), void *closure)
{
	return expression_value(((const struct row *)metric)->parsed, value_of, closure);
}
