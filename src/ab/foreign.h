/* Other load beside the runs of an experiment: what stands out among them, not what is always there. */
#ifndef AB_FOREIGN_H
#define AB_FOREIGN_H

#include "runs/runs.h"

/* Keep the flag foreign-load on those runs alone beside which others took clearly more CPU time than beside the rest:
 * above median + 3.5 MAD of the shares. Nothing is done where the file does not say how much they took. */
void foreign_judge(struct runs *runs);
/* CPUs busy with others' work beside the median run; NaN: unknown. */
double foreign_median(const struct runs *runs);

#endif
