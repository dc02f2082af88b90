/* The report of `ab` as one HTML file that asks for nothing else: style, tables and plots inside. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ab/command_line.h"
#include "output/ab_machines.h"
#include "output/ab_plots.h"
#include "output/ab_report.h"
#include "output/ab_values.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<title>perfmini ab</title>\n<style>\n"
	":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#5b6470;--line:#d8dde3;--soft:#f4f6f8;"
	"--good:#0f7b3d;--bad:#b3261e;--open:#8a5a00;--band:#2f6fb720;"
	"--c0:#2f6fb7;--c1:#d1600a;--c2:#2e8b57;--c3:#8e4fb0;--c4:#b03060;--c5:#6b6b00}\n"
	"@media (prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e6e9ec;--dim:#9aa4af;--line:#333a42;--soft:#1d2226;"
	"--good:#5fd08a;--bad:#ff8a80;--open:#f0c060;--band:#7fb3f030;"
	"--c0:#7fb3f0;--c1:#ffa25c;--c2:#6fd39b;--c3:#cf9cf0;--c4:#f08fb0;--c5:#cfcf60}}\n"
	"*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);"
	"font:15px/1.5 system-ui,sans-serif}main{max-width:60rem;margin:0 auto;padding:1.2rem 1rem 3rem}\n"
	"h1{font-size:1.3rem;margin:0 0 .6rem}h2{font-size:1.05rem;margin:2rem 0 .5rem}\n"
	".verdict{border-left:4px solid var(--open);background:var(--soft);padding:.6rem .9rem;margin:.5rem 0}\n"
	".verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}\n"
	".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}\n"
	"th:first-child,td:first-child,th:last-child,td:last-child{text-align:left}th{color:var(--dim);font-weight:600}\n"
	"tr.gate td{font-weight:600}.good{color:var(--good)}.bad{color:var(--bad)}.open{color:var(--open)}\n"
	".verdict.good,.verdict.bad,.verdict.open{color:inherit}\n"
	"svg{width:100%;height:auto;display:block;margin:.3rem 0}svg text{fill:var(--fg);font-size:13px}\n"
	"svg .t{fill:var(--dim);font-size:12px}svg .gate{font-weight:600}.grid{stroke:var(--line)}.zero{stroke:var(--dim)}\n"
	".band{fill:var(--band)}.ci{stroke-width:3;stroke-linecap:round}.ci.good{stroke:var(--good)}"
	".ci.bad{stroke:var(--bad)}.ci.open{stroke:var(--open)}.ci.plain{stroke:var(--dim)}\n"
	".pt.good{fill:var(--good)}.pt.bad{fill:var(--bad)}.pt.open{fill:var(--open)}.pt.plain{fill:var(--dim)}\n"
	".a0{fill:var(--c0)}.a1{fill:var(--c1)}.a2{fill:var(--c2)}.a3{fill:var(--c3)}.a4{fill:var(--c4)}.a5{fill:var(--c5)}\n"
	"circle.a0,circle.a1,circle.a2,circle.a3,circle.a4,circle.a5{fill-opacity:.75}\n"
	".box{fill:none;stroke:var(--dim)}.median{stroke:var(--fg);stroke-width:2}\n"
	"code,pre{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}pre.table{white-space:pre}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem .8rem;margin:.4rem 0}dt{color:var(--dim)}"
	"dd{margin:0;overflow-wrap:anywhere}.key{display:inline-block;width:.8em;height:.8em;border-radius:50%;"
	"margin-right:.4em}ul{padding-left:1.2rem}li.w{color:var(--open)}\n"
	"@media (max-width:36rem){th,td{padding:.25rem .4rem;font-size:13px}svg text{font-size:22px}svg .t{font-size:20px}}\n"
	"</style></head><body><main>\n";

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
		ab_put_html(analysis->arms[i].name, out);
		fputs("</dt><dd><code>", out);
		ab_put_html(command, out);
		fputs("</code></dd>\n", out);
	}
	for (size_t i = 0; i < report->file_count && report->file_names; i++) {
		fputs("<dt>", out);
		ab_put_html(report->file_names[i], out);
		fputs("</dt><dd>", out);
		ab_put_html(report->files[i]->host ? report->files[i]->host : "unknown host", out);
		fputs(", ", out);
		ab_put_html(report->files[i]->cpu_model ? report->files[i]->cpu_model : "unknown CPU", out);
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
		ab_put_html(sentence.bytes, out);
		fputs("</p>\n", out);
	}
}

static void put_cell(const struct text *text, FILE *out)
{
	fputs("<td>", out);
	ab_put_html(text->bytes ? text->bytes : "", out);
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
	ab_put_html(verdict.bytes, out);
	fputs("</td></tr>\n", out);
}

static void put_group(const struct ab_report *report, size_t first, size_t end, FILE *out)
{
	const struct analysis *analysis = report->analysis;
	const struct comparison *comparison = &analysis->comparisons[first];

	fputs("<h2>", out);
	ab_put_html(analysis->arms[comparison->arm].name, out);
	fputs(" against ", out);
	ab_put_html(analysis->arms[0].name, out);
	if (comparison->condition)
		fprintf(out, ", %s", comparison->condition);
	fputs("</h2>\n", out);
	ab_plot_intervals(report, first, end, out);
	fputs("<div class=\"scroll\"><table><tr><th>metric</th><th>", out);
	ab_put_html(analysis->arms[0].name, out);
	fputs("</th><th>", out);
	ab_put_html(analysis->arms[comparison->arm].name, out);
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
		ab_put_html(quantity->name, out);
		fputs(": runs in time order</h2>\n", out);
		ab_plot_runs(report->files[0], quantity, out);
		fputs("<h2>", out);
		ab_put_html(quantity->name, out);
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
		ab_put_html(analysis->arms[cause->arm].name, out);
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
			ab_put_html(diagnostic->metric, out);
			fputs(": ", out);
		}
		ab_put_html(diagnostic->text, out);
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
		ab_put_html(values[i] ? values[i] : "unknown", out);
		fputs("</dd>\n", out);
	}
	fprintf(out, "<dt>seed</dt><dd>%" PRIu64 "</dd><dt>blocks</dt><dd>%zu, %zu void</dd>\n", runs->seed,
		report->analysis->blocks, report->analysis->void_blocks);
	for (size_t i = 0; i < runs->setting_count; i++) {
		const char *equals = strchr(runs->settings[i], '=');
		auto_free char *name = equals ? strndup(runs->settings[i], (size_t)(equals - runs->settings[i])) : NULL;

		fputs("<dt>", out);
		ab_put_html(name ? name : "", out);
		fputs("</dt><dd>", out);
		ab_put_html(equals ? equals + 1 : runs->settings[i], out);
		fputs("</dd>\n", out);
	}
	fputs("</dl>\n", out);
	if (report->repeat) {
		fputs("<h2>Repeat it</h2><pre>", out);
		ab_put_html(report->repeat, out);
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
	ab_put_html(c->quantity->name, out);
	fputs("</h2><p>", out);
	ab_put_html(together.bytes, out);
	fputs("</p><div class=\"scroll\"><pre class=\"table\">", out);
	ab_put_html(text, out);
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
		ab_put_html(text, out);
		fputs("</pre></div>\n", out);
		free(text);
	}
}

void ab_html_write(const struct ab_report *report, FILE *out)
{
	const struct analysis *analysis = report->analysis;

	fputs(head, out);
	fputs("<h1>perfmini ab</h1>\n", out);
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
	fputs("</main></body></html>\n", out);
}
