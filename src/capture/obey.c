/* What control asks of a running recording. */
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/control.h"
#include "capture/recorder_private.h"

static size_t find_event(const struct recorder *recorder, const char *name)
{
	for (size_t i = 0; i < event_list_count(recorder->setup.events); i++) {
		if (!strcmp(event_list_at(recorder->setup.events, i)->name, name))
			return i;
	}
	return SIZE_MAX;
}

static struct error *switch_events(struct recorder *recorder, const char *name, bool on)
{
	size_t event = name ? find_event(recorder, name) : SIZE_MAX;

	if (name && event == SIZE_MAX) {
		log_warning("--control: no event '%s'", name);
		return NULL;
	}
	return recorder_switch(recorder, event, on);
}

static void list_events(const struct recorder *recorder, struct text *answer)
{
	for (size_t i = 0; i < event_list_count(recorder->setup.events); i++)
		text_format(answer, "%s\n", event_list_at(recorder->setup.events, i)->name);
}

/* Samples go, what tells of tasks and mappings stays. */
static struct error *clear(struct recorder *recorder)
{
	struct error *err = recorder_drain(recorder);

	if (!err)
		err = perfdata_drop_samples(recorder->writer);
	if (err && error_kind(err) == ERROR_UNSUPPORTED) {
		log_warning("--control: %s", error_message(err));
		error_destroy(err);
		return NULL;
	}
	recorder->result.samples = 0;
	recorder->first_ns = recorder->last_ns = 0;
	return err;
}

static struct error *snapshot(struct recorder *recorder)
{
	auto_free char *path = memory_format("%s.%u", recorder->setup.output, recorder->snapshots + 1);
	struct error *err = recorder_drain(recorder);

	if (!err)
		err = perfdata_save_copy(recorder->writer, path);
	if (err && error_kind(err) == ERROR_UNSUPPORTED) {
		log_warning("--control: %s", error_message(err));
		error_destroy(err);
		return NULL;
	}
	recorder->snapshots += !err;
	return err;
}

static struct error *obey(struct recorder *recorder, const struct control_command *command, struct text *answer)
{
	switch (command->verb) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		return switch_events(recorder, command->argument, command->verb == CONTROL_ENABLE);
	case CONTROL_CLEAR:
		return clear(recorder);
	case CONTROL_SNAPSHOT:
		return snapshot(recorder);
	case CONTROL_EVENTS:
		list_events(recorder, answer);
		return NULL;
	case CONTROL_STOP:
		recorder->stopped = true;
		return NULL;
	case CONTROL_PING:
		return NULL;
	}
	return NULL;
}

struct error *recorder_obey(struct recorder *recorder)
{
	struct control_command command;

	control_read(recorder->setup.control);
	while (control_next(recorder->setup.control, &command)) {
		auto_text struct text answer = { 0 };
		struct error *err = obey(recorder, &command, &answer);

		if (err)
			return err;
		control_acknowledge(recorder->setup.control, answer.bytes ? answer.bytes : "");
	}
	return NULL;
}
