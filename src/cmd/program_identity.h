/* Which program an arm of saved runs is. */
#ifndef CMD_PROGRAM_IDENTITY_H
#define CMD_PROGRAM_IDENTITY_H

#include "runs/runs.h"

/* Set the build id and the content hash of the file, in the arena of runs; what cannot be read stays NULL. */
void program_identify(struct runs *runs, const char *path, struct run_arm *arm);

#endif
