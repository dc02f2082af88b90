/* pprof's profile.proto from one recording or many: stacks, functions and labels that are equal are one, whichever
 * recording they come from, so that memory depends on them and not on the number of recordings. */
#ifndef OUTPUT_PPROF_H
#define OUTPUT_PPROF_H

#include "base/text.h"
#include "output/export.h"

struct pprof;

struct pprof *pprof_create(void);
void pprof_destroy(struct pprof *pprof);
DEFINE_GUARD(pprof)

/* The rows of one event, with the recording's labels. Nothing of exported is kept. Binaries are equal by build id. */
void pprof_add(struct pprof *pprof, const struct export *exported);

struct pprof_description {
	const char *event, *unit, *command; /* command: may be NULL */
	uint64_t sample_period;             /* 0: by frequency */
	uint64_t written_ns, duration_ns;
	bool hits;                          /* samples are what is shown first, not events */
};

/* The whole file, packed; once. */
void pprof_write(struct pprof *pprof, const struct pprof_description *about, struct text *out);

#endif
