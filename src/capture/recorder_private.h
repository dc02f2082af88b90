/* The recorder as its files see it. */
#ifndef CAPTURE_RECORDER_PRIVATE_H
#define CAPTURE_RECORDER_PRIVATE_H

#include "capture/hits.h"
#include "capture/recorder.h"
#include "capture/rings.h"
#include "measure/counters.h"
#include "perfdata/layout.h"
#include "perfdata/writer.h"

struct recorder {
	struct recorder_setup setup;
	struct event_list *side_events;   /* the dummy event, when the side band is separate */
	struct counters *counters, *side_counters;
	struct rings *rings;
	struct perfdata_writer *writer;
	struct hits *hits;
	struct sample_layout layout;      /* of all events */
	struct recorder_result result;
	uint64_t first_ns, last_ns;       /* of samples */
	char *straddling;                 /* a record that goes over a ring's end */
	uint64_t start_ns;                /* CLOCK_MONOTONIC */
	size_t window;                    /* next one to open or close */
	bool window_is_open;
	unsigned snapshots;
	bool stopped;
};

/* Take everything out of all rings. */
must_use struct error *recorder_drain(struct recorder *recorder);
/* event: SIZE_MAX for all. */
must_use struct error *recorder_switch(struct recorder *recorder, size_t event, bool on);
/* Do what control asks. */
must_use struct error *recorder_obey(struct recorder *recorder);

#endif
