/* What `report` and `script` share: options of reading a recording, and lists in them. */
#ifndef CMD_REPORT_OPTIONS_H
#define CMD_REPORT_OPTIONS_H

#include "base/options.h"
#include "output/report.h"
#include "profile/profile.h"
#include "symbol/symbolizer.h"

/* Options of every command that reads a recording. */
struct recording_options {
	const char *input;
	const char *pids, *tids, *cpus, *time;
	const char *symfs, *vmlinux, *kallsyms;
	bool demangle, inlines, debuginfod, force;
	uint64_t max_stack;
};

/* Their entries in an option table; TYPE has a member recording. */
#define RECORDING_OPTIONS(TYPE)                                                                                   \
	{ 'i', "input", OPTION_TEXT, offsetof(TYPE, recording.input), "FILE", "recording to read (perf.data)",   \
	  NULL, NULL },                                                                                           \
	{ 0, "pid", OPTION_TEXT, offsetof(TYPE, recording.pids), "PID,…", "only these processes", NULL, "" },     \
	{ 0, "tid", OPTION_TEXT, offsetof(TYPE, recording.tids), "TID,…", "only these threads", NULL, "" },       \
	{ 0, "time", OPTION_TEXT, offsetof(TYPE, recording.time), "FROM,TO", "only this stretch, in seconds",  \
	  NULL, "" },                                                                                             \
	{ 0, "symfs", OPTION_TEXT, offsetof(TYPE, recording.symfs), "DIR", "look for binaries below DIR",         \
	  NULL, NULL },                                                                                           \
	{ 'k', "vmlinux", OPTION_TEXT, offsetof(TYPE, recording.vmlinux), "FILE", "kernel image", NULL, NULL },   \
	{ 0, "kallsyms", OPTION_TEXT, offsetof(TYPE, recording.kallsyms), "FILE", "kernel symbol table", NULL,    \
	  NULL },                                                                                                 \
	{ 0, "demangle", OPTION_TOGGLE, offsetof(TYPE, recording.demangle), NULL, "show C++ and Rust names as "   \
	  "written", NULL, NULL },                                                                                \
	{ 0, "inline", OPTION_TOGGLE, offsetof(TYPE, recording.inlines), NULL, "show inlined functions in chains",\
	  NULL, NULL },                                                                                           \
	{ 0, "debuginfod", OPTION_FLAG, offsetof(TYPE, recording.debuginfod), NULL, "ask debuginfod servers",     \
	  NULL, NULL },                                                                                           \
	{ 'f', "force", OPTION_FLAG, offsetof(TYPE, recording.force), NULL, "use what can be read of a damaged "  \
	  "file", NULL, NULL },                                                                                   \
	{ 0, "max-stack", OPTION_COUNT, offsetof(TYPE, recording.max_stack), "N", "frames of a chain to use "     \
	  "(127)", NULL, "" }

#define RECORDING_DEFAULTS { .input = "perf.data", .demangle = true, .inlines = true }

/* Filters as numbers; owned. */
struct recording_filter {
	struct sample_filter sample;
	uint32_t *pids, *tids, *cpus;
};
/* Errors: ERROR_USAGE. */
must_use struct error *recording_filter_parse(const struct recording_options *options, struct recording_filter *ret);
void recording_filter_release(struct recording_filter *filter);

struct symbolizer_setup recording_symbols(const struct recording_options *options, bool lines);

/* Words of "a,b,c". items: borrowed from an owned copy. */
struct word_list {
	char *copy;
	const char **items;
	size_t count, capacity;
};
void word_list_add(struct word_list *list, const char *text);
void word_list_release(struct word_list *list);

/* Print to standard output and empty the text. */
void print_text(struct text *text);

/* A line of progress on a terminal, once reading takes long. */
struct progress {
	uint64_t started_ns;
	bool is_shown, is_quiet;
};
void progress_start(struct progress *progress);
bool progress_show(void *progress, uint64_t done, uint64_t all);
void progress_end(struct progress *progress);

#endif
