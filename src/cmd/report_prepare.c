/* Load what a report needs, and no more than it needs. */
#include <string.h>

#include "base/memory.h"
#include "cmd/report.h"
#include "cmd/report_columns.h"
#include "output/report_html.h"
#include "perfdata/format.h"
#include "profile/unwinders.h"

static struct error *choose_percentage(struct report *report)
{
	const char *of = report->options.percentage;

	if (of && strcmp(of, "relative") != 0 && strcmp(of, "absolute") != 0)
		return error_new(ERROR_USAGE, "--percentage is relative or absolute, not '%s'", of);
	report->view.relative = of && !strcmp(of, "relative");
	return NULL;
}

static void note_filter(struct report *report, const char *what, const struct word_list *words, const char *text)
{
	if (!text || words->count != 1)
		return;
	text_format(&report->notes, "# %s: ", what);
	text_append_escaped(&report->notes, text);
	text_append_char(&report->notes, '\n');
	/* A column that says the same in every row is left out. */
	for (size_t i = 0; i < report->column_count; i++)
		if (report->columns[i].kind == COLUMN_KEY &&
		    !strcmp(report->keys[report->columns[i].key]->name, what))
			report->columns[i].is_hidden = true;
}

static void choose_filters(struct report *report)
{
	const struct report_options *chosen = &report->options;

	word_list_add(&report->dsos, chosen->dsos);
	word_list_add(&report->comms, chosen->comms);
	word_list_add(&report->symbols, chosen->symbols);
	note_filter(report, "dso", &report->dsos, chosen->dsos);
	note_filter(report, "comm", &report->comms, chosen->comms);
	note_filter(report, "symbol", &report->symbols, chosen->symbols);
	report->entry_setup.filter = (struct entry_filter){
		.comms = report->comms.items, .comm_count = report->comms.count,
		.objects = report->dsos.items, .object_count = report->dsos.count,
		.symbols = report->symbols.items, .symbol_count = report->symbols.count,
		.symbol_part = chosen->symbol_part,
		.hide_unresolved = chosen->hide_unresolved,
	};
}

static struct error *choose_parent(struct report *report)
{
	const char *pattern = report->options.parent ? report->options.parent : "^sys_|^do_page_fault";

	if (regcomp(&report->parent, pattern, REG_EXTENDED | REG_NOSUB))
		return error_new(ERROR_USAGE, "--parent: '%s' is no regular expression", pattern);
	report->has_parent = true;
	report->entry_setup.parent = &report->parent;
	return NULL;
}

static uint32_t needed_fields(const struct report *report)
{
	const struct report_options *chosen = &report->options;
	uint32_t fields = chosen->comms || chosen->html ? 1u << ROW_COMM : 0;
	bool flat = chosen->graph && !strncmp(chosen->graph, "none", 4) && !chosen->children;

	for (size_t i = 0; i < report->key_count; i++)
		fields |= report->keys[i]->row_fields;
	if (chosen->branches)
		fields |= 1u << ROW_BRANCH;
	if (!flat && !(fields & 1u << ROW_BRANCH) && !chosen->kprof)
		fields |= 1u << ROW_STACK;
	return fields;
}

static bool has_stacks(const struct profile *profile)
{
	return profile->stacks.count > 1;
}

static struct error *check_cpus(const struct report *report)
{
	const struct profile *profile = report->profile;

	if (!report->filter.sample.cpu_count)
		return NULL;
	for (size_t i = 0; i < profile->event_count; i++)
		if (profile->events[i].attr.sample_type & PERF_SAMPLE_CPU)
			return NULL;
	return error_new(ERROR_USAGE, "%s: its samples have no CPU numbers: leave out -C", profile->path);
}

static bool asks_for_lines(const struct report *report)
{
	for (size_t i = 0; i < report->key_count; i++)
		if (!strncmp(report->keys[i]->name, "src", 3))
			return true;
	return false;
}

static struct error *load(struct report *report)
{
	const struct report_options *chosen = &report->options;
	struct progress progress;
	struct profile_setup setup = {
		.fields = needed_fields(report),
		.max_stack = chosen->recording.max_stack,
		.force = chosen->recording.force,
		.filter = report->filter.sample,
		.progress = report->progress ? report->progress : progress_show,
		.progress_data = report->progress ? report->progress_data : &progress,
	};
	struct symbolizer_setup symbols = recording_symbols(&chosen->recording,
							    asks_for_lines(report) || report->progress);

	if (!(setup.fields & 1u << ROW_STACK))
		symbols.inlines = false;

	struct error *err = unwinders_attach(&symbols, &setup, &report->unwinders);

	if (err)
		return err;
	progress_start(&progress);
	err = profile_load(chosen->recording.input, &setup, &report->profile);

	progress_end(&progress);
	if (err || !report->symbolizer)
		return err ? err : resolver_create(report->profile, &symbols, &report->resolver);
	report->resolver = resolver_create_shared(report->profile, report->symbolizer, symbols.inlines);
	return NULL;
}

/* As perf: a recording made for its branches is shown by branches. */
static bool is_made_for_branches(const struct report_options *chosen)
{
	cleanup(perfdata_reader_guard) struct perfdata_reader *reader = NULL;

	if (chosen->branches || chosen->no_branches || chosen->kprof || !strcmp(chosen->recording.input, "-"))
		return chosen->branches;

	struct error *err = perfdata_open(chosen->recording.input, PERFDATA_FILE_ORDER, &reader);
	size_t size;

	if (err) {
		error_destroy(err); /* told again when it is loaded */
		return false;
	}
	return perfdata_feature(reader, PERFDATA_FEATURE_BRANCH_STACK, &size);
}

struct error *report_prepare(struct report *report)
{
	struct report_options *chosen = &report->options;
	struct error *err = choose_percentage(report);

	chosen->branches = is_made_for_branches(chosen);

	if (chosen->kprof || chosen->branches)
		chosen->children = false;
	if (!err)
		err = recording_filter_parse(&chosen->recording, &report->filter);
	if (!err)
		err = report_choose_columns(report);
	if (!err)
		err = choose_parent(report);
	if (!err)
		err = report_choose_graph(report);
	if (!err)
		err = load(report);
	if (!err)
		err = check_cpus(report);
	if (err)
		return err;
	/* Without chains there are no children to add. */
	if (!has_stacks(report->profile)) {
		chosen->children = false;
		report->view.graph = CALL_GRAPH_NONE;
		for (size_t i = 0; i < report->column_count; i++)
			report->columns[i].is_hidden |= report->columns[i].kind == COLUMN_CHILDREN;
	}
	choose_filters(report);
	report->entry_setup.keys = report->keys;
	report->entry_setup.key_count = report->key_count;
	report->entry_setup.children = chosen->children;
	report->entry_setup.group = chosen->group;
	report->view.columns = report->columns;
	report->view.column_count = report->column_count;
	report->view.percent_limit = chosen->percent_limit;
	report->view.separator = chosen->separator;
	report->view.fold_unresolved = chosen->fold_unresolved;
	report->view.quiet = chosen->quiet;
	/* As perf: chains follow the limit of rows. */
	if (chosen->percent_limit > 0)
		report->view.graph_least = chosen->percent_limit;
	return NULL;
}

struct error *report_event(struct report *report, size_t event)
{
	report->entry_setup.event = event;

	cleanup(entries_guard) struct entries *entries = entries_create(report->resolver, &report->entry_setup);
	uint64_t samples = 0;

	for (size_t i = 0; i < entries->members; i++)
		samples += entries->sums[i].samples;
	if (!samples)
		return NULL;
	if (report->options.json)
		report_json_add(report->json, entries, &report->view);
	else if (report->options.csv)
		report_csv(entries, &report->view, !report->csv_begun, &report->out);
	else if (report->options.kprof)
		report_kprof(entries, &report->out);
	else if (report->options.html)
		report_html_event(entries, &report->view, stdout);
	else
		report_text(entries, &report->view, &report->out);
	report->csv_begun = true;
	return NULL;
}

void report_release(struct report *report)
{
	resolver_destroy(report->resolver);
	profile_destroy(report->profile);
	unwinders_destroy(report->unwinders);
	recording_filter_release(&report->filter);
	word_list_release(&report->dsos);
	word_list_release(&report->comms);
	word_list_release(&report->symbols);
	if (report->has_parent)
		regfree(&report->parent);
	free(report->keys);
	free(report->columns);
	text_release(&report->notes);
	text_release(&report->out);
}
