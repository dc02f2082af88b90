/* The parts of one experiment that ran on several machines (`ab --share`), put together by machine. */
#ifndef AB_MACHINES_H
#define AB_MACHINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runs/runs.h"

/* One machine, with all its parts. Texts are borrowed from the runs. */
struct machine {
	const char *name, *cpu_model, *kernel; /* cpu_model, kernel: NULL unknown */
	const char *identity;                  /* a hash that tells machines of one name apart, or NULL */
	size_t cpu_class;                      /* index into machine_list.classes */
	const struct runs **parts;
	size_t part_count, part_capacity;
};

struct machine_list {
	struct machine *items;
	size_t count;
	const char **classes; /* the distinct CPU models */
	size_t class_count;
	uint64_t seed;        /* of the whole experiment */
	uint64_t shares;      /* parts that were planned */
	bool *present;        /* [shares] */
	size_t absent;        /* of them */
};

/* Part index of count, from 1. */
struct machine_share {
	uint64_t index, count;
};

enum { MACHINE_SHARES_MOST = 1000000 };

/* "3/8". False: not of that form, or out of range. */
bool machine_share_parse(const char *text, struct machine_share *ret);
/* Was the file written by `ab --share`? */
bool machines_is_part(const struct runs *runs);

/**
 * Group parts by machine: of one name and identity. paths: for messages. The runs are borrowed.
 *
 * Errors: ERROR_USAGE: a file that is no part; parts of unlike experiments (builds, commands, events, plan, seed), the
 *         same part twice, two machines of one name.
 */
must_use struct error *machines_group(const struct runs *const *parts, const char *const *paths, size_t count,
				      struct machine_list **ret);
void machine_list_destroy(struct machine_list *list);
DEFINE_GUARD(machine_list)

#endif
