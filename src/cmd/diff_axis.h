/* perfmini diff --axis: several recordings as one table with a column a value. */
#ifndef CMD_DIFF_AXIS_H
#define CMD_DIFF_AXIS_H

#include "cmd/diff_options.h"

/* Run compare, which fills command->kept, and print what it kept. Errors: ERROR_USAGE when --axis is no NAME=V,V… with
 * a number for each side; as compare. */
must_use struct error *diff_along_axis(struct diff_command *command,
				       struct error *(*compare)(struct diff_command *command));

#endif
