/* A differential flame graph as SVG. */
#include "output/flame_diff_svg.h"

#include <math.h>

#include "base/memory.h"
#include "output/flame_svg.h"

enum { GAP = 30 };

struct drawing {
	const struct flame_diff_picture *picture;
	struct text *out;
	uint32_t rows, top; /* top: y of the half's upper edge */
	size_t side;
};

static double weight_of(const struct flame_diff_picture *picture, const struct flame_change *change, size_t side)
{
	return (double)(picture->hits ? change->total[side].samples : change->total[side].period);
}

static double weight(const void *data, uint32_t node)
{
	const struct drawing *drawing = data;

	return weight_of(drawing->picture, &drawing->picture->diff->changes[node], drawing->side);
}

/* Deeper the larger the ratio; four times and more is the deepest. */
static void append_color(const struct flame_diff_picture *picture, const struct flame_change *change, struct text *out)
{
	double a = weight_of(picture, change, 0), b = weight_of(picture, change, 1);
	double depth = a > 0 && b > 0 ? fmin(fabs(log2(b / a)) / 2, 1) : 1;
	unsigned pale = (unsigned)(215 - 140 * depth);

	if (!(change->q <= FLAME_DIFF_ALPHA))
		text_append(out, "rgb(200,200,200)");
	else if (b > a)
		text_format(out, "rgb(255,%u,%u)", pale, pale);
	else
		text_format(out, "rgb(%u,%u,255)", pale, pale + 20);
}

static void append_figures(const struct flame_change *change, struct text *out)
{
	const struct row_total *a = &change->total[0], *b = &change->total[1];

	text_format(out, "%llu to %llu samples", (unsigned long long)a->samples, (unsigned long long)b->samples);
	if (a->period && b->period)
		text_format(out, ", %.3fx", (double)b->period / (double)a->period);
	if (isnan(change->q))
		text_append(out, ", too few to say");
	else
		text_format(out, change->q <= FLAME_DIFF_ALPHA ? ", changed, q %.2g" : ", no more than noise, q %.2g",
			    change->q);
}

static void draw_frame(const void *data, uint32_t number, double start, double share)
{
	const struct drawing *drawing = data;
	const struct flame_node *node = &drawing->picture->diff->tree->nodes[number];
	const struct flame_change *change = &drawing->picture->diff->changes[number];
	auto_text struct text color = { 0 }, figures = { 0 };
	struct flame_frame frame = { .name = node->name, .start = start, .share = share, .depth = node->depth,
				     .y = drawing->top + (drawing->rows - node->depth) * FLAME_ROW,
				     .panel = (uint32_t)drawing->side };

	append_color(drawing->picture, change, &color);
	append_figures(change, &figures);
	frame.color = color.bytes;
	frame.figures = figures.bytes;
	flame_svg_frame(&frame, drawing->out);
}

/* Were chains cut? */
static bool draw_half(const struct drawing *drawing, double whole)
{
	const struct flame_diff *diff = drawing->picture->diff;
	struct flame_walk walk = { diff->tree, weight, draw_frame, drawing, whole, drawing->rows };

	text_format(drawing->out, "<text x=\"%d\" y=\"%u\">%s: ", FLAME_MARGIN, drawing->top - 6,
		    drawing->side ? "after" : "before");
	flame_svg_text(drawing->picture->labels[drawing->side], drawing->out);
	text_format(drawing->out, ", %llu samples</text>\n",
		    (unsigned long long)diff->changes[0].total[drawing->side].samples);
	return flame_svg_walk(&walk);
}

void flame_diff_svg_draw(const struct flame_diff_picture *picture, struct text *out)
{
	const struct flame_diff *diff = picture->diff;
	uint32_t rows = flame_svg_rows(diff->tree), half = (rows + 1) * FLAME_ROW;
	uint32_t height = FLAME_HEAD + 2 * (half + GAP) + FLAME_FOOT;
	struct drawing drawing = { .picture = picture, .out = out, .rows = rows };
	double whole = fmax(weight_of(picture, diff->changes, 0), weight_of(picture, diff->changes, 1));
	bool is_cut = false;

	flame_svg_begin(height, out);
	text_format(out, "<text x=\"%d\" y=\"24\">", FLAME_MARGIN);
	flame_svg_text(picture->event, out);
	text_format(out, ": %zu of %zu chains changed (q at most %g)</text>\n", diff->changed, diff->tree->count,
		    FLAME_DIFF_ALPHA);
	for (uint32_t i = 0; i < 2; i++) {
		drawing.side = 1 - i;
		drawing.top = FLAME_HEAD + GAP / 2 + i * (half + GAP);
		is_cut |= draw_half(&drawing, whole > 0 ? whole : 1);
	}
	text_format(out, "<text x=\"%d\" y=\"%u\">red: grew; blue: shrank; grey: no more than sampling noise; click: zoom%s"
		    "</text>\n", FLAME_MARGIN, height - 8, is_cut ? "; chains deeper than the picture are cut" : "");
	flame_svg_end(out);
}
