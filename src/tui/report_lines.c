/* Call trees are made when they are first opened; a run of callers without a branch is one step. */
#include "tui/report_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What is open of one entry. open[0]: its tree is shown at all. */
struct branch {
	struct call_tree *tree; /* NULL: never opened */
	bool *open;             /* [tree->count] */
};

void report_lines_init(struct report_lines *lines, struct entries *entries, const struct report_view *view)
{
	*lines = (struct report_lines){ .entries = entries, .view = view };
	lines->branches = memory_zeroed(entries->count + 1, sizeof(*lines->branches));
	report_lines_build(lines);
}

static struct report_line *add_line(struct report_lines *lines, uint32_t entry, uint32_t level)
{
	array_grow(&lines->items, lines->count, &lines->capacity);
	lines->items[lines->count] = (struct report_line){ .entry = entry, .level = level };
	return &lines->items[lines->count++];
}

static uint64_t least_of(const struct report_lines *lines, const struct call_node *node)
{
	double share = lines->view->graph_least / 100;

	if (lines->view->graph == CALL_GRAPH_FRACTAL)
		return (uint64_t)ceil((double)(node->total - node->self) * share);
	return (uint64_t)((double)report_whole(lines->entries, lines->view, 0) * share);
}

static bool goes_straight_on(const struct call_node *nodes, uint32_t node)
{
	return nodes[node].first_child && !nodes[nodes[node].first_child].next && !nodes[node].ends;
}

static void add_children(struct report_lines *lines, uint32_t entry, uint32_t node, uint32_t level);

/* A child, the run below it, and what is open at the run's end. */
static void add_child(struct report_lines *lines, uint32_t entry, uint32_t child, struct report_line line)
{
	const struct branch *branch = &lines->branches[entry];
	const struct call_node *nodes = branch->tree->nodes;
	uint32_t end = child;

	while (goes_straight_on(nodes, end))
		end = nodes[end].first_child;
	line.entry = entry;
	line.node = child;
	line.opens = end;
	line.has_children = nodes[end].first_child != 0;
	line.is_open = line.has_children && branch->open[end];
	*add_line(lines, entry, line.level) = line;
	for (uint32_t at = child; at != end; at = nodes[at].first_child) {
		struct report_line *more = add_line(lines, entry, line.level);

		more->node = nodes[at].first_child;
		more->opens = end;
		more->is_open = line.is_open;
	}
	if (line.is_open)
		add_children(lines, entry, end, line.level + 1);
}

static void add_children(struct report_lines *lines, uint32_t entry, uint32_t node, uint32_t level)
{
	const struct call_tree *tree = lines->branches[entry].tree;
	const struct call_node *parent = &tree->nodes[node];
	auto_free uint32_t *children = NULL;
	size_t count = call_tree_children(tree, lines->entries->resolver, node, least_of(lines, parent), &children);

	for (size_t i = 0; i < count; i++)
		add_child(lines, entry, children[i],
			  (struct report_line){ .level = level, .of = parent->total - parent->self,
						.is_branch = count > 1 || tree->nodes[children[i]].next ||
							     tree->nodes[node].first_child != children[i] });
}

void report_lines_build(struct report_lines *lines)
{
	struct entries *entries = lines->entries;

	lines->count = 0;
	for (size_t i = 0; i < entries->shown; i++) {
		uint32_t entry = entries->order[i];
		const struct branch *branch = &lines->branches[entry];

		if (report_share(entries, lines->view, entry) < lines->view->percent_limit)
			continue;

		struct report_line *line = add_line(lines, entry, 0);

		line->has_children = lines->view->graph != CALL_GRAPH_NONE && entries->items[entry].occurrences;
		line->is_open = branch->tree && branch->open[0];
		if (line->is_open)
			add_children(lines, entry, 0, 1);
	}
}

static struct branch *grown_branch(struct report_lines *lines, uint32_t entry)
{
	struct branch *branch = &lines->branches[entry];

	if (!branch->tree) {
		branch->tree = call_tree_create(lines->entries, entry);
		branch->open = memory_zeroed(branch->tree->count, sizeof(*branch->open));
	}
	return branch;
}

void report_lines_open(struct report_lines *lines, size_t line, bool open)
{
	const struct report_line *at = &lines->items[line];

	if (at->has_children || at->node)
		grown_branch(lines, at->entry)->open[at->opens] = open;
}

void report_lines_open_all(struct report_lines *lines, size_t line)
{
	uint32_t entry = lines->items[line].entry;

	if (lines->view->graph == CALL_GRAPH_NONE || !lines->entries->items[entry].occurrences)
		return;

	struct branch *branch = grown_branch(lines, entry);

	memset(branch->open, true, branch->tree->count * sizeof(*branch->open));
}

void report_lines_close_all(struct report_lines *lines)
{
	for (size_t i = 0; i < lines->entries->count; i++)
		if (lines->branches[i].tree)
			memset(lines->branches[i].open, false,
			       lines->branches[i].tree->count * sizeof(*lines->branches[i].open));
}

size_t report_lines_parent(const struct report_lines *lines, size_t line)
{
	uint32_t level = lines->items[line].level;

	while (line && level && lines->items[line].level >= level)
		line--;
	return line;
}

const struct call_node *report_lines_node(const struct report_lines *lines, const struct report_line *line)
{
	return line->node ? &lines->branches[line->entry].tree->nodes[line->node] : NULL;
}

void report_lines_release(struct report_lines *lines)
{
	for (size_t i = 0; lines->entries && i < lines->entries->count; i++) {
		call_tree_destroy(lines->branches[i].tree);
		free(lines->branches[i].open);
	}
	free(lines->branches);
	free(lines->items);
	*lines = (struct report_lines){ 0 };
}
