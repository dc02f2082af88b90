/* A differential flame graph: after above before, each as wide as it cost, coloured by the change. */
#ifndef OUTPUT_FLAME_DIFF_SVG_H
#define OUTPUT_FLAME_DIFF_SVG_H

#include <stdbool.h>

#include "base/text.h"
#include "profile/flame_diff.h"

struct flame_diff_picture {
	const struct flame_diff *diff;
	const char *labels[2]; /* of before and after */
	const char *event;
	bool hits;             /* as wide as samples, not as events */
};

/* The <svg> element. Both halves have one scale, so what costs more is wider. Red grew, blue shrank, grey is not more
 * than sampling noise. */
void flame_diff_svg_draw(const struct flame_diff_picture *picture, struct text *out);

#endif
