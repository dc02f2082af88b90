/* Reports of profiles: as text in perf's form, as CSV, as JSON, in kprof's form. */
#ifndef OUTPUT_REPORT_H
#define OUTPUT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "profile/call_tree.h"
#include "profile/entry.h"

enum report_column_kind { COLUMN_CHILDREN, COLUMN_OVERHEAD, COLUMN_SAMPLES, COLUMN_PERIOD, COLUMN_KEY };

struct report_column {
	enum report_column_kind kind;
	size_t key;      /* COLUMN_KEY: which of the entries' keys */
	bool is_hidden;
};

enum call_graph_form { CALL_GRAPH_NONE, CALL_GRAPH_ABSOLUTE, CALL_GRAPH_FRACTAL, CALL_GRAPH_FLAT, CALL_GRAPH_FOLDED };
enum call_graph_value { CALL_VALUE_PERCENT, CALL_VALUE_PERIOD, CALL_VALUE_COUNT };

/* How a report is shown. */
struct report_view {
	const struct report_column *columns;
	size_t column_count;
	enum call_graph_form graph;
	enum call_graph_value value;
	double graph_least;      /* percent */
	double percent_limit;    /* entries below are left out */
	bool relative;           /* percentages of what passed the filters, not of everything */
	const char *separator;   /* between columns, instead of padding for people; NULL: none */
	bool fold_unresolved;    /* one row "N unresolved" an object */
	bool quiet;
	const char *const *notes; /* "dso: burn": filters, told in the head */
	size_t note_count;
};

/* What percentages are of, for one event of a group. */
uint64_t report_whole(const struct entries *entries, const struct report_view *view, size_t member);
/* Of an entry, in percent, for sorting out small ones. */
double report_share(const struct entries *entries, const struct report_view *view, size_t entry);

/* What the table is made of: a column's head, its columns on a terminal, and one entry's cell. */
const char *report_column_title(const struct entries *entries, const struct report_column *column);
size_t report_column_width(const struct entries *entries, const struct report_column *column);
void report_append_cell(const struct entries *entries, const struct report_view *view,
			const struct report_column *column, size_t entry, struct text *out);
/* The table with its head. Trees of entries are built as they are shown. */
void report_text(struct entries *entries, const struct report_view *view, struct text *out);
/* "# Samples: 1K of event 'x'" and "# Event count (approx.): 1". */
void report_text_head(const struct entries *entries, const struct report_view *view, struct text *out);
void report_call_graph(struct entries *entries, const struct report_view *view, size_t entry, struct text *out);

/* Plain columns with a header line, quoted where needed, one line an entry and event. */
void report_csv(struct entries *entries, const struct report_view *view, bool with_header, struct text *out);

/* One JSON object for all events; entries_of gives each event's. The caller frees. */
struct report_json;
struct report_json *report_json_create(const struct profile *profile);
void report_json_add(struct report_json *json, struct entries *entries, const struct report_view *view);
char *report_json_finish(struct report_json *json);

/* kprof's form: three totals, then ms, percent of kernel time, symbol. */
void report_kprof(struct entries *entries, struct text *out);

/* How many samples have no symbol, by object and reason; nothing when all have. */
void report_unresolved(const struct profile *profile, struct resolver *resolver, struct text *out);

#endif
