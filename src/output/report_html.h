/* A report as one HTML page, with the look of the other pages. */
#ifndef OUTPUT_REPORT_HTML_H
#define OUTPUT_REPORT_HTML_H

#include <stdio.h>

#include "output/report.h"

/* What the page says of the recording; a value of NULL is left out. */
struct report_page {
	struct report_page_term {
		const char *name, *value;
	} terms[8];
	size_t term_count;
};

void report_html_begin(const struct report_page *page, FILE *out);
/* One event: its flame graph (rows need commands and stacks), then its entries. */
void report_html_event(struct entries *entries, const struct report_view *view, FILE *out);
void report_html_end(const struct profile *profile, struct resolver *resolver, FILE *out);

#endif
