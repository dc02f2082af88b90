/* The diff browser. */
#include "tui/diff_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tui/aligned_view.h"
#include "tui/list.h"
#include "tui/text_view.h"

struct diff_list {
	struct list list;
	const struct diff_list_item *items;
	size_t item_count, current;
	char *heads;              /* the column heads, as the text form has them */
	size_t *order;            /* [list.count] rows shown */
	const char *object;       /* the only one shown; NULL: all */
	bool is_all;              /* rows below the limit too */
};

static struct diff_list *diff_of(struct list *list)
{
	return (struct diff_list *)list;
}

static const struct diff_view *view_of(const struct diff_list *diff)
{
	return diff->items[diff->current].view;
}

static const struct diff_row *row_at(const struct diff_list *diff, size_t number)
{
	const struct diff_row *rows;

	diff_rows(view_of(diff)->diff, &rows);
	return &rows[diff->order[number]];
}

/* What a printing function prints; the caller frees. */
static char *printed(const struct diff_view *view, const struct diff_row *row,
		     void (*print)(const struct diff_view *, FILE *))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return memory_strdup("");
	if (row)
		diff_print_row(view, row, out);
	else
		print(view, out);
	fclose(out);
	if (size && text[size - 1] == '\n')
		text[size - 1] = '\0';
	return text;
}

static bool is_shown(const struct diff_list *diff, const struct diff_row *row)
{
	const struct diff_view *view = view_of(diff);

	if (view->baseline_only && row->pair->rule == PAIR_NEW)
		return false;
	if (diff->object && strcmp(diff_row_item(view->diff, row)->object, diff->object))
		return false;
	return diff->is_all || !diff_row_hidden(view, row);
}

static void gather_rows(struct diff_list *diff)
{
	const struct diff_row *rows;
	size_t count = diff_rows(view_of(diff)->diff, &rows), shown = 0;

	free(diff->order);
	diff->order = diff_view_order(view_of(diff));
	for (size_t i = 0; i < count; i++)
		if (is_shown(diff, &rows[diff->order[i]]))
			diff->order[shown++] = diff->order[i];
	diff->list.count = shown;
	list_select(&diff->list, 0);
}

static void show_view(struct diff_list *diff, size_t number)
{
	auto_free char *head = NULL;
	const char *last;

	diff->current = number;
	diff->object = NULL;
	head = printed(view_of(diff), NULL, diff_print_head);
	last = strrchr(head, '\n');
	free(diff->heads);
	diff->heads = memory_strdup(last ? last + 1 : head);
	if (diff->heads[0] == '#')
		diff->heads[0] = ' ';
	gather_rows(diff);
}

static void append_ratio(const struct diff_view *view, struct text *out)
{
	const struct diff_totals *totals = diff_totals(view->diff);

	if (totals->a > 0)
		text_format(out, "  B/A %.3fx", totals->b / totals->a);
	text_format(out, "  %zu of %zu changed", totals->marked, totals->tested);
}

static void diff_heads(struct list *list, const struct screen *screen, struct line *title, struct line *columns)
{
	const struct diff_list *diff = diff_of(list);
	const struct diff_view *view = view_of(diff);

	(void)screen;
	if (diff->item_count > 1)
		text_format(&title->text, "%zu/%zu ", diff->current + 1, diff->item_count);
	text_append_escaped(&title->text, view->event);
	text_append(&title->text, view->inclusive ? ", with callees" : "");
	append_ratio(view, &title->text);
	text_append(&title->text, "  A: ");
	text_append_escaped(&title->text, diff_side(view->diff, 0)->label);
	text_append(&title->text, "  B: ");
	text_append_escaped(&title->text, diff_side(view->diff, 1)->label);
	if (diff->object) {
		text_append(&title->text, "  Object: ");
		text_append_escaped(&title->text, diff->object);
	}
	text_append(&columns->text, diff->heads);
}

static void diff_line(struct list *list, const struct screen *screen, size_t number, struct line *ret)
{
	const struct diff_list *diff = diff_of(list);
	const struct diff_row *row = row_at(diff, number);
	struct diff_view view = *view_of(diff);
	auto_free char *text = NULL;

	(void)screen;
	view.color = view.formula = false;
	text = printed(&view, row, NULL);
	text_append(&ret->text, text);
	line_mark(ret, !row->marked ? ROLE_NORMAL : row->difference > 0 ? ROLE_HOT : ROLE_WARM);
}

/* "NaN" says less than nothing. */
static void append_interval(struct text *out, const char *what, double value, const struct interval *interval)
{
	if (isnan(value) || isinf(value))
		return;
	text_format(out, "%-22s %.4g", what, value);
	if (!isnan(interval->low))
		text_format(out, "  95 %% [%.4g, %.4g]", interval->low, interval->high);
	text_append_char(out, '\n');
}

static void append_item(struct text *out, const char *side, const struct pair_item *item)
{
	if (!item)
		return;
	text_format(out, "\n%s\n  function            ", side);
	text_append_escaped(out, item->shown ? item->shown : item->name ? item->name : "(no symbol)");
	text_append(out, "\n  symbol              ");
	text_append_escaped(out, item->name ? item->name : "-");
	text_append(out, "\n  object              ");
	text_append_escaped(out, item->object);
	text_append(out, "\n  build id            ");
	text_append_escaped(out, item->build_id ? item->build_id : "unknown");
	text_append(out, "\n  declared in         ");
	text_append_escaped(out, item->file ? item->file : "unknown");
	text_format(out, "\n  address             %#llx, %llu bytes\n", (unsigned long long)item->start,
		    (unsigned long long)item->size);
}

static char *details(const struct diff_view *view, const struct diff_row *row)
{
	static const char *const codes[] = { [CODE_UNKNOWN] = "not compared", [CODE_IDENTICAL] = "the same",
					     [CODE_CHANGED] = "changed" };
	const struct pair *pair = row->pair;
	struct text out = { 0 };

	text_format(&out, "%-22s %.6g events a run, %.0f samples, %.2f %%\n", "A", row->a, row->a_samples,
		    100 * row->a_share);
	text_format(&out, "%-22s %.6g events a run, %.0f samples, %.2f %%\n", "B", row->b, row->b_samples,
		    100 * row->b_share);
	append_interval(&out, "B - A", row->difference, &row->difference_interval);
	append_interval(&out, "B/A", row->ratio, &row->ratio_interval);
	if (isnan(row->q))
		text_format(&out, "%-22s %s\n", "test", "not tested: too few samples");
	else
		text_format(&out, "%-22s p %.3g, q %.3g: %s\n", "test", row->p, row->q,
			    row->marked ? "changed" : "no change shown");
	if (row->samples_needed > 0)
		text_format(&out, "%-22s about %.0f a side\n", "samples to settle it", row->samples_needed);
	text_format(&out, "%-22s %s\n", "paired by", pair_rule_text(pair->rule));
	text_format(&out, "%-22s %s\n", "machine code", codes[pair->code]);
	append_item(&out, "A", pair->a_count ? &diff_side(view->diff, 0)->items[pair->a[0]] : NULL);
	append_item(&out, "B", pair->b_count ? &diff_side(view->diff, 1)->items[pair->b[0]] : NULL);
	return text_steal(&out);
}

static void show_details(const struct diff_list *diff, struct tui *tui)
{
	const struct diff_row *row = row_at(diff, diff->list.selected);
	const struct pair_item *item = diff_row_item(view_of(diff)->diff, row);
	struct text title = { 0 };

	text_append_escaped(&title, item->shown ? item->shown : item->name ? item->name : item->object);
	tui_push(tui, text_view_create(text_steal(&title), details(view_of(diff), row)));
}

/* The row's function in both builds, instruction by instruction. */
static void align(const struct diff_list *diff, struct tui *tui)
{
	const struct diff_list_item *item = &diff->items[diff->current];
	const struct annotation_diff_setup setup = {
		.sides = { item->sides[0], item->sides[1] }, .events = { item->events[0], item->events[1] },
		.pair = row_at(diff, diff->list.selected)->pair, .diff = *item->setup,
	};
	struct annotation_diff *aligned;
	cleanup(error_guard) struct error *err = annotation_diff_create(&setup, &aligned);
	auto_text struct text shown = { 0 };

	if (!err) {
		tui_push(tui, aligned_view_create(aligned, item->view));
		return;
	}
	text_append_escaped(&shown, error_message(err));
	tui_say(tui, "%s", shown.bytes);
}

static void show_notes(const struct diff_list *diff, struct tui *tui)
{
	auto_free char *head = printed(view_of(diff), NULL, diff_print_head);
	auto_free char *foot = printed(view_of(diff), NULL, diff_print_foot);
	char *last = strrchr(head, '\n');

	if (last)
		*last = '\0';
	tui_push(tui, text_view_create(memory_strdup("What is compared, and how far to trust it"),
				       memory_format("%s\n%s", head, foot)));
}

static void filter_object(struct diff_list *diff)
{
	diff->object = diff->object || !diff->list.count ? NULL :
		       diff_row_item(view_of(diff)->diff, row_at(diff, diff->list.selected))->object;
	gather_rows(diff);
}

static bool diff_act(struct list *list, enum request request, struct tui *tui)
{
	struct diff_list *diff = diff_of(list);

	switch (request) {
	case REQUEST_OPEN:
	case REQUEST_ANNOTATE:
		if (list->count)
			align(diff, tui);
		return true;
	case REQUEST_DETAILS:
		if (list->count)
			show_details(diff, tui);
		return true;
	case REQUEST_NOTES:
		show_notes(diff, tui);
		return true;
	case REQUEST_NEXT_EVENT:
		show_view(diff, (diff->current + 1) % diff->item_count);
		return true;
	case REQUEST_FILTER_OBJECT:
		filter_object(diff);
		return true;
	case REQUEST_EXPAND_ALL:
	case REQUEST_COLLAPSE_ALL:
		diff->is_all = request == REQUEST_EXPAND_ALL;
		gather_rows(diff);
		return true;
	default:
		return false;
	}
}

static void diff_destroy_list(struct list *list)
{
	struct diff_list *diff = diff_of(list);

	free(diff->heads);
	free(diff->order);
	free(diff);
}

static const struct list_class diff_lines = { diff_heads, diff_line, diff_act, diff_destroy_list,
					      "no function stands above the limit: E shows all" };
static const struct view_class diff_class = LIST_VIEW_CLASS("q:back  Enter:code  v:details  i:notes  E:all rows  /:search");

struct view *diff_list_create(const struct diff_list_item *items, size_t count)
{
	struct diff_list *diff = memory_zeroed(1, sizeof(*diff));

	diff->list.view.class = &diff_class;
	diff->list.class = &diff_lines;
	diff->items = items;
	diff->item_count = count;
	show_view(diff, 0);
	return &diff->list.view;
}
