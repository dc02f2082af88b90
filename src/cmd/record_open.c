/* Opening a recorder: on a machine without a PMU, as most virtual machines are, a clock samples as well as it can. */
#include "cmd/record_open.h"

#include "base/log.h"

const char record_default_event[] = "cycles:P", record_clock_event[] = "cpu-clock";

struct error *record_open(struct recorder_setup *setup, struct event_list **events, bool default_event,
			  struct recorder **ret)
{
	struct error *err = recorder_open(setup, ret);

	if (!err || !default_event || (error_kind(err) != ERROR_UNSUPPORTED && error_kind(err) != ERROR_NOT_FOUND))
		return err;
	log_note("sampling %s instead of cycles: %s", record_clock_event, error_message(err));
	error_destroy(err);
	event_list_destroy(*events);
	*events = event_list_create();
	setup->events = *events;
	err = event_list_add(*events, record_clock_event);
	return err ? err : recorder_open(setup, ret);
}
