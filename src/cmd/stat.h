/* What the files of `perfmini stat` share. */
#ifndef CMD_STAT_H
#define CMD_STAT_H

#include <regex.h>

#include "base/options.h"
#include "base/text.h"
#include "event/event.h"
#include "event/metric.h"
#include "measure/meter.h"
#include "measure/utilization.h"
#include "output/stat.h"
#include "runs/runs.h"

struct stat_options {
	struct option_texts events;
	const char *pids, *tids, *cpus, *separator, *output, *pre, *post, *control, *metrics, *save, *replay, *ops_from;
	uint64_t repeat, warmup, interval_ms, interval_count, timeout_ms, ops;
	int64_t delay_ms, log_fd;
	unsigned detail, verbose;
	bool system_wide, no_inherit, inherit, json, append, big_num, scale, table, stats, metric_only, multiplex;
	bool aggregate, per_cpu, per_core, per_socket, per_die, per_node, per_thread, null_run, sync, quiet;
	bool all_user, all_kernel, summary;
};

extern const struct option stat_option_table[];
extern const struct stat_options stat_defaults;
/* What may not stand together, and values out of range. Errors: ERROR_USAGE. */
must_use struct error *stat_check_options(const struct stat_options *options, char *const *command);

/* Readings of the counted CPUs' time, at the start and at the ends of the intervals. */
struct stat_cpu_time {
	struct utilization *first, *last, *now; /* [count] */
	size_t count;                           /* 0: their time is not shown */
};

struct stat_session {
	const struct stat_options *options;
	char **command;            /* NULL-terminated; empty: none */
	struct launcher *launcher; /* borrowed */
	struct event_list *events;
	int *set;                  /* [event] see measure/fit.h */
	size_t set_count;          /* 1: all events are on in every run */
	bool **chosen;             /* [set_count][event] */
	struct meter **meters;     /* [set_count] */
	struct target *place;      /* counted; NULL: the command */
	struct metric_table *metrics;
	struct runs *runs;
	int *rows;                 /* [event][place]: of runs->events; NULL before the first run */
	size_t place_count;
	struct count *counts, *last_counts; /* [event][place] of this run, and at its last interval */
	uint64_t last_ns, intervals_done;
	struct stat_cpu_time cpu_time;
	int control_fd, ack_fd, signal_fd;
	struct text control_line;
	bool control_stop;
	int output_fd;             /* the command's standard output for --ops-from; -1: not taken */
	regex_t ops_pattern;
	FILE *out;
	int signal;                /* that ended the measuring; 0 none */
	int failed_status;         /* of the first run that failed */
	unsigned columns;
};

/* Which events to count, from the options; and how they divide into sets that count at once. */
must_use struct error *stat_choose_events(struct stat_session *session);
/* Rows for the events at the places of the run that has begun. Once. */
void stat_make_rows(struct stat_session *session, const struct meter *meter);
/* Counts of the set into a run's rows. counts: [event][place]. */
void stat_fill_run(const struct stat_session *session, size_t set, const struct count *counts, struct run *run);

/* All runs. What was measured is in session->runs, also after an error or a signal. */
must_use struct error *stat_measure(struct stat_session *session);

must_use struct error *stat_control_open(struct stat_session *session);
/* As meter_wait(), while commands are taken from --control. */
must_use struct error *stat_control_wait(struct stat_session *session, struct meter *meter, uint64_t timeout_ns,
					 bool *done);
void stat_control_close(struct stat_session *session);

/* --ops-from: take the command's output, pass it on, and find the number in it. NaN: none. */
must_use struct error *stat_take_output(struct stat_session *session, struct command_setup *setup);
double stat_find_operations(struct stat_session *session);

must_use struct error *stat_open_output(struct stat_session *session);
must_use struct error *stat_print_result(const struct stat_session *session, const struct runs *runs);
/* Counts since the last interval. */
void stat_print_interval(struct stat_session *session, size_t set, uint64_t now_ns);
/* One row in the form of output chosen. interval_ns: where the interval ends; NULL: the average over the whole time. */
void stat_print_utilization(const struct stat_session *session, const struct stat_utilization *row,
			    const uint64_t *interval_ns);

/* CPUs kept apart in intervals are shown with how their time went, where /proc tells. */
void stat_cpu_time_begin(struct stat_session *session);
void stat_cpu_time_print_interval(struct stat_session *session, uint64_t now_ns);
void stat_cpu_time_print_average(const struct stat_session *session);
void stat_cpu_time_release(struct stat_cpu_time *cpu_time);

void stat_show_progress(const struct stat_session *session, uint64_t done, uint64_t started_ns);
void stat_end_progress(const struct stat_session *session);

#endif
