/* A flame graph as one SVG file. */
#include "base/memory.h"
#include "output/export.h"
#include "output/flame_svg.h"

/* One flame graph being drawn. */
struct drawing {
	const struct export *exported;
	struct text *out;
	uint32_t rows;
};

static double weight(const void *data, uint32_t node)
{
	const struct drawing *drawing = data;

	return (double)export_weight(drawing->exported, &drawing->exported->tree->nodes[node].total);
}

static void draw_frame(const void *data, uint32_t number, double start, double share)
{
	const struct drawing *drawing = data;
	const struct flame_node *node = &drawing->exported->tree->nodes[number];
	auto_free char *figures = memory_format("%llu samples, %.2f %%", (unsigned long long)node->total.samples,
						100 * share);
	auto_text struct text color = { 0 };
	struct flame_frame frame = { node->name, figures, NULL, start, share, node->depth,
				     FLAME_HEAD + (drawing->rows - node->depth) * FLAME_ROW, 0 };

	flame_svg_warm(node->name, &color);
	frame.color = color.bytes;
	flame_svg_frame(&frame, drawing->out);
}

void flame_svg_draw(const struct export *exported, struct text *out)
{
	const struct flame_tree *tree = exported->tree;
	struct drawing drawing = { exported, out, flame_svg_rows(tree) };
	struct flame_walk walk = { tree, weight, draw_frame, &drawing, weight(&drawing, 0), drawing.rows };
	uint32_t height = FLAME_HEAD + (drawing.rows + 1) * FLAME_ROW + FLAME_FOOT;
	bool is_cut;

	if (!(walk.whole > 0))
		walk.whole = 1;
	flame_svg_begin(height, out);
	text_format(out, "<text x=\"%d\" y=\"24\">", FLAME_MARGIN);
	flame_svg_text(exported->command ? exported->command : "flame graph", out);
	text_append(out, " - ");
	flame_svg_text(exported->event, out);
	text_format(out, ", %llu samples</text>\n", (unsigned long long)tree->nodes[0].total.samples);
	is_cut = flame_svg_walk(&walk);
	text_format(out, "<text x=\"%d\" y=\"%u\">click: zoom%s</text>\n", FLAME_MARGIN, height - 8,
		    is_cut ? "; chains deeper than the picture are cut" : "");
	flame_svg_end(out);
}

void export_svg(const struct export *exported, struct text *out)
{
	text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	flame_svg_draw(exported, out);
}
