/* Inside the analysis: what paired and unpaired comparisons share. */
#ifndef AB_ANALYSIS_PARTS_H
#define AB_ANALYSIS_PARTS_H

#include "ab/analysis.h"
#include "ab/compare.h"
#include "ab/pairs.h"

/* With the quantities of runs, thresholds applied and gates looked up. Errors: ERROR_USAGE, unknown names. */
must_use struct error *analysis_begin(const struct runs *runs, const struct analysis_options *options,
				      struct analysis **ret);
struct quantity *analysis_quantity(const struct analysis *analysis, const char *name); /* or NULL */
bool analysis_is_gate(const struct analysis_options *options, const struct quantity *quantity);
double analysis_alpha(const struct analysis_options *options);
/* Once every comparison knows whether it is a gate. */
struct compare_rules analysis_rules(const struct analysis *analysis, const struct analysis_options *options,
				    const struct comparison *c);
void analysis_adjust(struct analysis *analysis);
void analysis_set_exit_status(struct analysis *analysis, const struct analysis_options *options);

/* Diagnostics of a finished paired or unpaired analysis. */
void analysis_diagnose(struct analysis *analysis, const struct runs *runs);

#endif
