/* perfmini report: where the samples of a recording fell. */
#include "cmd/report.h"

#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "cmd/cmd.h"
#include "cmd/report_columns.h"
#include "output/report_html.h"

#define TEXT_OF(letter, name, member, argument, help) \
	{ letter, name, OPTION_TEXT, offsetof(struct report_options, member), argument, help, NULL, "" }
#define FLAG_OF(letter, name, member, help) \
	{ letter, name, OPTION_FLAG, offsetof(struct report_options, member), NULL, help, NULL, NULL }
#define TOGGLE_OF(name, member, help) \
	{ 0, name, OPTION_TOGGLE, offsetof(struct report_options, member), NULL, help, NULL, NULL }

static const struct option options[] = {
	RECORDING_OPTIONS(struct report_options),
	TEXT_OF('s', "sort", sort, "KEY,…", "what tells rows apart (comm,dso,sym)"),
	TEXT_OF('F', "fields", fields, "FIELD,…", "columns in this order"),
	TEXT_OF('g', "call-graph", graph, "FORM", "graph, fractal, flat, folded or none, percent, caller or callee"),
	FLAG_OF('G', "inverted", inverted, "chains from the outermost caller"),
	TOGGLE_OF("children", children, "add what a function called to it"),
	FLAG_OF('n', "show-nr-samples", show_samples, "a column of sample counts"),
	FLAG_OF(0, "show-total-period", show_period, "a column of periods"),
	TEXT_OF('d', "dsos", dsos, "NAME,…", "only these objects"),
	TEXT_OF('c', "comms", comms, "NAME,…", "only these commands"),
	TEXT_OF('S', "symbols", symbols, "NAME,…", "only these functions"),
	TEXT_OF(0, "symbol-filter", symbol_part, "TEXT", "only functions whose name holds TEXT"),
	TEXT_OF('C', "cpu", recording.cpus, "LIST", "only these CPUs"),
	TEXT_OF('p', "parent", parent, "REGEX", "what the sort key parent looks for"),
	{ 0, "percent-limit", OPTION_REAL, offsetof(struct report_options, percent_limit), "PERCENT",
	  "leave out rows below", NULL, "" },
	{ 0, "percentage", OPTION_TEXT, offsetof(struct report_options, percentage), "OF",
	  "relative: of what passed the filters; absolute: of all", NULL, "relative absolute" },
	TOGGLE_OF("group", group, "events of a group side by side"),
	FLAG_OF('b', "branch-stack", branches, "count branches instead of samples"),
	FLAG_OF(0, "no-branch-stack", no_branches, "count samples although there are branches"),
	FLAG_OF('U', "hide-unresolved", hide_unresolved, "leave out samples without symbol"),
	FLAG_OF(0, "fold-unresolved", fold_unresolved, "one row for all addresses of an object without symbol"),
	TEXT_OF('t', "field-separator", separator, "SEP", "between columns, without padding"),
	FLAG_OF('q', "quiet", quiet, "rows only"),
	FLAG_OF(0, "header", header, "say how and where it was recorded"),
	FLAG_OF(0, "header-only", header_only, "say only that"),
	FLAG_OF(0, "stats", stats, "count the records by type"),
	FLAG_OF(0, "tasks", tasks, "list the tasks"),
	FLAG_OF(0, "mmaps", mmaps, "list the tasks and their mappings"),
	FLAG_OF('D', "dump-raw-trace", dump, "print every record"),
	FLAG_OF(0, "stdio", stdio, "as text, also on a terminal"),
	FLAG_OF(0, "json", json, "the aggregated report as JSON"),
	FLAG_OF(0, "html", html, "one page with flame graph and table, which asks for nothing else"),
	FLAG_OF(0, "csv", csv, "the aggregated report as CSV"),
	FLAG_OF(0, "kprof", kprof, "kernel time by function, as kprof prints it"),
	{ .type = OPTION_END },
};

/* -g needs no argument: give the word of its default then. Returns an array to free. */
static char **fill_optional(int argc, char **argv)
{
	char **filled = memory_zeroed((size_t)argc + 1, sizeof(*filled));

	for (int i = 0; i < argc; i++) {
		bool alone = i + 1 == argc || argv[i + 1][0] == '-';
		bool is_graph = !strcmp(argv[i], "-g") || !strcmp(argv[i], "--call-graph");

		filled[i] = alone && is_graph ? (char *)"--call-graph=graph" : argv[i];
	}
	return filled;
}

static struct error *show_events(struct report *report)
{
	const struct profile *profile = report->profile;
	struct text *out = &report->out;

	for (size_t i = 0; i < profile->event_count; i++) {
		if (profile_event_leader(profile, i, report->options.group) != i)
			continue;

		struct error *err = report_event(report, i);

		if (err)
			return err;
		print_text(out);
	}
	return NULL;
}

static void print_lead(const struct report *report)
{
	const struct report_options *chosen = &report->options;

	if (chosen->quiet || chosen->json || chosen->csv || chosen->kprof || chosen->html)
		return;
	if (!chosen->header)
		puts("# To display the perf.data header info, please use --header/--header-only options.\n#");
	printf("%s#\n# Total Lost Samples: %llu\n#\n", report->notes.length ? report->notes.bytes : "",
	       (unsigned long long)report->profile->losses.lost_samples);
}

/* What the reader of the report must know to trust it. */
static void tell_losses(const struct report *report)
{
	const struct profile *profile = report->profile;
	const struct perfdata_losses *losses = &profile->losses;

	if (profile->damage)
		log_warning("%s: %s; what could be read is shown", profile->path, error_message(profile->damage));
	if (losses->truncated)
		log_warning("%s: the recorder did not finish it, or it was cut; the end is missing", profile->path);
	if (losses->lost_events)
		log_warning("%s: %llu events were lost while recording", profile->path,
			    (unsigned long long)losses->lost_events);
	if (losses->unknown_ids)
		log_warning("%s: %llu samples belong to an event that the file does not declare", profile->path,
			    (unsigned long long)losses->unknown_ids);
	if (!profile->rows.count)
		log_warning("%s: has no samples", profile->path);
}

static struct error *show(struct report *report)
{
	const struct report_options *chosen = &report->options;
	struct error *err = NULL;

	print_lead(report);
	if (chosen->json)
		report->json = report_json_create(report->profile);
	if (chosen->html)
		report_page_begin(report->profile, stdout);
	err = show_events(report);
	if (err)
		return err;
	if (chosen->json) {
		auto_free char *json = report_json_finish(take(report->json));

		puts(json);
	}
	if (chosen->html)
		report_html_end(report->profile, report->resolver, stdout);
	if (!chosen->quiet && !chosen->json && !chosen->csv && !chosen->kprof && !chosen->html && !chosen->hide_unresolved) {
		report_unresolved(report->profile, report->resolver, &report->out);
		print_text(&report->out);
	}
	fflush(stdout);
	tell_losses(report);
	return NULL;
}

static struct error *run_report(struct report *report)
{
	const struct report_options *chosen = &report->options;

	if (chosen->header || chosen->header_only) {
		struct error *err = report_header(chosen->recording.input, stdout);

		if (err || chosen->header_only)
			return err;
	}
	if (chosen->stats)
		return report_stats(chosen->recording.input, chosen->recording.force, stdout);
	if (chosen->dump)
		return report_dump(chosen->recording.input, stdout);
	if (chosen->tasks || chosen->mmaps)
		return report_tasks(chosen->recording.input, chosen->mmaps, stdout);
	if (report_is_browsed(chosen))
		return report_browse(report);

	struct error *err = report_prepare(report);

	return err ? err : show(report);
}

static struct error *run(int argc, char **argv, int *status)
{
	cleanup(report_release) struct report report = {
		.options = { .recording = RECORDING_DEFAULTS, .children = true, .group = true },
	};
	auto_free char **filled = fill_optional(argc, argv);
	struct options_parse parse = { options, &report.options, false, argc, filled };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_report, &parse, &operands, &helped);

	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	if (operands[0])
		report.options.recording.input = operands[0];
	if (operands[0] && operands[1])
		return error_new(ERROR_USAGE, "one recording at a time, not also '%s'", operands[1]);
	return run_report(&report);
}

const struct command command_report = { "report", "show where the samples of a recording fell", run, options,
					"[OPTIONS] [FILE]" };
