/* The call graph under an entry, drawn as perf draws it. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/report.h"

enum { MARGIN = 12, LEVEL_WIDTH = 11, DEPTH_MAX = 256 };

/* One drawing under way. */
struct drawing {
	struct entries *entries;
	const struct report_view *view;
	const struct call_tree *tree;
	struct text *out;
	bool bars[DEPTH_MAX]; /* levels with a bar still to continue */
	size_t base;          /* columns before the first level */
	double whole;         /* of absolute percentages */
};

static void append_spaces(struct text *out, size_t count)
{
	while (count--)
		text_append_char(out, ' ');
}

static void append_place(const struct drawing *drawing, uint32_t number)
{
	const struct place *place = resolver_place_at(drawing->entries->resolver, number);

	if (!place->function) {
		text_format(drawing->out, "%#llx", (unsigned long long)place->address);
		return;
	}
	text_append_escaped(drawing->out, place_name(place));
	if (place->is_inlined)
		text_append(drawing->out, " (inlined)");
}

static void append_value(const struct drawing *drawing, const struct call_node *node, uint64_t of)
{
	double whole = drawing->view->graph == CALL_GRAPH_FRACTAL ? (double)of : drawing->whole;

	switch (drawing->view->value) {
	case CALL_VALUE_PERIOD:
		text_format(drawing->out, "%llu", (unsigned long long)node->total);
		return;
	case CALL_VALUE_COUNT:
		text_format(drawing->out, "%llu", (unsigned long long)node->samples);
		return;
	case CALL_VALUE_PERCENT:
		break;
	}
	text_format(drawing->out, "%.2f%%", whole > 0 ? 100.0 * (double)node->total / whole : 0.0);
}

/* What comes before level depth: bars of the levels above it. */
static void append_prefix(const struct drawing *drawing, size_t depth)
{
	append_spaces(drawing->out, drawing->base);
	for (size_t i = 0; i < depth; i++) {
		text_append_char(drawing->out, drawing->bars[i] ? '|' : ' ');
		append_spaces(drawing->out, LEVEL_WIDTH - 1);
	}
}

static uint64_t least_of(const struct drawing *drawing, const struct call_node *node)
{
	double share = drawing->view->graph_least / 100;

	if (drawing->view->graph == CALL_GRAPH_FRACTAL)
		return (uint64_t)ceil((double)(node->total - node->self) * share);
	return (uint64_t)(drawing->whole * share);
}

/* Places below a node as long as nothing branches off or ends there, each on its line. Returns the last. */
static uint32_t draw_run(const struct drawing *drawing, uint32_t node, size_t depth)
{
	const struct call_node *nodes = drawing->tree->nodes;

	while (nodes[node].first_child && !nodes[nodes[node].first_child].next && !nodes[node].ends) {
		node = nodes[node].first_child;
		append_prefix(drawing, depth);
		append_place(drawing, nodes[node].place);
		text_append_char(drawing->out, '\n');
	}
	return node;
}

static void draw_children(struct drawing *drawing, uint32_t node, size_t depth, uint64_t of);

static void draw_child(struct drawing *drawing, uint32_t child, size_t depth, bool is_last, uint64_t of)
{
	drawing->bars[depth] = true;
	append_prefix(drawing, depth + 1);
	text_append_char(drawing->out, '\n');
	append_prefix(drawing, depth);
	text_append(drawing->out, is_last ? " --" : "|--");
	drawing->bars[depth] = !is_last;
	append_value(drawing, &drawing->tree->nodes[child], of);
	text_append(drawing->out, "--");
	append_place(drawing, drawing->tree->nodes[child].place);
	text_append_char(drawing->out, '\n');

	uint32_t end = draw_run(drawing, child, depth + 1);

	draw_children(drawing, end, depth + 1, drawing->tree->nodes[end].total - drawing->tree->nodes[end].self);
}

static void draw_children(struct drawing *drawing, uint32_t node, size_t depth, uint64_t of)
{
	auto_free uint32_t *children = NULL;
	size_t count;

	if (depth >= DEPTH_MAX - 1)
		return;
	count = call_tree_children(drawing->tree, drawing->entries->resolver, node,
				   least_of(drawing, &drawing->tree->nodes[node]), &children);
	for (size_t i = 0; i < count; i++)
		draw_child(drawing, children[i], depth, i + 1 == count, of);
}

/* One chain that stands for the whole entry needs no percentage. */
static void draw_single(struct drawing *drawing, uint32_t first, uint64_t all)
{
	append_spaces(drawing->out, MARGIN);
	text_append(drawing->out, "|\n");
	append_spaces(drawing->out, MARGIN);
	text_append(drawing->out, "---");
	append_place(drawing, drawing->tree->nodes[first].place);
	text_append_char(drawing->out, '\n');
	drawing->base = MARGIN + 3;
	draw_children(drawing, draw_run(drawing, first, 0), 0, all);
}

static void draw_graph(struct drawing *drawing, uint64_t all)
{
	auto_free uint32_t *roots = NULL;
	size_t count = call_tree_children(drawing->tree, drawing->entries->resolver, 0,
					  least_of(drawing, &drawing->tree->nodes[0]), &roots);

	if (!count)
		return;
	if (count == 1 && drawing->tree->nodes[roots[0]].total == all)
		draw_single(drawing, roots[0], all);
	else
		draw_children(drawing, 0, 0, all);
	text_append_char(drawing->out, '\n');
}

static int compare_ends(const void *left, const void *right, void *data)
{
	const struct call_tree *tree = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (tree->nodes[a].self != tree->nodes[b].self)
		return tree->nodes[a].self > tree->nodes[b].self ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void append_path(const struct drawing *drawing, uint32_t node)
{
	uint32_t path[DEPTH_MAX * 4];
	size_t length = 0;

	for (; node && length < ARRAY_SIZE(path); node = drawing->tree->nodes[node].parent)
		path[length++] = node;
	while (length--) {
		if (drawing->view->graph == CALL_GRAPH_FLAT)
			append_spaces(drawing->out, MARGIN + 4);
		append_place(drawing, drawing->tree->nodes[path[length]].place);
		if (drawing->view->graph == CALL_GRAPH_FLAT || !length)
			text_append_char(drawing->out, '\n');
		else
			text_append_char(drawing->out, ';');
	}
}

static void draw_end(const struct drawing *drawing, uint32_t node)
{
	struct call_node shown = drawing->tree->nodes[node];
	bool flat = drawing->view->graph == CALL_GRAPH_FLAT;

	if (!flat) {
		shown.total = shown.self;
		shown.samples = shown.ends;
	}
	append_spaces(drawing->out, flat ? LEVEL_WIDTH : 0);
	append_value(drawing, &shown, 0);
	text_append_char(drawing->out, flat ? '\n' : ' ');
	append_path(drawing, node);
	if (flat)
		text_append_char(drawing->out, '\n');
}

/* Chains one under another, by what ends in them. */
static void draw_list(const struct drawing *drawing)
{
	struct call_tree *tree = (struct call_tree *)drawing->tree;
	uint64_t least = (uint64_t)(drawing->whole * (drawing->view->graph_least / 100));
	auto_free uint32_t *ends = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 1; i < tree->count; i++) {
		if (!tree->nodes[i].ends || tree->nodes[i].self < least)
			continue;
		array_grow(&ends, count, &capacity);
		ends[count++] = (uint32_t)i;
	}
	if (count)
		qsort_r(ends, count, sizeof(*ends), compare_ends, tree);
	for (size_t i = 0; i < count; i++)
		draw_end(drawing, ends[i]);
}

void report_call_graph(struct entries *entries, const struct report_view *view, size_t entry, struct text *out)
{
	const struct entry_total *total = entry_totals(entries, entry);
	uint64_t all = entries->setup->children ? total->children : total->period;
	struct drawing drawing = { .entries = entries, .view = view, .out = out, .base = MARGIN,
				   .whole = (double)report_whole(entries, view, 0) };

	/* Below the threshold nothing would be drawn. */
	if (!entries->items[entry].occurrences ||
	    (view->graph != CALL_GRAPH_FRACTAL && (double)all < floor(drawing.whole * view->graph_least / 100)))
		return;

	cleanup(call_tree_guard) struct call_tree *tree = call_tree_create(entries, entry);

	drawing.tree = tree;
	if (view->graph == CALL_GRAPH_FLAT || view->graph == CALL_GRAPH_FOLDED)
		draw_list(&drawing);
	else
		draw_graph(&drawing, all);
}
