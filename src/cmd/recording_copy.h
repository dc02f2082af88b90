/* A recording written again with some of its samples. */
#ifndef CMD_RECORDING_COPY_H
#define CMD_RECORDING_COPY_H

#include <stdbool.h>

#include "base/error.h"
#include "profile/profile.h"

struct recording_copy {
	const char *input, *output;         /* "-": a pipe */
	const char *event;                  /* only samples of this one; NULL: all */
	const struct sample_filter *filter;
	bool force;
};

/**
 * Every record in the order of the file but the samples that do not pass; feature sections as they are, packed records
 * unpacked.
 *
 * output appears whole, or stays as it was. force: damaged records are told and left out.
 *
 * Errors: as perfdata_open() and perfdata_next(); ERROR_USAGE for output over input; ERROR_UNSUPPORTED for another byte
 *         order and for hardware traces; ERROR_NOT_FOUND for an event that is not there.
 */
must_use struct error *recording_copy(const struct recording_copy *copy);

#endif
