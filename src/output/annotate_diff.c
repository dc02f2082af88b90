/* Two disassemblies of one function beside each other, with the cost of each instruction on both sides. */
#include <jansson.h>
#include <math.h>

#include "output/annotate.h"
#include "profile/annotation_diff.h"

enum { INTERVAL_WIDTH = 19, ADDRESS_WIDTH = 9 };

static const char kind_marks[] = { [ALIGNED_SAME] = ' ', [ALIGNED_CHANGED] = '~', [ALIGNED_REMOVED] = '-',
				   [ALIGNED_ADDED] = '+' };
static const char *const kind_words[] = { [ALIGNED_SAME] = "same", [ALIGNED_CHANGED] = "changed",
					  [ALIGNED_REMOVED] = "removed", [ALIGNED_ADDED] = "added" };

static void append_interval(const struct interval *interval, double scale, const char *sign, struct text *out)
{
	if (isnan(interval->low) || isnan(interval->high))
		text_append(out, " [?]");
	else if (*sign)
		text_format(out, " [%+.2f, %+.2f]", interval->low * scale, interval->high * scale);
	else
		text_format(out, " [%.2f, %.2f]", interval->low * scale, interval->high * scale);
}

static void append_padded_interval(const struct interval *interval, double scale, const char *sign, struct text *out)
{
	size_t before = out->length;

	append_interval(interval, scale, sign, out);
	while (out->length - before < INTERVAL_WIDTH)
		text_append_char(out, ' ');
}

static void append_cost(const struct aligned_cost *cost, double scale, struct text *out)
{
	/* Zeros are most of a function, and hide the rest. */
	if (cost->samples > 0) {
		text_format(out, "%9.2f", cost->mean * scale);
		append_padded_interval(&cost->interval, scale, "", out);
	} else {
		text_format(out, "%9s%*s", ".", INTERVAL_WIDTH, "");
	}
}

static void append_difference(const struct aligned_row *row, double scale, struct text *out)
{
	if (!(row->costs[0].samples > 0 || row->costs[1].samples > 0)) {
		text_format(out, "%9s%*s ", ".", INTERVAL_WIDTH, "");
		return;
	}
	text_format(out, "%+9.2f", row->difference * scale);
	append_padded_interval(&row->difference_interval, scale, "+", out);
	text_append_char(out, row->marked ? '*' : ' ');
}

static void append_address(const struct instruction *instruction, struct text *out)
{
	if (instruction)
		text_format(out, "%*llx ", ADDRESS_WIDTH, (unsigned long long)instruction->address);
	else
		text_format(out, "%*s ", ADDRESS_WIDTH, "");
}

static void print_row(const struct aligned_row *row, const struct annotate_diff_view *view, struct text *out)
{
	static const char *const colors[] = { [ALIGNED_SAME] = "", [ALIGNED_CHANGED] = "\033[33m",
					      [ALIGNED_REMOVED] = "\033[31m", [ALIGNED_ADDED] = "\033[32m" };
	bool is_colored = view->color && row->kind != ALIGNED_SAME;

	append_cost(&row->costs[0], view->scale, out);
	append_cost(&row->costs[1], view->scale, out);
	append_difference(row, view->scale, out);
	if (is_colored)
		text_append(out, colors[row->kind]);
	append_address(row->sides[0], out);
	append_address(row->sides[1], out);
	text_format(out, "%c ", kind_marks[row->kind]);
	text_append_escaped(out, row->sides[row->kind == ALIGNED_ADDED]->text);
	if (row->kind == ALIGNED_CHANGED) {
		text_append(out, "   =>   ");
		text_append_escaped(out, row->sides[1]->text);
	}
	text_append(out, is_colored ? "\033[m\n" : "\n");
}

static void print_side(const struct aligned_side *side, char letter, const struct annotate_diff_view *view,
		       struct text *out)
{
	text_format(out, "# %c: ", letter);
	text_append_escaped(out, side->label);
	text_format(out, ", %zu run%s: ", side->run_count, side->run_count == 1 ? "" : "s");
	if (!side->item) {
		text_append(out, "no sample fell into it\n");
		return;
	}
	text_append_escaped(out, side->function->shown);
	text_append(out, " in ");
	text_append_escaped(out, side->item->object);
	text_format(out, ", %llu bytes, %.0f samples, %.2f", (unsigned long long)(side->function->end - side->function->start),
		    side->total.samples, side->total.mean * view->scale);
	append_interval(&side->total.interval, view->scale, "", out);
	text_append_char(out, '\n');
}

static void print_head(const struct annotation_diff *diff, const struct annotate_diff_view *view, struct text *out)
{
	text_append(out, "# Aligned disassembly for ");
	text_append_escaped(out, view->event);
	text_format(out, ", in %s a run; 95 %% intervals\n", view->unit);
	print_side(&diff->sides[0], 'A', view, out);
	print_side(&diff->sides[1], 'B', view, out);
	text_format(out, "# B - A: %+.2f", diff->difference * view->scale);
	append_interval(&diff->difference_interval, view->scale, "+", out);
	text_format(out, "\n# paired by: %s; instructions: %zu the same, %zu changed (~), %zu removed (-), %zu added (+)\n",
		    pair_rule_text(diff->rule), diff->kinds[ALIGNED_SAME], diff->kinds[ALIGNED_CHANGED],
		    diff->kinds[ALIGNED_REMOVED], diff->kinds[ALIGNED_ADDED]);
	text_append(out, "# * the instruction's cost changed, 5 % of the marked ones in error at most; . no sample\n#\n");
	text_format(out, "%9s%*s%9s%*s%9s%*s %*s %*s\n", "A", INTERVAL_WIDTH, "", "B", INTERVAL_WIDTH, "", "B - A",
		    INTERVAL_WIDTH, "", ADDRESS_WIDTH, "in A", ADDRESS_WIDTH, "in B");
}

void annotate_diff_text(const struct annotation_diff *diff, const struct annotate_diff_view *view, struct text *out)
{
	print_head(diff, view, out);
	for (size_t i = 0; i < diff->count; i++)
		print_row(&diff->rows[i], view, out);
}

static json_t *name_json(const char *name)
{
	auto_text struct text clean = { 0 };
	json_t *made = name ? json_string(name) : json_null();

	if (made)
		return made;
	text_append_escaped(&clean, name);
	return json_string(clean.bytes);
}

static json_t *number_json(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *interval_json(const struct interval *interval)
{
	return json_pack("[o, o]", number_json(interval->low), number_json(interval->high));
}

static json_t *cost_json(const struct aligned_cost *cost)
{
	return json_pack("{s:o, s:o, s:o}", "events", number_json(cost->mean), "samples", number_json(cost->samples),
			 "interval", interval_json(&cost->interval));
}

static json_t *instruction_json(const struct instruction *instruction, const struct aligned_cost *cost)
{
	if (!instruction)
		return json_null();
	return json_pack("{s:I, s:o, s:o}", "address", (json_int_t)instruction->address, "text",
			 name_json(instruction->text), "cost", cost_json(cost));
}

static json_t *side_json(const struct aligned_side *side)
{
	return json_pack("{s:o, s:I, s:o, s:o, s:o}", "label", name_json(side->label), "runs", (json_int_t)side->run_count,
			 "function", name_json(side->function ? side->function->shown : NULL), "object",
			 name_json(side->item ? side->item->object : NULL), "cost", cost_json(&side->total));
}

json_t *annotate_diff_json(const struct annotation_diff *diff, const struct annotate_diff_view *view)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < diff->count; i++) {
		const struct aligned_row *row = &diff->rows[i];

		json_array_append_new(rows, json_pack("{s:s, s:o, s:o, s:o, s:o, s:b}", "kind", kind_words[row->kind], "a",
						      instruction_json(row->sides[0], &row->costs[0]), "b",
						      instruction_json(row->sides[1], &row->costs[1]), "difference",
						      number_json(row->difference), "interval",
						      interval_json(&row->difference_interval), "marked", row->marked));
	}
	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "event", name_json(view->event), "paired_by",
			 pair_rule_text(diff->rule), "a", side_json(&diff->sides[0]), "b", side_json(&diff->sides[1]),
			 "difference", number_json(diff->difference), "interval", interval_json(&diff->difference_interval),
			 "rows", rows);
}
