/* How events are sampled: what the recorder asks the kernel to put into each sample. */
#ifndef CAPTURE_SAMPLING_H
#define CAPTURE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "event/event.h"
#include "measure/kernel.h"

enum call_graph { CALL_GRAPH_NONE, CALL_GRAPH_FRAME_POINTERS, CALL_GRAPH_DWARF };

struct sampling {
	uint64_t frequency;   /* samples a second; used when period is 0 */
	bool is_default_rate; /* nobody asked for it: tracepoints are then taken one by one */
	uint64_t period;      /* events between two samples; 0: by frequency */
	enum call_graph call_graph;
	uint32_t stack_bytes; /* of user stack copied for CALL_GRAPH_DWARF */
	uint64_t branches;    /* PERF_SAMPLE_BRANCH_*; 0: no branch stacks */
	bool cpu, no_time, no_period; /* samples carry their CPU; and leave out time, period */
	bool all_user, all_kernel, user_callchains, namespaces, switches;
	bool separate_side_band; /* mappings and names come from an event of their own */
	bool has_clock;
	int clock;            /* CLOCK_* of the times, when has_clock */
	uint32_t watermark_bytes; /* wake the recorder when a ring holds so much */
};

/* What this kernel can put into samples. */
struct sampling_support {
	bool build_id; /* in MMAP2; Linux 5.12 */
	bool lost;     /* PERF_FORMAT_LOST; Linux 6.0 */
};
void sampling_probe(const struct kernel *kernel, struct sampling_support *ret);

/* Fill the attributes of every event. All have the same fields in the same places, so that one layout serves.
 * *reads: a group has the modifier S: its leader's samples carry the counts of all, which no child can inherit. */
void sampling_apply(const struct sampling *sampling, const struct sampling_support *support,
		    struct event_list *events, bool *reads);
/* A list of one dummy event that carries the side band. */
struct event_list *sampling_side_band(const struct sampling *sampling, const struct sampling_support *support);

/* The highest frequency the kernel allows now. */
uint64_t sampling_max_frequency(void);
/* "fp", "dwarf", "dwarf,SIZE" into call_graph and stack_bytes. Errors: ERROR_USAGE. */
must_use struct error *sampling_parse_call_graph(const char *text, struct sampling *sampling);
/* "any", "u,any_call" … Errors: ERROR_USAGE. */
must_use struct error *sampling_parse_branches(const char *text, uint64_t *ret);
/* "monotonic", "CLOCK_BOOTTIME" … Errors: ERROR_USAGE. */
must_use struct error *sampling_parse_clock(const char *text, int *ret);

#endif
