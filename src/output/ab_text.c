/* The report of `ab` for a terminal (100 columns) and for a patch mail (72 columns, plain). */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ab/command_line.h"
#include "ab/wording.h"
#include "base/memory.h"
#include "output/ab_machines.h"
#include "output/ab_operation.h"
#include "output/ab_overview.h"
#include "output/ab_report.h"
#include "output/ab_table.h"
#include "output/ab_values.h"

/* What differs between terminal and mail. */
struct style {
	size_t width, gap;
	bool is_mail;
};

static const struct style terminal = { 100, 2, false };
static const struct style mail = { 72, 1, true };

static const char *color_of(const struct ab_report *report, const struct comparison *comparison)
{
	if (!report->color || !comparison->is_gate)
		return NULL;
	switch (comparison->verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_WORSE:
		return "\033[1;31m";
	case VERDICT_IMPROVED:
	case VERDICT_EQUIVALENT:
	case VERDICT_BETTER:
	case VERDICT_NOT_WORSE:
		return "\033[1;32m";
	default:
		return "\033[1;33m";
	}
}

static char *value_cell(const struct ab_report *report, const struct comparison *comparison, double value)
{
	auto_text struct text cell = { 0 };

	ab_append_value(&cell, comparison->quantity, ab_per_operation(report, comparison->quantity, value));
	return text_steal(&cell);
}

static char *mail_verdict(const struct comparison *comparison)
{
	auto_text struct text cell = { 0 };

	ab_append_explored(&cell, comparison);
	return text_steal(&cell);
}

static void add_row(struct ab_table *table, const struct ab_report *report, const struct comparison *comparison,
		    const struct style *style)
{
	struct ab_row *row = ab_table_add(table);
	auto_text struct text name = { 0 }, effect = { 0 }, percent = { 0 }, verdict = { 0 };
	struct estimate typical = ab_typical_per_operation(report, comparison);

	text_append_escaped(&name, comparison->quantity->name);
	ab_append_effect(&effect, comparison, &typical);
	ab_append_percent(&percent, comparison, &comparison->typical);
	ab_append_verdict(&verdict, comparison);
	row->cells[0] = text_steal(&name);
	row->cells[1] = value_cell(report, comparison, comparison->median_a);
	row->cells[2] = value_cell(report, comparison, comparison->median_b);
	row->cells[3] = text_steal(&effect);
	row->cells[4] = style->is_mail ? NULL : text_steal(&percent);
	row->cells[5] = style->is_mail ? mail_verdict(comparison) : text_steal(&verdict);
	row->start = color_of(report, comparison);
	row->stop = row->start ? "\033[0m" : NULL;
}

static char *escaped(const char *text)
{
	auto_text struct text out = { 0 };

	text_append_escaped(&out, text);
	return text_steal(&out);
}

static void add_heading(struct ab_table *table, const struct ab_report *report, const struct comparison *head,
			const struct style *style)
{
	const struct analysis *analysis = report->analysis;
	struct ab_row *row = ab_table_add(table);

	row->cells[0] = memory_strdup(report->ops ? "per operation" : "metric");
	row->cells[1] = escaped(analysis->arms[0].name);
	row->cells[2] = escaped(analysis->arms[head->arm].name);
	row->cells[3] = text_width(row->cells[1]) + text_width(row->cells[2]) > 12 ?
				memory_format("ratio [%.4g%% interval]", 100 * (1 - report->alpha)) :
				memory_format("%s/%s [%.4g%% interval]", row->cells[2], row->cells[1],
					      100 * (1 - report->alpha));
	row->cells[4] = style->is_mail ? NULL : memory_strdup("change");
	row->cells[5] = memory_strdup("verdict");
}

static void print_table(const struct ab_report *report, size_t first, size_t end, const struct style *style, FILE *out)
{
	cleanup(ab_table_release) struct ab_table table = { .right = "lrrlrl", .gap = style->gap };
	const struct comparison *comparisons = report->analysis->comparisons;

	add_heading(&table, report, &comparisons[first], style);
	for (size_t i = first; i < end; i++)
		if (ab_is_shown(&comparisons[i]))
			add_row(&table, report, &comparisons[i], style);
	ab_table_print(&table, "", out);
}

/* A line that only some comparisons have, indented under the gate's. */
static void print_detail(const struct text *line, const struct style *style, FILE *out)
{
	if (line->length)
		ab_print_wrapped(line->bytes, "  ", "  ", style->width, out);
}

static void print_gate(const struct ab_report *report, const struct comparison *comparison, const struct style *style,
		       FILE *out)
{
	auto_text struct text sentence = { 0 }, means = { 0 }, layouts = { 0 }, flagged = { 0 };

	ab_append_sentence(&sentence, report->analysis, comparison);
	ab_print_wrapped(sentence.bytes, "", "", style->width, out);
	if (comparison->means_disagree) {
		text_append(&means, "typical run ");
		ab_append_effect(&means, comparison, &comparison->typical);
		text_append(&means, ", average run ");
		ab_append_effect(&means, comparison, &comparison->mean);
		text_append(&means, ": rare slow runs differ");
	}
	wording_layouts(&layouts, comparison);
	wording_sensitivity(&flagged, comparison);
	if (comparison->machines) {
		auto_text struct text together = { 0 };

		ab_machines_sentence(&together, report->analysis, comparison);
		print_detail(&together, style, out);
		ab_machines_print(report->analysis, comparison, style->width, out);
	}
	print_detail(&means, style, out);
	print_detail(&layouts, style, out);
	print_detail(&flagged, style, out);
}

static void print_cause(const struct cause *cause, const struct style *style, FILE *out)
{
	auto_text struct text line = { 0 };

	wording_cause(&line, cause);
	if (line.length)
		ab_print_wrapped(line.bytes, "cause: ", "  ", style->width, out);
}

/* What a share of one CPU the operations would take at the given rate: CPU time, else elapsed time. */
static void print_share(const struct ab_report *report, size_t first, size_t end, const struct style *style, FILE *out)
{
	const struct analysis *analysis = report->analysis;
	const struct comparison *found = NULL;

	for (size_t i = first; i < end; i++) {
		const struct comparison *c = &analysis->comparisons[i];

		if (!strcmp(c->quantity->name, "task-clock") || (!found && c->quantity->kind == QUANTITY_WALL))
			found = c;
	}
	if (!found || !(report->rate > 0) || !report->ops)
		return;

	double scale = found->quantity->kind == QUANTITY_EVENT ? 1e-3 : 1e-9; /* msec or ns, in seconds */
	double percent = 100 * scale * report->rate / (double)report->ops;
	auto_text struct text line = { 0 };

	text_format(&line, "At %g operations a second: %s takes %.3g%% of one CPU, %s %.3g%%; the difference is "
		    "%+.3g%% [%+.3g, %+.3g].", report->rate, analysis->arms[0].name, percent * found->mean_a,
		    analysis->arms[found->arm].name, percent * found->mean_b, percent * found->absolute.value,
		    percent * found->absolute.interval.low, percent * found->absolute.interval.high);
	ab_print_wrapped(line.bytes, "", "", style->width, out);
}

static void print_group(const struct ab_report *report, size_t first, size_t end, const struct style *style, FILE *out)
{
	const struct comparison *head = &report->analysis->comparisons[first];
	auto_text struct text over = { 0 };

	if (head->condition)
		fprintf(out, "\ncondition: %s\n", head->condition);
	else
		fputc('\n', out);
	print_table(report, first, end, style, out);
	fputc('\n', out);
	for (size_t i = first; i < end; i++)
		if (report->analysis->comparisons[i].is_gate)
			print_gate(report, &report->analysis->comparisons[i], style, out);
	ab_append_over_first(&over, report, first, end);
	if (over.length)
		ab_print_wrapped(over.bytes, "", "  ", style->width, out);
	print_share(report, first, end, style, out);
	for (size_t i = 0; i < report->analysis->cause_count; i++) {
		const struct cause *cause = &report->analysis->causes[i];

		if (cause->arm == head->arm && cause->condition == head->condition)
			print_cause(cause, style, out);
	}
}

static void print_file(const char *name, const struct runs *runs, FILE *out)
{
	auto_free char *host = escaped(runs->host ? runs->host : "unknown host");
	auto_free char *cpu = escaped(runs->cpu_model ? runs->cpu_model : "unknown CPU");
	auto_free char *kernel = escaped(runs->kernel ? runs->kernel : "unknown");

	fprintf(out, "%s: %s, %s, Linux %s, %zu runs\n", name, host, cpu, kernel, runs->count);
}

static void print_arms(const struct ab_report *report, const struct style *style, FILE *out)
{
	const struct runs *runs = report->files[0];

	for (size_t i = 0; i < report->analysis->arm_count && !report->file_names; i++) {
		auto_free char *command = command_line_join(runs->arms[i].command);
		auto_text struct text line = { 0 };
		auto_free char *name = escaped(report->analysis->arms[i].name);
		auto_free char *first = memory_format("%s: ", name);

		text_append_escaped(&line, command);
		ab_print_wrapped(line.bytes, first, "    ", style->width, out);
	}
	for (size_t i = 0; i < report->file_count && report->file_names; i++)
		print_file(report->file_names[i], report->files[i], out);
}

static void print_header(const struct ab_report *report, const struct style *style, FILE *out)
{
	const struct analysis *analysis = report->analysis;
	const struct runs *runs = report->files[0];
	auto_text struct text line = { 0 };

	print_arms(report, style, out);
	if (report->file_names)
		return;
	if (analysis->machines) {
		ab_append_count(&line, analysis->machines->count, "machine");
		text_append(&line, ", ");
	}
	ab_append_count(&line, analysis->blocks, "block");
	if (analysis->void_blocks)
		text_format(&line, " (%zu void)", analysis->void_blocks);
	text_format(&line, ", seed %" PRIu64, analysis->machines ? analysis->machines->seed : runs->seed);
	if (analysis->machines) {
		ab_print_wrapped(line.bytes, "", "", style->width, out);
		return;
	}
	text_append(&line, "; ");
	text_append_escaped(&line, runs->cpu_model ? runs->cpu_model : "unknown CPU");
	text_append(&line, ", Linux ");
	text_append_escaped(&line, runs->kernel ? runs->kernel : "unknown");
	ab_print_wrapped(line.bytes, "", "", style->width, out);
}

/* Differing outputs and runs that were not interleaved change what every number means: they come first. */
static bool comes_first(enum diagnostic_kind kind)
{
	return kind == DIAGNOSTIC_OUTPUT_DIFFERS || kind == DIAGNOSTIC_SESSIONS || kind == DIAGNOSTIC_VOID;
}

static void print_diagnostics(const struct ab_report *report, bool first, const struct style *style, FILE *out)
{
	for (size_t i = 0; i < report->analysis->diagnostic_count; i++) {
		const struct diagnostic *diagnostic = &report->analysis->diagnostics[i];
		auto_free char *line = memory_format("%s: %s%s%s", diagnostic->is_warning ? "warning" : "note",
						     diagnostic->metric ? diagnostic->metric : "",
						     diagnostic->metric ? ": " : "", diagnostic->text);

		if (comes_first(diagnostic->kind) == first)
			ab_print_wrapped(line, "", "  ", style->width, out);
	}
}

static void print_report(const struct ab_report *report, const struct style *style, FILE *out)
{
	const struct analysis *analysis = report->analysis;

	print_header(report, style, out);
	print_diagnostics(report, true, style, out);
	for (size_t i = 0; analysis->arm_count > 2 && i < (analysis->condition_count ? analysis->condition_count : 1); i++)
		ab_print_overview(analysis, analysis->conditions ? analysis->conditions[i] : NULL, style->gap, out);
	for (size_t first = 0; first < analysis->comparison_count;) {
		size_t end = ab_group_end(analysis, first);

		print_group(report, first, end, style, out);
		first = end;
	}
	for (size_t i = 0; i < report->symbol_count; i++) {
		fputc('\n', out);
		ab_symbols_print(analysis, &report->symbols[i], style->width, out);
	}
	if (report->symbol_count)
		fputc('\n', out);
	print_diagnostics(report, false, style, out);
	if (report->repeat)
		ab_print_command(report->repeat, style->is_mail ? "\nRepeat:\n  " : "repeat: ", style->width, out);
}

void ab_text_write(const struct ab_report *report, FILE *out)
{
	print_report(report, &terminal, out);
}

void ab_mail_write(const struct ab_report *report, FILE *out)
{
	print_report(report, &mail, out);
}
