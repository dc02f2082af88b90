/* Jumps of a function as lines beside its instructions. */
#ifndef OUTPUT_JUMP_LANES_H
#define OUTPUT_JUMP_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "profile/annotation.h"

struct jump_lanes;

/* Jumps to one place share a line; those that find no room among `limit` lines are left out. */
struct jump_lanes *jump_lanes_create(const struct annotation *annotation, size_t limit);
/* Columns that a row takes; 0 without jumps. */
size_t jump_lanes_width(const struct jump_lanes *lanes);
/* The row of an instruction; is_between: of a line that stands before it, such as source. utf8: box characters. */
void jump_lanes_draw(const struct jump_lanes *lanes, size_t item, bool is_between, bool utf8, struct text *out);
void jump_lanes_destroy(struct jump_lanes *lanes);
DEFINE_GUARD(jump_lanes)

#endif
