/* perfmini doctor: what can be measured here, what disturbs it, and the commands that mend it. */
#include <jansson.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "measure/audit.h"

struct doctor_options {
	bool json, all;
};

static const struct option options[] = {
	{ 'j', "json", OPTION_FLAG, offsetof(struct doctor_options, json), NULL, "print one JSON document", NULL, NULL },
	{ 'a', "all", OPTION_FLAG, offsetof(struct doctor_options, all), NULL,
	  "also print what is as it should be", NULL, NULL },
	{ .type = OPTION_END },
};

static const char *const level_names[] = { [AUDIT_OK] = "ok", [AUDIT_INFO] = "info", [AUDIT_WARN] = "warn" };

enum { VALUE_SHOWN = 90 };

static void print_finding(const struct audit_finding *finding)
{
	auto_text struct text value = { 0 };

	text_append_escaped(&value, finding->value);
	printf("  %-4s %-20s %.*s%s", level_names[finding->level], finding->name, VALUE_SHOWN,
	       value.length ? value.bytes : "-", value.length > VALUE_SHOWN ? "… (--json has all)" : "");
	if (finding->finding)
		printf(": %s", finding->finding);
	if (finding->command)
		printf("\n       %-20s $ %s", "", finding->command);
	putchar('\n');
}

static size_t count_level(const struct audit *audit, enum audit_level level)
{
	size_t count = 0;

	for (size_t i = 0; i < audit->count; i++)
		count += audit->items[i].level == level;
	return count;
}

/* Counting itself is always shown: it is what the command is asked for. */
static bool is_shown(const struct audit_finding *finding, bool all)
{
	return all || finding->level != AUDIT_OK || !strcmp(finding->name, "perf-events") ||
	       !strcmp(finding->name, "pmu") || !strcmp(finding->name, "counters");
}

static void print_text(const struct audit *audit, bool all)
{
	const char *group = NULL;

	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_finding *finding = &audit->items[i];

		if (!is_shown(finding, all))
			continue;
		if (!group || strcmp(group, finding->group))
			printf("%s%s:\n", group ? "\n" : "", finding->group);
		group = finding->group;
		print_finding(finding);
	}
	printf("\n%zu checks: %zu warnings, %zu remarks, %zu as they should be%s\n", audit->count,
	       count_level(audit, AUDIT_WARN), count_level(audit, AUDIT_INFO), count_level(audit, AUDIT_OK),
	       all ? "" : " (--all shows them)");
}

static void print_json(const struct audit *audit)
{
	json_t *checks = json_array();

	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_finding *finding = &audit->items[i];

		json_array_append_new(checks, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?}", "group", finding->group, "name",
							finding->name, "level", level_names[finding->level], "value",
							finding->value, "finding", finding->finding, "command",
							finding->command));
	}
	json_t *document = json_pack("{s:i, s:o}", "version", 1, "checks", checks);

	json_dumpf(document, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(document);
}

static struct error *run(int argc, char **argv, int *status)
{
	struct doctor_options chosen = { 0 };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	struct audit_machine machine = { .kernel = &kernel_linux };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_doctor, &parse, &operands, &helped);

	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	if (operands[0])
		return error_new(ERROR_USAGE, "unexpected argument '%s'", operands[0]);

	cleanup(audit_guard) struct audit *audit = audit_run(&machine);

	if (chosen.json)
		print_json(audit);
	else
		print_text(audit, chosen.all);
	return NULL;
}

const struct command command_doctor = { "doctor", "say what can be measured here, and what to mend", run, options,
					"[OPTIONS]" };
