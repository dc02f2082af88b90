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
/* Names of the arms, and which are copies of the first. */
void analysis_list_arms(struct analysis *analysis, const struct runs *runs);
/* Counts the blocks and void runs of one file, and lists its conditions; may be called for each file of several. */
void analysis_add_runs(struct analysis *analysis, const struct runs *runs);
/* Every quantity of every arm under every condition against the first arm, still without figures. */
void analysis_list_comparisons(struct analysis *analysis, const struct analysis_options *options);
bool analysis_is_gate(const struct analysis_options *options, const struct quantity *quantity);
double analysis_alpha(const struct analysis_options *options);
/* Once every comparison knows whether it is a gate. */
struct compare_rules analysis_rules(const struct analysis *analysis, const struct analysis_options *options,
				    const struct comparison *c);
void analysis_adjust(struct analysis *analysis);
void analysis_set_exit_status(struct analysis *analysis, const struct analysis_options *options);

/* Diagnostics of a finished paired or unpaired analysis. */
void analysis_diagnose(struct analysis *analysis, const struct runs *runs);
/* The same of an analysis over machines. */
void analysis_diagnose_machines(struct analysis *analysis);
/* What is said of the machines: parts that are absent, machines that disagree, what a machine's runs have. */
void analysis_add_machine_diagnostics(const struct analysis *analysis, struct diagnostic_list *list);

#endif
