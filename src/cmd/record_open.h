/* Opening a recorder: on a machine without a PMU a clock stands in for cycles. */
#ifndef CMD_RECORD_OPEN_H
#define CMD_RECORD_OPEN_H

#include "capture/recorder.h"

/* What is sampled when nothing else is asked for, and instead of it where it cannot be had. */
extern const char record_default_event[], record_clock_event[];

/* setup->events is *events. default_event: nobody asked for it; when it is not there, *events is replaced by the
 * clock, and a note says so. Errors: those of recorder_open(). */
must_use struct error *record_open(struct recorder_setup *setup, struct event_list **events, bool default_event,
				   struct recorder **ret);

#endif
