/* The machines of an experiment over several: a row each for every gate, and what they say together. */
#ifndef OUTPUT_AB_MACHINES_H
#define OUTPUT_AB_MACHINES_H

#include <jansson.h>
#include <stdio.h>

#include "ab/analysis.h"
#include "base/text.h"

/* "B is better on 6 of 8 machines, worse on 1 (zen2-a); 1 does not tell. On a machine that was not tried: ..." of one
 * comparison over machines. */
void ab_machines_sentence(struct text *out, const struct analysis *analysis, const struct comparison *c);
/* Rows of the CPU models (where there are several) and of the machines, in lines of width columns. */
void ab_machines_print(const struct analysis *analysis, const struct comparison *c, size_t width, FILE *out);
/* The machines themselves, and what a comparison holds of them; new references. */
json_t *ab_machines_json(const struct machine_list *list);
json_t *ab_machine_effects_json(const struct analysis *analysis, const struct comparison *c);

#endif
