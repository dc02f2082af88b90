/* Running the audit's checks. */
#include "measure/audit.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "measure/audit_checks.h"

bool audit_say(struct audit_finding *ret, enum audit_level level, const char *finding, const char *command)
{
	ret->level = level;
	ret->finding = finding;
	ret->command = command;
	return true;
}

static bool line_value(const char *path, struct audit_finding *ret)
{
	cleanup(error_guard) struct error *err = file_read_line(path, &ret->value);

	return !err;
}

bool audit_proc_value(const struct audit_scene *scene, const char *path, struct audit_finding *ret)
{
	auto_free char *full = facts_proc_path(&scene->machine->roots, path);

	return line_value(full, ret);
}

bool audit_sys_value(const struct audit_scene *scene, const char *path, struct audit_finding *ret)
{
	auto_free char *full = facts_sys_path(&scene->machine->roots, path);

	return line_value(full, ret);
}

char *audit_proc_text(const struct audit_scene *scene, const char *path)
{
	auto_free char *full = facts_proc_path(&scene->machine->roots, path);
	char *text = NULL;

	error_destroy(file_read(full, &text, NULL));
	return text ? text : memory_strdup("");
}

static void run_checks(const struct audit_check *check, const struct audit_scene *scene, struct audit *audit)
{
	for (; check->check; check++) {
		struct audit_finding finding = { .group = check->group, .name = check->name };

		if (!check->check(scene, &finding)) {
			free(finding.value);
			continue;
		}
		array_grow(&audit->items, audit->count, &audit->capacity);
		audit->items[audit->count++] = finding;
	}
}

struct audit *audit_run(const struct audit_machine *machine)
{
	struct audit *audit = memory_zeroed(1, sizeof(*audit));
	struct audit_scene scene = { .machine = machine, .software_errno = -1 };

	facts_read(&machine->roots, &scene.facts);
	if (machine->kernel)
		scene.software_errno = facts_probe_software(machine->kernel);
	run_checks(audit_counting_checks, &scene, audit);
	run_checks(audit_machine_checks, &scene, audit);
	run_checks(audit_process_checks, &scene, audit);
	return audit;
}

const struct audit_finding *audit_find(const struct audit *audit, const char *name)
{
	for (size_t i = 0; i < audit->count; i++)
		if (!strcmp(audit->items[i].name, name))
			return &audit->items[i];
	return NULL;
}

void audit_destroy(struct audit *audit)
{
	if (!audit)
		return;
	for (size_t i = 0; i < audit->count; i++)
		free(audit->items[i].value);
	free(audit->items);
	free(audit);
}
