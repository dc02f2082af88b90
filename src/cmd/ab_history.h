/* How often the same builds were compared: repeating until it is significant finds something in noise. */
#ifndef CMD_AB_HISTORY_H
#define CMD_AB_HISTORY_H

#include <stdint.h>

#include "runs/runs.h"

/* Note that the first two arms are compared now, in $XDG_STATE_HOME/perfmini/comparisons (~/.local/state), and return
 * which comparison of the two it is today, from 1; 0 when it cannot be kept. Days end at midnight UTC. */
uint64_t ab_history_note(const struct runs *runs);

#endif
