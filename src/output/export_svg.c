/* A flame graph as one SVG file. */
#include "base/memory.h"
#include "output/export.h"
#include "output/flame_svg.h"

/* One flame graph being drawn. */
struct drawing {
	const struct export *exported;
	struct text *out;
	double whole;
	uint32_t rows;
	bool is_cut; /* chains deeper than the picture */
};

static void draw_frame(const struct drawing *drawing, const struct flame_node *node, double start)
{
	double share = (double)export_weight(drawing->exported, &node->total) / drawing->whole;
	auto_free char *figures = memory_format("%llu samples, %.2f %%", (unsigned long long)node->total.samples,
						100 * share);
	auto_text struct text color = { 0 };
	struct flame_frame frame = { node->name, figures, NULL, start, share, node->depth,
				     FLAME_HEAD + (drawing->rows - node->depth) * FLAME_ROW, 0 };

	flame_svg_warm(node->name, &color);
	frame.color = color.bytes;
	flame_svg_frame(&frame, drawing->out);
}

/* Each node after its parent, siblings from left to right; no recursion, chains may be deep. */
static void draw_frames(struct drawing *drawing)
{
	const struct flame_tree *tree = drawing->exported->tree;
	auto_free double *starts = memory_zeroed(tree->count, sizeof(*starts));
	auto_free uint32_t *waiting = memory_zeroed(tree->count + 1, sizeof(*waiting));
	size_t count = 0;

	waiting[count++] = 0;
	while (count) {
		const struct flame_node *node = &tree->nodes[waiting[--count]];
		double start = starts[node - tree->nodes];

		draw_frame(drawing, node, start);
		for (uint32_t child = node->first_child; child; child = tree->nodes[child].next) {
			double share = (double)export_weight(drawing->exported, &tree->nodes[child].total) / drawing->whole;

			starts[child] = start;
			start += share;
			drawing->is_cut |= tree->nodes[child].depth > drawing->rows;
			if (share * FLAME_WIDTH >= FLAME_LEAST_WIDTH && tree->nodes[child].depth <= drawing->rows)
				waiting[count++] = child;
		}
	}
}

void flame_svg_draw(const struct export *exported, struct text *out)
{
	const struct flame_tree *tree = exported->tree;
	struct drawing drawing = { exported, out, (double)export_weight(exported, &tree->nodes[0].total),
				   tree->depth < FLAME_ROWS_MAX ? tree->depth : FLAME_ROWS_MAX, false };
	uint32_t height = FLAME_HEAD + (drawing.rows + 1) * FLAME_ROW + FLAME_FOOT;

	if (!(drawing.whole > 0))
		drawing.whole = 1;
	flame_svg_begin(height, out);
	text_format(out, "<text x=\"%d\" y=\"24\">", FLAME_MARGIN);
	flame_svg_text(exported->command ? exported->command : "flame graph", out);
	text_append(out, " - ");
	flame_svg_text(exported->event, out);
	text_format(out, ", %llu samples</text>\n", (unsigned long long)tree->nodes[0].total.samples);
	draw_frames(&drawing);
	text_format(out, "<text x=\"%d\" y=\"%u\">click: zoom%s</text>\n", FLAME_MARGIN, height - 8,
		    drawing.is_cut ? "; chains deeper than the picture are cut" : "");
	flame_svg_end(out);
}

void export_svg(const struct export *exported, struct text *out)
{
	text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	flame_svg_draw(exported, out);
}
