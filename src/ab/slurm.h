/* A job array of Slurm: submitted, watched and cancelled through its own commands. */
#ifndef AB_SLURM_H
#define AB_SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Where one element of the array is. */
enum slurm_state {
	SLURM_GONE,    /* the controller knows nothing of it (any more) */
	SLURM_PENDING, /* or requeued */
	SLURM_RUNNING, /* or about to begin or end */
	SLURM_ENDED,   /* done, failed, cancelled, timed out, … : word says which */
};

struct slurm_element {
	enum slurm_state state;
	char word[24], node[64], reason[64]; /* as squeue prints them; "" unknown */
};

/* The nodes that sinfo lists. Errors: ERROR_NOT_FOUND without Slurm; ERROR_OS in Slurm's words. */
must_use struct error *slurm_count_nodes(size_t *ret);

/* sbatch OPTIONS --array=ELEMENTS --output=LOG SCRIPT. options: shell words of the user; elements: "1-8", "2,5".
 * job: its number, at least 32 bytes. Errors: as slurm_count_nodes(). */
must_use struct error *slurm_submit(const char *options, const char *elements, const char *log, const char *script,
				    char *job);

/* elements: [count], of array indices 1 to count. A job that ended long ago is GONE everywhere.
 * Errors: ERROR_OS when the controller does not answer. */
must_use struct error *slurm_look(const char *job, struct slurm_element *elements, size_t count);

/* Cancel all elements of a job. Errors: ERROR_OS. */
must_use struct error *slurm_cancel(const char *job);

#endif
