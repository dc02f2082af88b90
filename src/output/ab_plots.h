/* Plots of an A/B report as inline SVG that takes its colours from the page's style sheet. */
#ifndef OUTPUT_AB_PLOTS_H
#define OUTPUT_AB_PLOTS_H

#include <stdio.h>

#include "output/ab_report.h"

/* Comparisons [first, end) as points with intervals on one axis of percent, with the threshold of the gate. */
void ab_plot_intervals(const struct ab_report *report, size_t first, size_t end, FILE *out);
/* Every run of the quantity in the order in which they ran, one colour an arm; void runs are crosses. */
void ab_plot_runs(const struct runs *runs, const struct quantity *quantity, FILE *out);
/* The runs of each arm side by side, with quartiles. */
void ab_plot_distributions(const struct runs *runs, const struct quantity *quantity, FILE *out);

#endif
