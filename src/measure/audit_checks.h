/* Inside the audit: what one check sees, and the tables of checks. */
#ifndef MEASURE_AUDIT_CHECKS_H
#define MEASURE_AUDIT_CHECKS_H

#include <stdbool.h>

#include "measure/audit.h"

struct audit_scene {
	const struct audit_machine *machine;
	struct facts facts;
	int software_errno; /* of facts_probe_software(); -1 not asked */
};

/* One check: sets value, and level, finding and command when there is something to say. False: its subject does not
 * exist here. */
struct audit_check {
	const char *group, *name;
	bool (*check)(const struct audit_scene *scene, struct audit_finding *ret);
};

/* Tables end with a NULL check. */
extern const struct audit_check audit_counting_checks[];
extern const struct audit_check audit_machine_checks[];
extern const struct audit_check audit_process_checks[];

/* Set level, finding and command. Returns true, so that a check can end with it. */
bool audit_say(struct audit_finding *ret, enum audit_level level, const char *finding, const char *command);
/* The first line of a file under /proc or /sys, as value; false when there is none. */
bool audit_proc_value(const struct audit_scene *scene, const char *path, struct audit_finding *ret);
bool audit_sys_value(const struct audit_scene *scene, const char *path, struct audit_finding *ret);
/* A whole file under /proc, "" when there is none. The caller frees. */
char *audit_proc_text(const struct audit_scene *scene, const char *path);

#endif
