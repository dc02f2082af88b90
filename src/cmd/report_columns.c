/* Which columns a report has, and how it draws chains. */
#include "cmd/report_columns.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

static void add_column(struct report *report, enum report_column_kind kind, size_t key)
{
	for (size_t i = 0; i < report->column_count; i++)
		if (report->columns[i].kind == kind && (kind != COLUMN_KEY || report->columns[i].key == key))
			return;
	report->columns = memory_resize(report->columns, report->column_count + 1, sizeof(*report->columns));
	report->columns[report->column_count++] = (struct report_column){ .kind = kind, .key = key };
}

static void add_key(struct report *report, const struct sort_key *key)
{
	size_t at = 0;

	while (at < report->key_count && report->keys[at] != key)
		at++;
	if (at == report->key_count) {
		report->keys = memory_resize(report->keys, report->key_count + 1, sizeof(*report->keys));
		report->keys[report->key_count++] = key;
	}
	add_column(report, COLUMN_KEY, at);
}

/* A number column's word; false when it is none. */
static bool number_column(const char *word, enum report_column_kind *ret)
{
	static const struct {
		const char *word;
		enum report_column_kind kind;
	} known[] = {
		{ "overhead", COLUMN_OVERHEAD },	  { "self", COLUMN_OVERHEAD },
		{ "overhead_children", COLUMN_CHILDREN }, { "children", COLUMN_CHILDREN },
		{ "sample", COLUMN_SAMPLES },		  { "samples", COLUMN_SAMPLES },
		{ "period", COLUMN_PERIOD },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].word, word)) {
			*ret = known[i].kind;
			return true;
		}
	return false;
}

static struct error *add_words(struct report *report, const char *text)
{
	cleanup(word_list_release) struct word_list words = { 0 };

	word_list_add(&words, text);
	for (size_t i = 0; i < words.count; i++) {
		enum report_column_kind kind;

		if (number_column(words.items[i], &kind)) {
			add_column(report, kind, 0);
			continue;
		}

		auto_free const struct sort_key **found = NULL;
		size_t count;
		struct error *err = sort_keys_parse(words.items[i], &found, &count);

		if (err)
			return err;
		if (report->key_count >= 30)
			return error_new(ERROR_USAGE, "too many sort keys in '%s'", text);
		add_key(report, found[0]);
	}
	return NULL;
}

struct error *report_choose_columns(struct report *report)
{
	const struct report_options *chosen = &report->options;
	const char *sort = chosen->sort;
	struct error *err;

	if (!sort && !chosen->fields)
		sort = chosen->branches ? "comm,dso_from,symbol_from,dso_to,symbol_to" : "comm,dso,sym";
	if (!chosen->fields) {
		if (chosen->children)
			add_column(report, COLUMN_CHILDREN, 0);
		add_column(report, COLUMN_OVERHEAD, 0);
		if (chosen->show_samples)
			add_column(report, COLUMN_SAMPLES, 0);
		if (chosen->show_period)
			add_column(report, COLUMN_PERIOD, 0);
	}
	err = add_words(report, chosen->fields ? chosen->fields : sort);
	return err || !chosen->fields || !sort ? err : add_words(report, sort);
}

/* One word of -g. */
static struct error *graph_word(struct report *report, const char *word)
{
	static const char *const forms[] = { "none", "graph", "fractal", "flat", "folded" };
	static const char *const values[] = { "percent", "period", "count" };
	char *end;
	double number;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (!strcmp(word, forms[i])) {
			report->view.graph = (enum call_graph_form)i;
			return NULL;
		}
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (!strcmp(word, values[i])) {
			report->view.value = (enum call_graph_value)i;
			return NULL;
		}
	if (!strcmp(word, "caller") || !strcmp(word, "callee")) {
		report->entry_setup.caller_first = !strcmp(word, "caller");
		return NULL;
	}
	if (!strcmp(word, "function") || !strcmp(word, "address"))
		return NULL;
	number = strtod(word, &end);
	if (*end || end == word || !isfinite(number) || number < 0)
		return error_hint(error_new(ERROR_USAGE, "-g: '%s' is not understood", word),
				  "graph, fractal, flat, folded or none, a least percentage, caller or callee, "
				  "percent, period or count");
	report->view.graph_least = number;
	return NULL;
}

struct error *report_choose_graph(struct report *report)
{
	cleanup(word_list_release) struct word_list words = { 0 };
	struct error *err = NULL;

	report->view.graph = CALL_GRAPH_ABSOLUTE;
	report->view.graph_least = 0.5;
	report->entry_setup.caller_first = report->options.children || report->options.inverted;
	word_list_add(&words, report->options.graph);
	for (size_t i = 0; i < words.count && !err; i++)
		err = graph_word(report, words.items[i]);
	return err;
}
