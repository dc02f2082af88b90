/* The report of `ab` as one HTML file that asks for nothing else: style, tables and plots inside. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ab/command_line.h"
#include "output/ab_machines.h"
#include "output/ab_plots.h"
#include "output/ab_report.h"
#include "output/ab_values.h"
#include "output/html.h"

static const char *verdict_class(const struct comparison *c)
{
	switch (c->verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_WORSE:
		return "bad";
	case VERDICT_INCONCLUSIVE:
	case VERDICT_INSUFFICIENT:
		return "open";
	default:
		return "good";
	}
}

static void put_arms(const struct ab_report *report, FILE *out)
{
	const struct analysis *analysis = report->analysis;

	fputs("<dl>\n", out);
	for (size_t i = 0; i < analysis->arm_count && !report->file_names; i++) {
		auto_free char *command = command_line_join(report->files[0]->arms[i].command);

		fprintf(out, "<dt><span class=\"key\" style=\"background:var(--c%zu)\"></span>", i % 6);
		html_text(analysis->arms[i].name, out);
		fputs("</dt><dd><code>", out);
		html_text(command, out);
		fputs("</code></dd>\n", out);
	}
	for (size_t i = 0; i < report->file_count && report->file_names; i++) {
		fputs("<dt>", out);
		html_text(report->file_names[i], out);
		fputs("</dt><dd>", out);
		html_text(report->files[i]->host ? report->files[i]->host : "unknown host", out);
		fputs(", ", out);
		html_text(report->files[i]->cpu_model ? report->files[i]->cpu_model : "unknown CPU", out);
		fprintf(out, ", %zu runs</dd>\n", report->files[i]->count);
	}
	fputs("</dl>\n", out);
}

static void put_sentences(const struct ab_report *report, FILE *out)
{
	const struct analysis *analysis = report->analysis;

	for (size_t i = 0; i < analysis->comparison_count; i++) {
		const struct comparison *c = &analysis->comparisons[i];
		auto_text struct text sentence = { 0 };

		if (!c->is_gate)
			continue;
		ab_append_sentence(&sentence, analysis, c);
		fprintf(out, "<p class=\"verdict %s\">", verdict_class(c));
		if (c->condition)
			fprintf(out, "%s: ", c->condition);
		html_text(sentence.bytes, out);
		fputs("</p>\n", out);
	}
}

static void put_cell(const struct text *text, FILE *out)
{
	fputs("<td>", out);
	html_text(text->bytes ? text->bytes : "", out);
	fputs("</td>", out);
}

static void put_row(const struct comparison *c, FILE *out)
{
	auto_text struct text name = { 0 }, a = { 0 }, b = { 0 }, effect = { 0 }, change = { 0 }, verdict = { 0 };

	text_append(&name, c->quantity->name);
	ab_append_value(&a, c->quantity, c->median_a);
	ab_append_value(&b, c->quantity, c->median_b);
	ab_append_effect(&effect, c, &c->typical);
	ab_append_percent(&change, c, &c->typical);
	ab_append_verdict(&verdict, c);
	fprintf(out, "<tr%s>", c->is_gate ? " class=\"gate\"" : "");
	put_cell(&name, out);
	put_cell(&a, out);
	put_cell(&b, out);
	put_cell(&effect, out);
	put_cell(&change, out);
	fprintf(out, "<td%s%s%s>", c->is_gate ? " class=\"" : "", c->is_gate ? verdict_class(c) : "",
		c->is_gate ? "\"" : "");
	html_text(verdict.bytes, out);
	fputs("</td></tr>\n", out);
}

static void put_group(const struct ab_report *report, size_t first, size_t end, FILE *out)
{
	const struct analysis *analysis = report->analysis;
	const struct comparison *comparison = &analysis->comparisons[first];

	fputs("<h2>", out);
	html_text(analysis->arms[comparison->arm].name, out);
	fputs(" against ", out);
	html_text(analysis->arms[0].name, out);
	if (comparison->condition)
		fprintf(out, ", %s", comparison->condition);
	fputs("</h2>\n", out);
	ab_plot_intervals(report, first, end, out);
	fputs("<div class=\"scroll\"><table><tr><th>metric</th><th>", out);
	html_text(analysis->arms[0].name, out);
	fputs("</th><th>", out);
	html_text(analysis->arms[comparison->arm].name, out);
	fprintf(out, "</th><th>ratio, %.4g%% interval</th><th>change</th><th>verdict</th></tr>\n",
		100 * (1 - report->alpha));
	for (size_t i = first; i < end; i++)
		if (ab_is_shown(&analysis->comparisons[i]))
			put_row(&analysis->comparisons[i], out);
	fputs("</table></div>\n", out);
}

/* Plots of single runs: of the gates, once each, where there is one experiment. */
static void put_run_plots(const struct ab_report *report, FILE *out)
{
	const struct analysis *analysis = report->analysis;

	for (size_t i = 0; i < analysis->quantity_count && !report->file_names && !analysis->machines; i++) {
		const struct quantity *quantity = &analysis->quantities[i];
		bool is_gate = false;

		for (size_t c = 0; c < analysis->comparison_count; c++)
			is_gate |= analysis->comparisons[c].quantity == quantity && analysis->comparisons[c].is_gate;
		if (!is_gate)
			continue;
		fputs("<h2>", out);
		html_text(quantity->name, out);
		fputs(": runs in time order</h2>\n", out);
		ab_plot_runs(report->files[0], quantity, out);
		fputs("<h2>", out);
		html_text(quantity->name, out);
		fputs(": distributions</h2>\n", out);
		ab_plot_distributions(report->files[0], quantity, out);
	}
}

static void put_cause_part(const char *name, const struct cause_part *part, FILE *out)
{
	fprintf(out, "<tr><td>%s</td><td>%+.2f%%</td><td>[%+.2f%%, %+.2f%%]</td></tr>\n", name,
		100 * expm1(part->effect), 100 * expm1(part->interval.low), 100 * expm1(part->interval.high));
}

static void put_causes(const struct analysis *analysis, FILE *out)
{
	for (size_t i = 0; i < analysis->cause_count; i++) {
		const struct cause *cause = &analysis->causes[i];

		if (!cause->blocks || !cause->total.is_known)
			continue;
		fputs("<h2>Where it comes from: ", out);
		html_text(analysis->arms[cause->arm].name, out);
		fputs("</h2><div class=\"scroll\"><table><tr><th>part</th><th>change</th><th>interval</th></tr>\n", out);
		put_cause_part(cause->total_name, &cause->total, out);
		for (int t = 0; t < CAUSE_TERMS; t++)
			if (cause->terms[t].is_known)
				put_cause_part(cause_term_name((enum cause_term)t), &cause->terms[t], out);
		fputs("</table></div>\n", out);
	}
}

static void put_diagnostics(const struct analysis *analysis, FILE *out)
{
	if (!analysis->diagnostic_count)
		return;
	fputs("<h2>Warnings and notes</h2><ul>\n", out);
	for (size_t i = 0; i < analysis->diagnostic_count; i++) {
		const struct diagnostic *diagnostic = &analysis->diagnostics[i];

		fprintf(out, "<li%s>", diagnostic->is_warning ? " class=\"w\"" : "");
		if (diagnostic->metric) {
			html_text(diagnostic->metric, out);
			fputs(": ", out);
		}
		html_text(diagnostic->text, out);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void put_environment(const struct ab_report *report, FILE *out)
{
	const struct runs *runs = report->files[0];
	const char *const names[] = { "host", "CPU", "kernel", "machine", "perfmini" };
	const char *const values[] = { runs->host, runs->cpu_model, runs->kernel, runs->machine, runs->version };

	fputs("<h2>Environment</h2><dl>\n", out);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		fprintf(out, "<dt>%s</dt><dd>", names[i]);
		html_text(values[i] ? values[i] : "unknown", out);
		fputs("</dd>\n", out);
	}
	fprintf(out, "<dt>seed</dt><dd>%" PRIu64 "</dd><dt>blocks</dt><dd>%zu, %zu void</dd>\n", runs->seed,
		report->analysis->blocks, report->analysis->void_blocks);
	for (size_t i = 0; i < runs->setting_count; i++) {
		const char *equals = strchr(runs->settings[i], '=');
		auto_free char *name = equals ? strndup(runs->settings[i], (size_t)(equals - runs->settings[i])) : NULL;

		fputs("<dt>", out);
		html_text(name ? name : "", out);
		fputs("</dt><dd>", out);
		html_text(equals ? equals + 1 : runs->settings[i], out);
		fputs("</dd>\n", out);
	}
	fputs("</dl>\n", out);
	if (report->repeat) {
		fputs("<h2>Repeat it</h2><pre>", out);
		html_text(report->repeat, out);
		fputs("</pre>\n", out);
	}
}

/* What one metric says of the machines, as the terminal shows it. */
static void put_machines(const struct analysis *analysis, const struct comparison *c, FILE *out)
{
	auto_text struct text together = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		abort();
	ab_machines_print(analysis, c, 100, memory);
	fclose(memory);
	ab_machines_sentence(&together, analysis, c);
	fputs("<h2>Machines: ", out);
	html_text(c->quantity->name, out);
	fputs("</h2><p>", out);
	html_text(together.bytes, out);
	fputs("</p><div class=\"scroll\"><pre class=\"table\">", out);
	html_text(text, out);
	fputs("</pre></div>\n", out);
	free(text);
}

/* The functions as the terminal shows them, narrower than a page. */
static void put_symbols(const struct ab_report *report, FILE *out)
{
	for (size_t i = 0; i < report->symbol_count; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *memory = open_memstream(&text, &size);

		if (!memory)
			abort();
		ab_symbols_print(report->analysis, &report->symbols[i], 100, memory);
		fclose(memory);
		fputs("<h2>Functions</h2><div class=\"scroll\"><pre class=\"table\">", out);
		html_text(text, out);
		fputs("</pre></div>\n", out);
		free(text);
	}
}

void ab_html_write(const struct ab_report *report, FILE *out)
{
	const struct analysis *analysis = report->analysis;

	html_begin("perfmini ab", out);
	put_arms(report, out);
	put_sentences(report, out);
	for (size_t first = 0; first < analysis->comparison_count;) {
		size_t end = ab_group_end(analysis, first);

		put_group(report, first, end, out);
		first = end;
	}
	for (size_t i = 0; i < analysis->comparison_count; i++)
		if (analysis->comparisons[i].is_gate && analysis->comparisons[i].machines)
			put_machines(analysis, &analysis->comparisons[i], out);
	put_run_plots(report, out);
	put_causes(analysis, out);
	put_symbols(report, out);
	put_diagnostics(analysis, out);
	put_environment(report, out);
	html_end(out);
}
