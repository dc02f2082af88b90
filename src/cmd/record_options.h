/* The options of `perfmini record`, as given and as the recorder takes them. */
#ifndef CMD_RECORD_OPTIONS_H
#define CMD_RECORD_OPTIONS_H

#include "base/options.h"
#include "capture/recorder.h"

struct record_options {
	struct option_texts events;
	const char *frequency, *call_graph, *branches, *clock, *delay, *control, *pids, *tids, *cpus, *output;
	const char *ring;
	uint64_t period, timeout_ms, max_size;
	bool frame_pointers, any_branch, all_cpus, no_inherit, compress, sample_cpu, timestamp, sample_period;
	bool all_user, all_kernel, user_callchains, namespaces, switches, per_thread, strict_frequency;
	bool inherit, build_ids, cache, no_build_ids, no_cache, quiet;
	unsigned verbose;
};

extern const struct option record_option_table[];
extern const struct record_options record_defaults;

/* Errors: ERROR_USAGE. */
must_use struct error *record_sampling(const struct record_options *options, struct sampling *ret);
/* -D: "500", "-1", "10-20,30-40" in ms; the caller frees windows. none: no window. */
must_use struct error *record_windows(const char *delay, struct recorder_window **ret, size_t *count);
/* -m: pages, or bytes with a unit. 0: not given. */
must_use struct error *record_ring_bytes(const char *text, uint64_t *ret);
/* "12,34" into an array the caller frees. */
must_use struct error *record_pid_list(const char *text, const char *option, pid_t **ret, size_t *count);

#endif
