/* The environment audit: what of this machine disturbs or forbids measuring, and the command that mends it. */
#ifndef MEASURE_AUDIT_H
#define MEASURE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "measure/facts.h"

enum audit_level {
	AUDIT_OK,   /* as it should be, or only worth storing */
	AUDIT_INFO, /* may matter; nothing is wrong */
	AUDIT_WARN, /* disturbs or forbids measuring */
};

struct audit_finding {
	const char *group;   /* "counting", "machine", "load", "process" */
	const char *name;    /* "governor": stored with results as name=value */
	enum audit_level level;
	char *value;         /* "powersave"; never NULL once found */
	const char *finding; /* one line; NULL: nothing to say */
	const char *command; /* mends it; NULL: nothing does, or nothing need */
};

struct audit {
	struct audit_finding *items;
	size_t count, capacity;
};

struct audit_machine {
	const struct kernel *kernel; /* asked what opens; NULL: nothing is opened */
	struct facts_roots roots;
};

/* Every check whose subject exists here, in a fixed order. The caller destroys. */
struct audit *audit_run(const struct audit_machine *machine);
/* Borrowed, or NULL. */
const struct audit_finding *audit_find(const struct audit *audit, const char *name);
void audit_destroy(struct audit *audit);
DEFINE_GUARD(audit)

/* Totals since boot that tell, as differences over a run, what disturbed it. What is not there stays zero. */
struct audit_counts {
	uint64_t busy_ns;          /* time all CPUs ran something, ours included; steps of 10 ms */
	uint64_t steal_ns;         /* time the hypervisor gave to others, of all CPUs */
	uint64_t throttle_count;   /* thermal throttle events of all CPUs */
	uint64_t quota_throttled_ns; /* time our cgroup (v2) was kept off the CPU by its quota */
	uint64_t swapped_pages;    /* in and out */
	uint64_t cpu_pressure_ns;  /* PSI: time some task waited for a CPU */
	uint64_t memory_pressure_ns, io_pressure_ns;
	uint64_t switches;         /* context switches of the machine */
};

/* The files to read, found once. */
struct audit_watch;

/* brief: no pressure and no swapping, which take longer to read than a short run lasts. */
struct audit_watch *audit_watch_create(const struct facts_roots *roots, bool brief);
void audit_watch_destroy(struct audit_watch *watch);
DEFINE_GUARD(audit_watch)
void audit_snapshot(const struct audit_watch *watch, struct audit_counts *ret);
struct audit_counts audit_delta(const struct audit_counts *before, const struct audit_counts *after);

/* What a run suffered, by the limits of the audit. */
struct audit_disturbance {
	uint64_t foreign_ns; /* CPU time of others */
	double foreign_cpus; /* CPUs busy with others' work, mean over the run */
	double steal_share;  /* of the run's wall time, over all CPUs; 0.005 is much */
	bool foreign_load;   /* more than 5 % of a CPU, and more than the clock ticks can be wrong by */
	bool steal;          /* more than 0.5 % */
	bool throttled;      /* heat or quota */
	bool swapped;
};

/* own_ns: user and system time of the measured command. wall_ns: not 0. */
struct audit_disturbance audit_judge(const struct audit_counts *delta, uint64_t own_ns, uint64_t wall_ns);

#endif
