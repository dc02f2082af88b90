/* The report of `ab` as CSV (RFC 4180), one row a comparison; and as a Markdown table. */
#include <math.h>
#include <string.h>

#include "ab/command_line.h"
#include "base/text.h"
#include "output/ab_machines.h"
#include "output/ab_report.h"
#include "output/ab_values.h"

static void put_text(const char *text, FILE *out)
{
	auto_text struct text quoted = { 0 };

	text_append_csv(&quoted, text, ",");
	fputs(quoted.bytes, out);
}

static void put_number(double value, FILE *out)
{
	if (isfinite(value))
		fprintf(out, ",%.10g", value);
	else
		fputc(',', out);
}

static void put_row(const struct analysis *analysis, const struct comparison *c, FILE *out)
{
	const double numbers[] = {
		c->median_a, c->median_b, c->mean_a, c->mean_b, c->typical.value, c->typical.interval.low,
		c->typical.interval.high, c->typical.interval.level, c->mean.value, c->mean.interval.low,
		c->mean.interval.high, c->p, c->is_gate ? c->p_holm : c->q, c->quantity->threshold,
	};

	put_text(c->quantity->name, out);
	fputc(',', out);
	put_text(c->quantity->unit ? c->quantity->unit : "", out);
	fputc(',', out);
	put_text(analysis->arms[c->arm].name, out);
	fputc(',', out);
	put_text(c->condition ? c->condition : "", out);
	fprintf(out, ",%s,%s,%zu", c->is_gate ? "gate" : "exploratory",
		c->mode == PAIRED_LOG_RATIO ? "ratio" : "difference", c->blocks);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		put_number(numbers[i], out);
	fprintf(out, ",%s\r\n", verdict_name(c->verdict));
}

void ab_csv_write(const struct ab_report *report, FILE *out)
{
	fputs("metric,unit,arm,condition,family,mode,blocks,median_a,median_b,mean_a,mean_b,effect,low,high,level,"
	      "mean_ratio,mean_low,mean_high,p,p_adjusted,threshold,verdict\r\n", out);
	for (size_t i = 0; i < report->analysis->comparison_count; i++)
		put_row(report->analysis, &report->analysis->comparisons[i], out);
}

/* A cell of a Markdown table: | and backslashes would end it. */
static void put_cell(const char *text, FILE *out)
{
	fputs(" ", out);
	for (; *text; text++) {
		if (strchr("|\\`*_<[]", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
	fputs(" |", out);
}

static void put_markdown_row(const struct comparison *c, FILE *out)
{
	struct text cells[6] = { 0 };

	text_append_escaped(&cells[0], c->quantity->name);
	ab_append_value(&cells[1], c->quantity, c->median_a);
	ab_append_value(&cells[2], c->quantity, c->median_b);
	ab_append_effect(&cells[3], c, &c->typical);
	ab_append_percent(&cells[4], c, &c->typical);
	ab_append_verdict(&cells[5], c);
	fputc('|', out);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		put_cell(cells[i].bytes ? cells[i].bytes : "", out);
		text_release(&cells[i]);
	}
	fputc('\n', out);
}

static void put_machines(const struct analysis *analysis, const struct comparison *c, FILE *out)
{
	auto_text struct text together = { 0 };

	ab_machines_sentence(&together, analysis, c);
	fprintf(out, "\n%s\n\n```\n", together.bytes);
	ab_machines_print(analysis, c, 100, out);
	fputs("```\n", out);
}

static void put_group(const struct ab_report *report, size_t first, size_t end, FILE *out)
{
	const struct analysis *analysis = report->analysis;
	const struct comparison *head = &analysis->comparisons[first];

	if (head->condition)
		fprintf(out, "\nCondition: %s\n", head->condition);
	fputs("\n| metric |", out);
	put_cell(analysis->arms[0].name, out);
	put_cell(analysis->arms[head->arm].name, out);
	fprintf(out, " ratio, %.4g%% interval | change | verdict |\n|---|---:|---:|---|---:|---|\n",
		100 * (1 - report->alpha));
	for (size_t i = first; i < end; i++)
		if (ab_is_shown(&analysis->comparisons[i]))
			put_markdown_row(&analysis->comparisons[i], out);
	fputc('\n', out);
	for (size_t i = first; i < end; i++) {
		auto_text struct text sentence = { 0 };

		if (!analysis->comparisons[i].is_gate)
			continue;
		ab_append_sentence(&sentence, analysis, &analysis->comparisons[i]);
		fprintf(out, "%s\n", sentence.bytes);
		if (analysis->comparisons[i].machines)
			put_machines(analysis, &analysis->comparisons[i], out);
	}
}

void ab_markdown_write(const struct ab_report *report, FILE *out)
{
	const struct analysis *analysis = report->analysis;

	for (size_t i = 0; i < analysis->arm_count && !report->file_names; i++) {
		auto_free char *command = command_line_join(report->files[0]->arms[i].command);

		fprintf(out, "- %s: `%s`\n", analysis->arms[i].name, command);
	}
	for (size_t first = 0; first < analysis->comparison_count;) {
		size_t end = ab_group_end(analysis, first);

		put_group(report, first, end, out);
		first = end;
	}
	for (size_t i = 0; i < report->symbol_count; i++) {
		fputs("\n```\n", out);
		ab_symbols_print(analysis, &report->symbols[i], 100, out);
		fputs("```\n", out);
	}
	for (size_t i = 0; i < analysis->diagnostic_count; i++)
		fprintf(out, "\n%s: %s%s%s\n", analysis->diagnostics[i].is_warning ? "Warning" : "Note",
			analysis->diagnostics[i].metric ? analysis->diagnostics[i].metric : "",
			analysis->diagnostics[i].metric ? ": " : "", analysis->diagnostics[i].text);
}
