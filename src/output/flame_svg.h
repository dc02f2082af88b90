/* Frames of flame graphs as SVG, with the style and script that one file needs. */
#ifndef OUTPUT_FLAME_SVG_H
#define OUTPUT_FLAME_SVG_H

#include <stdint.h>

#include "base/text.h"
#include "profile/flame_tree.h"

enum { FLAME_WIDTH = 1200, FLAME_MARGIN = 10, FLAME_ROW = 17, FLAME_HEAD = 40, FLAME_FOOT = 25, FLAME_ROWS_MAX = 2000 };

#define FLAME_LEAST_WIDTH 0.1 /* pixels; narrower frames are left out, and those above them */

/* One frame; start and share: of the whole width, 0..1. All borrowed. */
struct flame_frame {
	const char *name, *figures; /* figures: what the title says behind the name, no markup in it */
	const char *color;
	double start, share;
	uint32_t depth, y, panel;   /* a click zooms its panel */
};

/* A tree being drawn: from the root up, siblings from left to right. */
struct flame_walk {
	const struct flame_tree *tree;
	double (*weight)(const void *data, uint32_t node);
	void (*draw)(const void *data, uint32_t node, double start, double share);
	const void *data;
	double whole;  /* weight of the whole width; above 0 */
	uint32_t rows; /* deeper nodes are left out */
};

/* Were there deeper ones? */
bool flame_svg_walk(const struct flame_walk *walk);
/* How many rows a tree is drawn with. */
uint32_t flame_svg_rows(const struct flame_tree *tree);

/* The <svg> element, without a head for XML. */
void flame_svg_begin(uint32_t height, struct text *out);
void flame_svg_frame(const struct flame_frame *frame, struct text *out);
void flame_svg_end(struct text *out);
/* Text with markup as entities and control characters escaped. */
void flame_svg_text(const char *name, struct text *out);
/* "rgb(…)": warm, and the same for a name in every picture. */
void flame_svg_warm(const char *name, struct text *out);

#endif
