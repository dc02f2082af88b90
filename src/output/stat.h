/* Counts of `perfmini stat` as text, CSV and JSON, all from the same runs. */
#ifndef OUTPUT_STAT_H
#define OUTPUT_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/utilization.h"
#include "output/stat_figures.h"
#include "runs/runs.h"

struct stat_view {
	const struct stat_figures *figures;
	const char *separator;  /* of CSV */
	bool plain_numbers;     /* no commas between thousands */
	bool stats;             /* median, MAD, extremes, interval, outliers */
	bool table;             /* every run of every event */
	bool raw;               /* what the kernel gave: counts, enabled and running times */
	bool metric_only;
	bool heading;           /* column names of CSV and of intervals, the title of text */
	bool is_interval;       /* counts since the last interval: no elapsed time, no remarks */
	uint64_t time_ns;       /* of the interval's end, since the start */
	unsigned columns;       /* of the terminal; 0: not a terminal */
};

void stat_print_text(const struct stat_view *view, FILE *out);
void stat_print_metrics(const struct stat_view *view, FILE *out); /* --metric-only as text */
/* One header line, then always the same columns; fields that hold the separator, a quote or a newline are quoted. */
void stat_print_csv(const struct stat_view *view, FILE *out);
/* One object a line. */
void stat_print_json(const struct stat_view *view, FILE *out);

/* How the time of one CPU went, or of all that are counted, in an interval or over the whole time. */
struct stat_utilization {
	const char *place;                 /* "CPU0", "all" */
	uint32_t cpus;
	double percent[UTILIZATION_KINDS]; /* NaN: no clock tick fell into the time */
};

/* As above, without figures; view->is_interval is false for the average over the whole time. CSV has a line for each
 * kind of time, "cpu-user" and so on; JSON has one object. */
void stat_print_utilization_text(const struct stat_view *view, const struct stat_utilization *row, FILE *out);
void stat_print_utilization_csv(const struct stat_view *view, const struct stat_utilization *row, FILE *out);
void stat_print_utilization_json(const struct stat_view *view, const struct stat_utilization *row, FILE *out);

/* Parts of the text output, in files of their own. */
void stat_print_spread(const struct stat_view *view, FILE *out);
void stat_print_runs(const struct stat_view *view, FILE *out);
void stat_print_raw(const struct stat_view *view, FILE *out);
void stat_print_remarks(const struct stat_view *view, FILE *out);

#endif
