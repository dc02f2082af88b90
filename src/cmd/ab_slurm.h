/* perfmini ab --slurm: the parts of an experiment as a job array, collected and judged together. */
#ifndef CMD_AB_SLURM_H
#define CMD_AB_SLURM_H

#include "ab/plan.h"
#include "base/options.h"
#include "cmd/ab.h"

/* Everything borrowed. runs: the arms of the experiment as they are here, and its seed. */
struct ab_slurm_setup {
	const struct ab_options *chosen, *defaults;
	const struct option *table;
	char *const *operands;
	const struct plan *plan;
	struct runs *runs;
};

/**
 * Submit, wait, merge and report; Ctrl-C cancels the array. DIR (-o, "ab.slurm") holds experiment.runs, job.sh, logs/ and
 * part-1/ …, and must be seen by all nodes.
 *
 * Errors: ERROR_USAGE for options that do not go with --slurm; ERROR_NOT_FOUND without Slurm; ERROR_OS in Slurm's words;
 *         as judge_machines().
 */
must_use struct error *ab_slurm_run(const struct ab_slurm_setup *setup, int *status);

/* --ship: the commands as the nodes run them. Errors: ERROR_USAGE for what is no list of commands; as
 * ab_ship_programs(). */
struct arena;
must_use struct error *ab_slurm_ship(const struct ab_options *chosen, struct arena *arena, char *const *operands,
				     char ***ret);

#endif
