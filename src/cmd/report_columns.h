/* From -s, -F, -n and -g to keys, columns and the form of the call graph. */
#ifndef CMD_REPORT_COLUMNS_H
#define CMD_REPORT_COLUMNS_H

#include "cmd/report.h"

/* Set keys and columns. Errors: ERROR_USAGE. */
must_use struct error *report_choose_columns(struct report *report);
/* Set the call graph's form from -g and -G. Errors: ERROR_USAGE. */
must_use struct error *report_choose_graph(struct report *report);

#endif
