/* Runs of several machines: the machine is the sample, and its runs of both builds are a pair. */
#ifndef PROFILE_DIFF_MACHINES_H
#define PROFILE_DIFF_MACHINES_H

#include "profile/diff_gather.h"

/* The means over each machine's runs, in place of the runs. Zero-initialised is empty. */
struct diff_machines {
	const char **hosts; /* borrowed from the gatherings; count 0: the runs stand for themselves */
	size_t count, capacity;
	const char *only_one; /* a host that has runs on one side only; then count is 0. NULL: none */
	double *values[4];
};

/* When both sides have runs of the same two or more hosts, give both sides one run a host, in the same order. Sides keep
 * pointing into ret. Runs of both sides stay as they are otherwise. */
void diff_machines_pair(struct diff_side sides[2], const struct gathering *const gatherings[2],
			struct diff_machines *ret);
void diff_machines_release(struct diff_machines *machines);

#endif
