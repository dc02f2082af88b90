/* A differential flame graph as SVG. */
#include "output/flame_diff_svg.h"

#include <math.h>

#include "base/memory.h"
#include "output/flame_svg.h"

enum { GAP = 30 };

struct drawing {
	const struct flame_diff_picture *picture;
	struct text *out;
	double whole;       /* the wider side's total */
	uint32_t rows, top; /* top: y of the half's upper edge */
	size_t side;
	bool is_cut;
};

static double weight(const struct drawing *drawing, const struct flame_diff_node *node, size_t side)
{
	const struct row_total *total = &node->total[side];

	return (double)(drawing->picture->hits ? total->samples : total->period);
}

/* Deeper the larger the ratio; four times and more is the deepest. */
static void append_color(const struct drawing *drawing, const struct flame_diff_node *node, struct text *out)
{
	double a = weight(drawing, node, 0), b = weight(drawing, node, 1);
	double depth = a > 0 && b > 0 ? fmin(fabs(log2(b / a)) / 2, 1) : 1;
	unsigned pale = (unsigned)(215 - 140 * depth);

	if (!(node->q <= FLAME_DIFF_ALPHA))
		text_append(out, "rgb(200,200,200)");
	else if (b > a)
		text_format(out, "rgb(255,%u,%u)", pale, pale);
	else
		text_format(out, "rgb(%u,%u,255)", pale, pale + 20);
}

static void append_figures(const struct flame_diff_node *node, struct text *out)
{
	uint64_t a = node->total[0].samples, b = node->total[1].samples;

	text_format(out, "%llu to %llu samples", (unsigned long long)a, (unsigned long long)b);
	if (node->total[0].period && node->total[1].period)
		text_format(out, ", %.3fx", (double)node->total[1].period / (double)node->total[0].period);
	if (isnan(node->q))
		text_append(out, ", too few to say");
	else
		text_format(out, node->q <= FLAME_DIFF_ALPHA ? ", changed, q %.2g" : ", no more than noise, q %.2g", node->q);
}

static void draw_frame(const struct drawing *drawing, const struct flame_diff_node *node, double start)
{
	auto_text struct text color = { 0 }, figures = { 0 };
	struct flame_frame frame = {
		.name = node->name, .start = start, .share = weight(drawing, node, drawing->side) / drawing->whole,
		.depth = node->depth, .y = drawing->top + (drawing->rows - node->depth) * FLAME_ROW,
		.panel = (uint32_t)drawing->side,
	};

	append_color(drawing, node, &color);
	append_figures(node, &figures);
	frame.color = color.bytes;
	frame.figures = figures.bytes;
	flame_svg_frame(&frame, drawing->out);
}

static void draw_half(struct drawing *drawing)
{
	const struct flame_diff *diff = drawing->picture->diff;
	auto_free double *starts = memory_zeroed(diff->count, sizeof(*starts));
	auto_free uint32_t *waiting = memory_zeroed(diff->count + 1, sizeof(*waiting));
	size_t count = 0;

	text_format(drawing->out, "<text x=\"%d\" y=\"%u\">%s: ", FLAME_MARGIN, drawing->top - 6,
		    drawing->side ? "after" : "before");
	flame_svg_text(drawing->picture->labels[drawing->side], drawing->out);
	text_format(drawing->out, ", %llu samples</text>\n",
		    (unsigned long long)diff->nodes[0].total[drawing->side].samples);
	waiting[count++] = 0;
	while (count) {
		const struct flame_diff_node *node = &diff->nodes[waiting[--count]];
		double start = starts[node - diff->nodes];

		draw_frame(drawing, node, start);
		for (uint32_t child = node->first_child; child; child = diff->nodes[child].next) {
			double share = weight(drawing, &diff->nodes[child], drawing->side) / drawing->whole;

			starts[child] = start;
			start += share;
			drawing->is_cut |= diff->nodes[child].depth > drawing->rows;
			if (share * FLAME_WIDTH >= FLAME_LEAST_WIDTH && diff->nodes[child].depth <= drawing->rows)
				waiting[count++] = child;
		}
	}
}

void flame_diff_svg_draw(const struct flame_diff_picture *picture, struct text *out)
{
	const struct flame_diff *diff = picture->diff;
	uint32_t rows = diff->depth < FLAME_ROWS_MAX ? diff->depth : FLAME_ROWS_MAX, half = (rows + 1) * FLAME_ROW;
	uint32_t height = FLAME_HEAD + 2 * (half + GAP) + FLAME_FOOT;
	struct drawing drawing = { .picture = picture, .out = out, .rows = rows };

	drawing.whole = fmax(weight(&drawing, &diff->nodes[0], 0), weight(&drawing, &diff->nodes[0], 1));
	if (!(drawing.whole > 0))
		drawing.whole = 1;
	flame_svg_begin(height, out);
	text_format(out, "<text x=\"%d\" y=\"24\">", FLAME_MARGIN);
	flame_svg_text(picture->event, out);
	text_format(out, ": %zu of %zu chains changed (q at most %g)</text>\n", diff->changed, diff->count, FLAME_DIFF_ALPHA);
	for (size_t i = 0; i < 2; i++) {
		drawing.side = 1 - i;
		drawing.top = FLAME_HEAD + GAP / 2 + (uint32_t)i * (half + GAP);
		draw_half(&drawing);
	}
	text_format(out, "<text x=\"%d\" y=\"%u\">red: grew; blue: shrank; grey: no more than sampling noise; click: zoom%s"
		    "</text>\n", FLAME_MARGIN, height - 8, drawing.is_cut ? "; chains deeper than the picture are cut" : "");
	flame_svg_end(out);
}
