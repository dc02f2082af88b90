/* Where recorded runs of two arms differ: the functions under a verdict of `ab`, in a few lines. */
#include "output/ab_symbols.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "output/ab_table.h"

enum { MOST_ROWS = 10, LEAST_NAME = 20 };

static bool is_clock(const struct ab_symbols *symbols)
{
	return *symbols->view.unit != '\0';
}

/* Mean over the conditions of mean(B) - mean(A); NaN when the metric is not there. */
static double difference_of(const struct analysis *analysis, size_t arm, const char *metric)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < analysis->comparison_count; i++) {
		const struct comparison *c = &analysis->comparisons[i];

		if (c->arm != arm || strcmp(c->quantity->name, metric) || !c->blocks)
			continue;
		sum += c->mean_b - c->mean_a;
		count++;
	}
	return count ? sum / (double)count : NAN;
}

/* A sampled clock stands for task-clock, counted in msec, or for user and system time, in ns. */
struct ab_counted ab_counted_find(const struct analysis *analysis, const struct ab_symbols *symbols)
{
	const char *metric = is_clock(symbols) ? "task-clock" : symbols->view.event;
	size_t length = strcspn(metric, ":");
	auto_free char *name = memory_strndup(metric, length);

	for (size_t i = 0; i < analysis->quantity_count; i++) {
		const char *known = analysis->quantities[i].name;
		double difference;

		if (strncmp(known, name, length) || (known[length] && known[length] != ':'))
			continue;
		difference = difference_of(analysis, symbols->arm, known);
		if (isfinite(difference))
			return (struct ab_counted){ known, difference };
	}
	if (is_clock(symbols))
		return (struct ab_counted){ "user + sys", 1e-6 * (difference_of(analysis, symbols->arm, "user") +
								  difference_of(analysis, symbols->arm, "sys")) };
	return (struct ab_counted){ NULL, NAN };
}

static int decimals(const struct ab_symbols *symbols)
{
	const struct diff_totals *totals = diff_totals(symbols->view.diff);
	double most = symbols->view.scale * fmax(totals->a, totals->b);

	return most >= 1000 || most == 0 ? 0 : most >= 100 ? 1 : most >= 10 ? 2 : 3;
}

static char *cost_cell(const struct ab_symbols *symbols, double events)
{
	auto_text struct text cell = { 0 };

	text_append_grouped_double(&cell, symbols->view.scale * events, decimals(symbols));
	return text_steal(&cell);
}

static void append_signed(struct text *text, const struct ab_symbols *symbols, double value)
{
	if (value >= 0)
		text_append_char(text, '+');
	text_append_grouped_double(text, value, decimals(symbols));
}

static char *difference_cell(const struct ab_symbols *symbols, const struct diff_row *row)
{
	const struct interval *interval = &row->difference_interval;
	double scale = symbols->view.scale;
	auto_text struct text cell = { 0 };

	append_signed(&cell, symbols, scale * row->difference);
	if (isnan(interval->low) || isnan(interval->high))
		return text_steal(&cell);
	text_append(&cell, " [");
	append_signed(&cell, symbols, scale * interval->low);
	text_append(&cell, ", ");
	append_signed(&cell, symbols, scale * interval->high);
	text_append_char(&cell, ']');
	return text_steal(&cell);
}

static char *ratio_cell(const struct diff_row *row)
{
	if (row->pair->rule == PAIR_NEW)
		return memory_strdup("new");
	if (row->pair->rule == PAIR_GONE)
		return memory_strdup("gone");
	return isfinite(row->ratio) && row->ratio > 0 ? memory_format("%.3fx", row->ratio) : memory_strdup("");
}

/* The function, else the object, cut to width bytes of text. */
static char *name_cell(const struct ab_symbols *symbols, const struct diff_row *row, size_t width)
{
	const struct pair_item *item = diff_row_item(symbols->view.diff, row);
	const char *slash = strrchr(item->object, '/');
	auto_text struct text name = { 0 };

	if (item->name)
		text_append_escaped(&name, item->shown ? item->shown : item->name);
	else {
		text_append(&name, "no symbol, ");
		text_append_escaped(&name, slash && *item->object != '[' ? slash + 1 : item->object);
	}
	if (text_width(name.bytes) <= width)
		return text_steal(&name);
	while (name.length && text_width(name.bytes) > width - 1) {
		/* Whole characters of UTF-8. */
		while (name.length > 1 && ((unsigned char)name.bytes[name.length - 1] & 0xc0) == 0x80)
			name.length--;
		name.bytes[--name.length] = '\0';
	}
	text_append(&name, "…");
	return text_steal(&name);
}

static void add_heading(struct ab_table *table, const struct analysis *analysis, const struct ab_symbols *symbols)
{
	const char *const names[] = { analysis->arms[0].name, analysis->arms[symbols->arm].name };
	struct ab_row *row = ab_table_add(table);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_text struct text name = { 0 };

		text_append_escaped(&name, names[i]);
		row->cells[i] = text_steal(&name);
	}
	row->cells[2] = memory_strdup("difference [95% interval]");
	row->cells[3] = memory_strdup("ratio");
	row->cells[5] = memory_strdup("function");
}

/* A row that says something: it changed, or it may have, by a share worth a line. */
static bool is_shown(const struct ab_symbols *symbols, const struct diff_row *row)
{
	const struct diff_totals *totals = diff_totals(symbols->view.diff);

	return row->marked || fabs(row->difference) > 0.005 * fmax(totals->a, totals->b);
}

static void print_rows(const struct analysis *analysis, const struct ab_symbols *symbols, size_t width, FILE *out)
{
	cleanup(ab_table_release) struct ab_table table = { .right = "rrrrll", .gap = 1 };
	const struct diff_row *rows;
	size_t count = diff_rows(symbols->view.diff, &rows), shown = 0;
	size_t room = width > 60 + LEAST_NAME ? width - 60 : LEAST_NAME;

	add_heading(&table, analysis, symbols);
	for (size_t i = 0; i < count && shown < MOST_ROWS; i++) {
		struct ab_row *row;

		if (!is_shown(symbols, &rows[i]))
			continue;
		shown++;
		row = ab_table_add(&table);
		row->cells[0] = cost_cell(symbols, rows[i].a);
		row->cells[1] = cost_cell(symbols, rows[i].b);
		row->cells[2] = difference_cell(symbols, &rows[i]);
		row->cells[3] = ratio_cell(&rows[i]);
		row->cells[4] = memory_strdup(rows[i].marked ? "*" : "");
		row->cells[5] = name_cell(symbols, &rows[i], room);
	}
	if (shown)
		ab_table_print(&table, "  ", out);
	else
		fputs("  no function differs by 0.5 % of the whole\n", out);
}

static void append_difference(struct text *line, const struct ab_symbols *symbols, double value)
{
	append_signed(line, symbols, value);
	if (*symbols->view.unit)
		text_format(line, " %s", symbols->view.unit);
}

/* "the 2 functions marked * explain -198 ms, all functions -203 ms, of the -205 ms counted (task-clock)" */
static void print_reconciled(const struct analysis *analysis, const struct ab_symbols *symbols, size_t width, FILE *out)
{
	const struct diff_totals *totals = diff_totals(symbols->view.diff);
	struct ab_counted counted = ab_counted_find(analysis, symbols);
	double scale = symbols->view.scale;
	auto_text struct text line = { 0 };

	if (totals->marked) {
		text_format(&line, "the %zu function%s marked * (q <= 0.05) explain%s ", totals->marked,
			    totals->marked == 1 ? "" : "s", totals->marked == 1 ? "s" : "");
		append_difference(&line, symbols, scale * totals->marked_difference);
		text_append(&line, ", all functions ");
	} else
		text_append(&line, "no function's change is settled (q <= 0.05); all functions together make ");
	append_difference(&line, symbols, scale * (totals->b - totals->a));
	if (isfinite(totals->difference_interval.low)) {
		text_append(&line, " [");
		append_signed(&line, symbols, scale * totals->difference_interval.low);
		text_append(&line, ", ");
		append_signed(&line, symbols, scale * totals->difference_interval.high);
		text_append_char(&line, ']');
	}
	if (counted.metric && isfinite(counted.difference)) {
		text_append(&line, ", of the ");
		append_difference(&line, symbols, counted.difference);
		text_append(&line, " counted (");
		text_append_escaped(&line, counted.metric);
		text_append_char(&line, ')');
	}
	ab_print_wrapped(line.bytes, "  ", "  ", width, out);
}

void ab_symbols_print(const struct analysis *analysis, const struct ab_symbols *symbols, size_t width, FILE *out)
{
	const struct diff_side *side = diff_side(symbols->view.diff, 0);
	auto_text struct text line = { 0 };

	text_append(&line, "functions of ");
	text_append_escaped(&line, analysis->arms[symbols->arm].name);
	text_append(&line, " against ");
	text_append_escaped(&line, analysis->arms[0].name);
	text_append(&line, ": ");
	text_append_escaped(&line, symbols->view.event);
	text_format(&line, ", %s a run, %zu recorded run%s each", *symbols->view.unit ? symbols->view.unit : "events",
		    side->run_count, side->run_count == 1 ? "" : "s");
	ab_print_wrapped(line.bytes, "", "  ", width, out);
	if (side->run_count < 2)
		ab_print_wrapped("one run a side: sampling noise only; run-to-run variation is unknown", "  ", "  ", width,
				 out);
	print_rows(analysis, symbols, width, out);
	print_reconciled(analysis, symbols, width, out);
}

json_t *ab_symbols_json(const struct analysis *analysis, const struct ab_symbols *symbols)
{
	struct ab_counted counted = ab_counted_find(analysis, symbols);
	json_t *object = json_object();

	json_object_set_new(object, "arm", json_string(analysis->arms[symbols->arm].name));
	json_object_set_new(object, "counted_metric", counted.metric ? json_string(counted.metric) : json_null());
	json_object_set_new(object, "counted_difference",
			    isfinite(counted.difference) ? json_real(counted.difference) : json_null());
	json_object_set_new(object, "diff", diff_to_json(&symbols->view));
	return object;
}
