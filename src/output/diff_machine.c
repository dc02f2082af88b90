/* A diff for programs: JSON and CSV. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/diff.h"

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval(struct interval bounds)
{
	return json_pack("[o,o]", number(bounds.low), number(bounds.high));
}

/* Names from files may hold any bytes: what is no UTF-8 is escaped. */
static json_t *name_or_null(const char *name)
{
	auto_text struct text clean = { 0 };
	json_t *text = name ? json_string(name) : json_null();

	if (text)
		return text;
	text_append_escaped(&clean, name);
	return json_string(clean.bytes);
}

static json_t *names_json(const struct diff_side *side, const size_t *items, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct pair_item *item = &side->items[items[i]];

		json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:o,s:o}", "name", name_or_null(item->name), "shown",
						      name_or_null(item->shown), "object", name_or_null(item->object),
						      "build_id", name_or_null(item->build_id), "file",
						      name_or_null(item->file)));
	}
	return list;
}

static const char *const code_texts[] = {
	[CODE_UNKNOWN] = "unknown", [CODE_IDENTICAL] = "identical", [CODE_CHANGED] = "changed"
};

static json_t *row_json(const struct diff_view *view, const struct diff_row *row)
{
	const struct pair *pair = row->pair;
	const struct diff *diff = view->diff;
	json_t *json = json_pack("{s:o,s:o,s:s,s:s,s:b,s:b}", "a_functions",
				 names_json(diff_side(diff, 0), pair->a, pair->a_count), "b_functions",
				 names_json(diff_side(diff, 1), pair->b, pair->b_count), "pair",
				 pair_rule_text(pair->rule), "code", code_texts[pair->code], "object_renamed",
				 pair->object_renamed, "merged", pair->merged);

	json_object_set_new(json, "a", number(row->a));
	json_object_set_new(json, "b", number(row->b));
	json_object_set_new(json, "a_samples", number(row->a_samples));
	json_object_set_new(json, "b_samples", number(row->b_samples));
	json_object_set_new(json, "difference", number(row->difference));
	json_object_set_new(json, "difference_interval", interval(row->difference_interval));
	json_object_set_new(json, "interval_level", number(row->difference_interval.level));
	json_object_set_new(json, "ratio", number(row->ratio));
	json_object_set_new(json, "ratio_interval", interval(row->ratio_interval));
	json_object_set_new(json, "a_share", number(row->a_share));
	json_object_set_new(json, "b_share", number(row->b_share));
	json_object_set_new(json, "p", number(row->p));
	json_object_set_new(json, "q", number(row->q));
	json_object_set_new(json, "changed", json_boolean(row->marked));
	json_object_set_new(json, "samples_needed", row->samples_needed > 0 ? number(row->samples_needed) : json_null());
	return json;
}

static json_t *side_json(const struct diff_view *view, size_t side)
{
	const struct diff_totals *totals = diff_totals(view->diff);
	const struct diff_side *of = diff_side(view->diff, side);

	return json_pack("{s:o,s:I,s:o,s:o}", "label", name_or_null(of->label), "runs", (json_int_t)of->run_count,
			 "events", number(side ? totals->b : totals->a), "samples",
			 number(side ? totals->b_samples : totals->a_samples));
}

static json_t *control_json(const struct diff_control *control)
{
	if (!control->functions)
		return json_null();
	return json_pack("{s:I,s:o,s:o,s:o,s:o}", "functions", (json_int_t)control->functions, "median_ratio",
			 number(control->median_ratio), "range", interval(control->range), "spread",
			 number(control->spread), "expected_spread", number(control->expected_spread));
}

json_t *diff_to_json(const struct diff_view *view)
{
	const struct diff_totals *totals = diff_totals(view->diff);
	const struct diff_row *rows;
	size_t count = diff_rows(view->diff, &rows);
	auto_free size_t *order = diff_view_order(view);
	json_t *list = json_array(), *warnings = json_array();

	for (size_t i = 0; i < count; i++)
		if (!view->baseline_only || rows[order[i]].pair->rule != PAIR_NEW)
			json_array_append_new(list, row_json(view, &rows[order[i]]));
	for (size_t i = 0; i < view->warning_count; i++)
		json_array_append_new(warnings, json_string(view->warnings[i]));
	return json_pack("{s:i,s:o,s:s,s:f,s:b,s:o,s:o,s:o,s:o,s:o,s:I,s:I,s:I,s:o,s:o,s:o}", "perfmini_diff", 1, "event",
			 name_or_null(view->event), "unit", view->unit, "unit_per_event", view->scale, "inclusive",
			 view->inclusive, "a", side_json(view, 0), "b", side_json(view, 1), "difference",
			 number(totals->b - totals->a), "difference_interval", interval(totals->difference_interval),
			 "explained", number(totals->marked_difference), "tested", (json_int_t)totals->tested,
			 "not_tested", (json_int_t)totals->not_tested, "changed", (json_int_t)totals->marked, "control",
			 control_json(diff_control(view->diff)), "warnings", warnings, "rows", list);
}

static void print_field(const char *field, const char *separator, FILE *out)
{
	auto_text struct text quoted = { 0 };

	text_append_csv(&quoted, field, separator);
	fputs(quoted.bytes, out);
}

static void print_number(double value, const char *separator, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "%s%.17g", separator, value);
	else
		fputs(separator, out);
}

static void print_names(const struct diff_view *view, size_t side, const size_t *items, size_t count, FILE *out)
{
	const struct pair_item *item = count ? &diff_side(view->diff, side)->items[items[0]] : NULL;
	auto_text struct text name = { 0 }, object = { 0 };

	text_append_escaped(&name, item && item->shown ? item->shown : item && item->name ? item->name : "");
	text_append_escaped(&object, item ? item->object : "");
	fputs(view->separator, out);
	print_field(name.bytes ? name.bytes : "", view->separator, out);
	fputs(view->separator, out);
	print_field(object.bytes ? object.bytes : "", view->separator, out);
}

static void print_csv_row(const struct diff_view *view, const struct diff_row *row, FILE *out)
{
	const char *sep = view->separator;
	const double numbers[] = {
		row->a, row->b, diff_row_value(view, row), row->difference_interval.low, row->difference_interval.high,
		row->ratio, row->ratio_interval.low, row->ratio_interval.high, row->a_share, row->b_share,
		row->a_samples, row->b_samples, row->p, row->q,
	};

	print_field(view->event, sep, out);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		print_number(numbers[i], sep, out);
	fprintf(out, "%s%d%s%s%s%s", sep, row->marked, sep, pair_rule_text(row->pair->rule), sep,
		code_texts[row->pair->code]);
	print_names(view, 0, row->pair->a, row->pair->a_count, out);
	print_names(view, 1, row->pair->b, row->pair->b_count, out);
	fputc('\n', out);
}

static const char *const csv_columns[] = {
	"event", "a", "b", "difference", "difference_low", "difference_high", "ratio", "ratio_low", "ratio_high", "a_share",
	"b_share", "a_samples", "b_samples", "p", "q", "changed", "pair", "code", "a_function", "a_object", "b_function",
	"b_object",
};

void diff_print_csv(const struct diff_view *view, bool heading, FILE *out)
{
	const struct diff_row *rows;
	size_t count = diff_rows(view->diff, &rows);
	auto_free size_t *order = diff_view_order(view);

	for (size_t i = 0; heading && i < ARRAY_SIZE(csv_columns); i++)
		fprintf(out, "%s%s", i ? view->separator : "", csv_columns[i]);
	if (heading)
		fputc('\n', out);
	for (size_t i = 0; i < count; i++)
		if (!view->baseline_only || rows[order[i]].pair->rule != PAIR_NEW)
			print_csv_row(view, &rows[order[i]], out);
}
