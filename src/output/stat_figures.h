/* What the runs of `stat` come to: one row an event and place, with its spread over the runs. */
#ifndef OUTPUT_STAT_FIGURES_H
#define OUTPUT_STAT_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "runs/runs.h"
#include "stats/descriptive.h"

struct metric_table;

struct stat_metric {
	const char *name;     /* "insn-per-cycle"; borrowed from the metric table */
	const char *unit;     /* "insn per cycle", "% of all branches", "K/sec" */
	double value;         /* of the means; NaN: its events were not all counted */
	double relative_standard_error; /* of its values in each run; NaN for one run */
	int decimals;
	bool apart;           /* its events were not on at the same time */
};

enum { STAT_METRICS_A_ROW = 4 };

struct stat_row {
	const struct run_event *event;
	const struct event *what;    /* as its name is understood here */
	enum count_state state;      /* COUNT_OK when any run counted it */
	double *values;              /* [summary.count] in the event's unit, extrapolated when multiplexed */
	size_t *runs;                /* [summary.count] which run each is of */
	struct summary summary;
	uint64_t enabled_ns, running_ns; /* of all those runs */
	bool is_whole;               /* one run's count as the kernel gave it: total */
	uint64_t total;
	struct stat_metric metrics[STAT_METRICS_A_ROW];
	size_t metric_count;
};

/* A time or size of the whole run. */
struct stat_extent {
	const char *name;            /* perf's name of the tool event: "duration_time" */
	const char *label;           /* "seconds time elapsed" */
	const char *unit;            /* of the value: "ns", "bytes" */
	double *values;              /* [summary.count] */
	struct summary summary;
};

enum stat_extent_id { STAT_ELAPSED, STAT_USER, STAT_SYS, STAT_PEAK, STAT_EXTENTS };

struct stat_figures {
	const struct runs *runs;
	struct arena *arena;
	struct event_list *names;
	size_t run_count;            /* not void */
	size_t void_count;
	struct stat_row *rows;       /* in the order of runs->events */
	size_t row_count;
	struct stat_extent extents[STAT_EXTENTS];
	bool has_command;            /* user, sys and peak are known */
};

struct stat_setup {
	const struct metric_table *metrics; /* borrowed; NULL: none */
	bool raw;                           /* do not extrapolate counts of a part of the time */
	double level;                       /* of intervals */
};

/* runs: borrowed, not to be added to meanwhile. */
struct stat_figures *stat_figures_create(const struct runs *runs, const struct stat_setup *setup);
void stat_figures_destroy(struct stat_figures *figures);
DEFINE_GUARD(stat_figures)

/* 100 x running / enabled of a row; 100 when it always ran. */
double stat_row_share(const struct stat_row *row);
/* Fill the rows' metrics. */
void stat_add_metrics(struct stat_figures *figures, const struct metric_table *table);

#endif
