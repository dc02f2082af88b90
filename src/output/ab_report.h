/* Reports of `ab` and `compare`: one analysis, written in several formats. */
#ifndef OUTPUT_AB_REPORT_H
#define OUTPUT_AB_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ab/analysis.h"
#include "output/ab_symbols.h"
#include "runs/runs.h"

/* What a report is made of; everything borrowed. */
struct ab_report {
	const struct analysis *analysis;
	const struct runs *const *files; /* [file_count]: one for an experiment, several for unpaired files */
	const char *const *file_names;   /* [file_count], or NULL for an experiment */
	size_t file_count;
	uint64_t ops;                    /* operations a run, 0 unknown */
	double rate;                     /* operations a second in use, 0 unknown */
	double alpha;
	const struct ab_symbols *symbols; /* [symbol_count]: functions of recorded runs, an arm each */
	size_t symbol_count;
	const char *repeat;              /* the command that repeats it, or NULL */
	bool color;
};

typedef void ab_report_write(const struct ab_report *report, FILE *out);

ab_report_write ab_text_write, ab_mail_write, ab_markdown_write, ab_json_write, ab_csv_write, ab_html_write;

#endif
