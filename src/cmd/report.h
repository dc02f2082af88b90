/* The parts of `report` while it runs. */
#ifndef CMD_REPORT_H
#define CMD_REPORT_H

#include <regex.h>
#include <stdio.h>

#include "cmd/report_options.h"

struct report_options {
	struct recording_options recording;
	const char *sort, *fields, *graph, *dsos, *comms, *symbols, *symbol_part, *parent, *percentage, *separator;
	double percent_limit;
	bool inverted, children, show_samples, show_period, group, branches, no_branches, hide_unresolved, fold_unresolved;
	bool quiet, header, header_only, stats, tasks, mmaps, dump, stdio, json, csv, kprof, html;
};

struct report {
	struct report_options options;
	struct recording_filter filter;
	struct word_list dsos, comms, symbols;
	regex_t parent;
	bool has_parent;
	struct profile *profile;
	struct resolver *resolver;
	struct symbolizer *symbolizer; /* shared with other reports; NULL: the resolver has its own. Borrowed */
	const struct sort_key **keys;
	size_t key_count;
	struct report_column *columns;
	size_t column_count;
	struct entry_setup entry_setup;
	struct report_view view;
	struct unwinders *unwinders;
	struct text notes, out;
	struct report_json *json;
	bool csv_begun;
	bool (*progress)(void *data, uint64_t done, uint64_t all); /* NULL: a line on standard error */
	void *progress_data;
};

/* Load the recording and decide what is shown. */
must_use struct error *report_prepare(struct report *report);
/* Append one event's report, or add it to the JSON. */
must_use struct error *report_event(struct report *report, size_t event);
void report_release(struct report *report);

/* Whether a report with these options is looked at on the terminal, not printed. */
bool report_is_browsed(const struct report_options *chosen);
/* Load the recording and let the user walk through it. */
must_use struct error *report_browse(struct report *report);

/* The beginning of the page of --html. */
void report_page_begin(const struct profile *profile, FILE *out);
/* "# hostname : …", one line a header feature. */
must_use struct error *report_header(const char *path, FILE *out);
/* Records by type. */
must_use struct error *report_stats(const char *path, bool force, FILE *out);
/* Every record, decoded. */
must_use struct error *report_dump(const char *path, FILE *out);
/* Tasks by parentage, with mappings when asked. */
must_use struct error *report_tasks(const char *path, bool with_mappings, FILE *out);

#endif
