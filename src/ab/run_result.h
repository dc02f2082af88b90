/* What the kernel says of a command that ended, kept in its run. */
#ifndef AB_RUN_RESULT_H
#define AB_RUN_RESULT_H

#include "measure/target.h"
#include "runs/runs.h"

/* Status, last CPU, times, memory, faults and switches; nothing else of run is touched. */
void run_keep_result(struct run *run, const struct command_result *result);

#endif
