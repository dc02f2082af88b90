/* Checking events/: that libpfm4 encodes every row, and to the code its source names. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/text.h"
#include "event/alias.h"
#include "event/catalog.h"
#include "event/generic.h"
#include "event/metric.h"
#include "event/resolve.h"

struct check {
	struct tables_report *report;
	struct event_roots roots;
	const struct alias_table *aliases;
	struct utsname host;
};

static void problem(struct check *check, const char *format, ...) printf_like(2, 3);

static void problem(struct check *check, const char *format, ...)
{
	struct tables_report *report = check->report;
	char *line;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&line, format, arguments) < 0)
		abort();
	va_end(arguments);
	array_grow(&report->problems, report->problem_count, &report->capacity);
	report->problems[report->problem_count++] = line;
}

/* libpfm4 knows the CPUs of the architecture it was built for. */
static bool is_known_arch(const struct check *check, const char *cpu)
{
	size_t length = strcspn(cpu, "/");

	return strlen(check->host.machine) == length && !strncmp(check->host.machine, cpu, length);
}

/* The event's attribute, for whichever CPU. */
static struct error *encode(struct check *check, const char *text, struct perf_event_attr *ret)
{
	cleanup(event_list_guard) struct event_list *list = event_list_create_in(&check->roots);
	struct error *err = event_list_add(list, text);

	if (!err)
		*ret = event_list_at(list, 0)->attr;
	return err;
}

static void check_alias(struct check *check, const struct alias *alias)
{
	struct perf_event_attr attr;
	cleanup(error_guard) struct error *err = NULL;
	bool has_code = strcmp(alias->code, "-") != 0;

	if (!is_known_arch(check, alias->cpu)) {
		check->report->skipped++;
		return;
	}
	check->report->checked++;
	err = encode(check, alias->event, &attr);
	if (err)
		problem(check, "aliases.tsv: %s on %s: %s", alias->name, alias->cpu, error_message(err));
	else if (has_code && strtoull(alias->code, NULL, 0) != attr.config)
		problem(check, "aliases.tsv: %s on %s: %s encodes to %#" PRIx64 ", its source says %s", alias->name,
			alias->cpu, alias->event, (uint64_t)attr.config, alias->code);
}

static bool is_word_of_tables(const struct check *check, const char *name, const char *cpu)
{
	struct generic_event generic;

	return !strcmp(name, "EVENT") || !strcmp(name, "duration_time") ||
	       generic_find(name, strlen(name), &generic) || alias_find(check->aliases, name, cpu);
}

/* One event of a metric on one CPU ("x86_64/skl"), or on any ("*"). */
static void check_part(struct check *check, const struct metric *metric, const char *name, const char *cpu)
{
	const char *slash = strchr(cpu, '/');
	auto_free char *text = slash && !strstr(name, "::") ? memory_format("%s::%s", slash + 1, name)
							    : memory_strdup(name);
	struct perf_event_attr attr;
	cleanup(error_guard) struct error *err = NULL;

	if (is_word_of_tables(check, name, cpu)) {
		check->report->checked++;
		return;
	}
	if (slash && !is_known_arch(check, cpu)) {
		check->report->skipped++;
		return;
	}
	check->report->checked++;
	err = encode(check, text, &attr);
	if (err)
		problem(check, "metrics.tsv: %s on %s: %s", metric->name, cpu, error_message(err));
}

static void check_metric(struct check *check, const struct metric *metric)
{
	auto_free char *copy = memory_strdup(metric->cpu);
	char *left = copy, *cpu;

	while ((cpu = strsep(&left, ",")))
		for (size_t i = 0; i < metric->event_count; i++)
			check_part(check, metric, metric->events[i], cpu);
}

struct error *tables_check(const struct event_roots *roots, struct tables_report *ret)
{
	struct check check = { .report = ret, .roots = roots ? *roots : (struct event_roots){ 0 } };
	cleanup(alias_table_guard) struct alias_table *aliases = NULL;
	cleanup(metric_table_guard) struct metric_table *metrics = NULL;
	struct error *err;

	check.roots.any_cpu = true;
	if (!check.roots.tables)
		check.roots.tables = getenv("PERFMINI_EVENTS");
	uname(&check.host);
	err = alias_table_load(check.roots.tables, &aliases);
	if (!err)
		err = metric_table_load(&check.roots, &metrics);
	if (err)
		return err;
	check.aliases = aliases;
	for (size_t i = 0; i < alias_count(aliases); i++)
		check_alias(&check, alias_at(aliases, i));
	for (size_t i = 0; i < metric_count(metrics); i++)
		check_metric(&check, metric_at(metrics, i));
	return NULL;
}

void tables_report_release(struct tables_report *report)
{
	for (size_t i = 0; i < report->problem_count; i++)
		free(report->problems[i]);
	free(report->problems);
}
