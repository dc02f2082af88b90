/* Each jump target has a line over the rows from its first to its last jump; lines that overlap lie side by side. */
#include "output/jump_lanes.h"

#include <string.h>

#include "base/memory.h"

enum { UP = 1, DOWN = 2, RIGHT = 4 };
enum { END_NONE, END_SOURCE, END_TARGET };

struct jump {
	size_t from, to;
};

/* All jumps to one place. */
struct span {
	size_t first, last; /* rows */
	size_t jumps, count; /* in the jumps by target */
	size_t lane;
};

struct jump_lanes {
	unsigned char *cells; /* [rows][width]: UP, DOWN, RIGHT */
	unsigned char *ends;  /* [rows] */
	size_t width;
};

static int compare_jumps(const void *left, const void *right)
{
	const struct jump *a = left, *b = right;

	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static int compare_spans(const void *left, const void *right)
{
	const struct span *a = left, *b = right;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->last < b->last) - (a->last > b->last);
}

static size_t collect_jumps(const struct annotation *annotation, struct jump **ret)
{
	struct jump *jumps = memory_zeroed(annotation->count + 1, sizeof(*jumps));
	size_t count = 0;

	for (size_t i = 0; i < annotation->count; i++)
		if (annotation->items[i].jump != SIZE_MAX)
			jumps[count++] = (struct jump){ i, annotation->items[i].jump };
	qsort(jumps, count, sizeof(*jumps), compare_jumps);
	*ret = jumps;
	return count;
}

static size_t collect_spans(const struct jump *jumps, size_t jump_count, struct span *spans)
{
	size_t count = 0;

	for (size_t i = 0; i < jump_count; i++) {
		struct span *span = count ? &spans[count - 1] : NULL;

		if (!i || jumps[i].to != jumps[i - 1].to) {
			span = &spans[count++];
			*span = (struct span){ jumps[i].to, jumps[i].to, i, 0, 0 };
		}
		span->count++;
		if (jumps[i].from < span->first)
			span->first = jumps[i].from;
		if (jumps[i].from > span->last)
			span->last = jumps[i].from;
	}
	qsort(spans, count, sizeof(*spans), compare_spans);
	return count;
}

/* The leftmost line that is free: outer loops come first. Returns how many lines there are. */
static size_t choose_lanes(struct span *spans, size_t count, size_t limit)
{
	auto_free size_t *busy_until = memory_zeroed(limit, sizeof(*busy_until)); /* row + 1 */
	size_t width = 0;

	for (size_t i = 0; i < count; i++) {
		size_t lane = 0;

		while (lane < limit && busy_until[lane] > spans[i].first)
			lane++;
		spans[i].lane = lane;
		if (lane == limit)
			continue;
		busy_until[lane] = spans[i].last + 1;
		if (lane >= width)
			width = lane + 1;
	}
	return width;
}

static void mark_span(struct jump_lanes *lanes, const struct span *span, const struct jump *jumps)
{
	size_t target = jumps[span->jumps].to;

	for (size_t row = span->first; row <= span->last; row++)
		lanes->cells[row * lanes->width + span->lane] |=
			(row > span->first ? UP : 0) | (row < span->last ? DOWN : 0);
	for (size_t i = span->jumps; i < span->jumps + span->count; i++) {
		lanes->cells[jumps[i].from * lanes->width + span->lane] |= RIGHT;
		if (lanes->ends[jumps[i].from] == END_NONE)
			lanes->ends[jumps[i].from] = END_SOURCE;
	}
	lanes->cells[target * lanes->width + span->lane] |= RIGHT;
	lanes->ends[target] = END_TARGET;
}

struct jump_lanes *jump_lanes_create(const struct annotation *annotation, size_t limit)
{
	struct jump_lanes *lanes = memory_zeroed(1, sizeof(*lanes));
	auto_free struct jump *jumps = NULL;
	size_t jump_count = collect_jumps(annotation, &jumps);
	auto_free struct span *spans = memory_zeroed(jump_count + 1, sizeof(*spans));
	size_t span_count = collect_spans(jumps, jump_count, spans);

	lanes->width = choose_lanes(spans, span_count, limit);
	lanes->cells = memory_zeroed(annotation->count + 1, lanes->width + 1);
	lanes->ends = memory_zeroed(annotation->count + 1, 1);
	for (size_t i = 0; i < span_count; i++)
		if (spans[i].lane < limit)
			mark_span(lanes, &spans[i], jumps);
	return lanes;
}

void jump_lanes_destroy(struct jump_lanes *lanes)
{
	if (!lanes)
		return;
	free(lanes->cells);
	free(lanes->ends);
	free(lanes);
}

size_t jump_lanes_width(const struct jump_lanes *lanes)
{
	return lanes->width ? lanes->width + 1 : 0;
}

void jump_lanes_draw(const struct jump_lanes *lanes, size_t item, bool is_between, bool utf8, struct text *out)
{
	/* By UP, DOWN, RIGHT; 8: a line runs beneath. */
	static const char *const boxes[] = { " ", "╵", "╷", "│", "─", "└", "┌", "├", "─", "┴", "┬", "┼" };
	static const char *const plain[] = { " ", "|", "|", "|", "-", "+", "+", "+", "-", "+", "+", "+" };
	bool runs = false;

	for (size_t lane = 0; lane < lanes->width; lane++) {
		unsigned cell = lanes->cells[item * lanes->width + lane];

		if (is_between)
			cell = cell & UP ? UP | DOWN : 0;
		else if (runs)
			cell = 8 | (cell & (UP | DOWN));
		runs |= cell & RIGHT;
		text_append(out, (utf8 ? boxes : plain)[cell]);
	}
	if (!lanes->width)
		return;
	if (is_between || lanes->ends[item] == END_NONE)
		text_append_char(out, ' ');
	else if (lanes->ends[item] == END_TARGET)
		text_append_char(out, '>');
	else
		text_append(out, utf8 ? "─" : "-");
}
