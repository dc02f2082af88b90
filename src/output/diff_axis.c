/* Functions along an axis: a column a value, in shares or in costs, with the trend of the share. */
#include "output/diff_axis.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

static double share(const struct axis *axis, const struct axis_row *row, size_t value)
{
	return axis->samples[value] > 0 ? row->samples[value] / axis->samples[value] : 0;
}

static bool is_hidden(const struct axis_view *view, const struct axis_row *row)
{
	return 100 * axis_largest_share(view->axis, row) < view->percent_limit;
}

static void append_name(const struct pair_item *item, struct text *line)
{
	if (item->name) {
		text_append_escaped(line, item->shown ? item->shown : item->name);
		text_append(line, "  ");
	}
	text_append(line, item->object[0] == '[' ? "" : "[");
	text_append_escaped(line, text_base_name(item->object));
	text_append(line, item->object[0] == '[' ? "" : "]");
}

static void print_row(const struct axis_view *view, const struct axis_row *row, FILE *out)
{
	auto_text struct text line = { 0 };

	text_append(&line, row->marked ? "*" : " ");
	for (size_t i = 0; i < view->axis->count; i++)
		text_format(&line, " %9.2f", view->costs ? view->scale * row->events[i] : 100 * share(view->axis, row, i));
	text_format(&line, "  %-6s", row->marked ? row->z > 0 ? "grows" : "falls" : isnan(row->q) ? "" : "-");
	if (isnan(row->q))
		text_append(&line, "          ");
	else
		text_format(&line, " %8.2g ", row->q);
	append_name(row->item, &line);
	fprintf(out, "%s\n", line.bytes);
}

static void print_head(const struct axis_view *view, FILE *out)
{
	const struct axis *axis = view->axis;
	auto_text struct text event = { 0 }, name = { 0 };

	text_append_escaped(&event, view->event);
	text_append_escaped(&name, view->name);
	if (view->costs)
		fprintf(out, "# %s, %s a run, by %s\n", event.bytes, *view->unit ? view->unit : "events", name.bytes);
	else
		fprintf(out, "# %s, %% of all samples, by %s\n", event.bytes, name.bytes);
	fputs("#", out);
	for (size_t i = 0; i < axis->count; i++)
		fprintf(out, " %9.0f", axis->samples[i]);
	fputs("  samples\n#\n#", out);
	for (size_t i = 0; i < axis->count; i++)
		fprintf(out, " %9s", view->values[i]);
	fputs("  share         q function\n", out);
}

void axis_print_text(const struct axis_view *view, FILE *out)
{
	const struct axis *axis = view->axis;
	size_t hidden = 0;

	print_head(view, out);
	for (size_t i = 0; i < axis->row_count; i++) {
		if (is_hidden(view, &axis->rows[i]))
			hidden++;
		else
			print_row(view, &axis->rows[i], out);
	}
	if (hidden)
		fprintf(out, "# %zu functions stay below %g %%\n", hidden, view->percent_limit);
	fprintf(out, "# * the share of %zu of %zu tested functions has a trend (q <= 0.05; sampling noise only: run-to-run "
		"variation is unknown)\n", axis->marked, axis->tested);
}

static void append_field(struct text *line, const char *separator, const char *text)
{
	text_append(line, separator);
	text_append_csv(line, text, separator);
}

void axis_print_csv(const struct axis_view *view, const char *separator, bool heading, FILE *out)
{
	const struct axis *axis = view->axis;

	if (heading)
		fprintf(out, "event%sobject%sfunction%s%s%ssamples%sevents%sshare%sz%sq\n", separator, separator, separator,
			view->name, separator, separator, separator, separator, separator);
	for (size_t i = 0; i < axis->row_count; i++)
		for (size_t j = 0; j < axis->count; j++) {
			const struct axis_row *row = &axis->rows[i];
			auto_text struct text line = { 0 };

			text_append_csv(&line, view->event, separator);
			append_field(&line, separator, row->item->object);
			append_field(&line, separator, row->item->name ? row->item->shown : "");
			append_field(&line, separator, view->values[j]);
			text_format(&line, "%s%.0f%s%.17g%s%.17g", separator, row->samples[j], separator, row->events[j], separator,
				    share(axis, row, j));
			if (isnan(row->q))
				text_format(&line, "%s%s", separator, separator);
			else
				text_format(&line, "%s%.17g%s%.17g", separator, row->z, separator, row->q);
			fprintf(out, "%s\n", line.bytes);
		}
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *numbers(const double *values, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, number(values[i]));
	return array;
}

static json_t *row_json(const struct axis *axis, const struct axis_row *row)
{
	json_t *shares = json_array();

	for (size_t i = 0; i < axis->count; i++)
		json_array_append_new(shares, number(share(axis, row, i)));
	return json_pack("{s:s?, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "function",
			 row->item->name ? row->item->shown : NULL, "object", row->item->object, "samples",
			 numbers(row->samples, axis->count), "events", numbers(row->events, axis->count), "shares", shares,
			 "z", number(row->z), "p", number(row->p), "q", number(row->q), "marked", row->marked);
}

json_t *axis_to_json(const struct axis_view *view)
{
	const struct axis *axis = view->axis;
	json_t *values = json_array(), *rows = json_array();

	for (size_t i = 0; i < axis->count; i++)
		json_array_append_new(values, json_string(view->values[i]));
	for (size_t i = 0; i < axis->row_count; i++)
		json_array_append_new(rows, row_json(axis, &axis->rows[i]));
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "event", view->event, "axis", view->name, "values", values,
			 "samples", numbers(axis->samples, axis->count), "events", numbers(axis->events, axis->count), "rows",
			 rows);
}
