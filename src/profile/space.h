/* What was mapped where, and what each task was called, at each moment of a recording.
 *
 * Side-band records are gathered in a first pass, in any order; space_seal() puts them in order of time. After
 * that a sample may be looked up in any order, so samples need no sorting. */
#ifndef PROFILE_SPACE_H
#define PROFILE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/object.h"

struct record;
struct space;

/* When: by time, then by place in the file, which decides alone when there is no time. */
struct moment {
	uint64_t time_ns, file_offset;
};

/* One process at one moment. Views of equal layout resolve every address alike. */
struct space_view {
	uint32_t process, position;               /* INDEX_NONE: nothing is known of it */
	uint32_t kernel_position;
	uint64_t layout;
};

/* An address, in the object that held it. */
struct location {
	uint32_t object;
	uint64_t offset; /* in the file (ip - start + pgoff); the address itself in the kernel or without object */
	char mark;       /* 'k' kernel, '.' user, 'g' and 'u' guest, 'H' hypervisor */
};

enum { SPACE_KERNEL_PID = 0xffffffffu };

struct space *space_create(struct objects *objects, struct intern *names);
/* Take a MMAP, MMAP2, COMM, FORK, EXIT or KSYMBOL record; others are left alone. Errors: ERROR_FORMAT. */
must_use struct error *space_add(struct space *space, const struct record *record);
void space_seal(struct space *space);

void space_look(struct space *space, uint32_t pid, struct moment when, struct space_view *ret);
/* cpumode: PERF_RECORD_MISC_*. */
void space_find(struct space *space, const struct space_view *view, unsigned cpumode, uint64_t address,
		struct location *ret);
/* The task's name then: interned; ":TID" when nobody said. foresee: before its first name, that one. */
const char *space_comm(struct space *space, uint32_t tid, struct moment when, bool foresee);
/* The mapped ranges of a process at a moment, newest last; call stops when it returns false. */
typedef bool space_mapping_call(void *data, uint32_t object, uint64_t start, uint64_t end, uint64_t file_offset);
void space_each_mapping(struct space *space, const struct space_view *view, space_mapping_call *call, void *data);

void space_destroy(struct space *space);
DEFINE_GUARD(space)

#endif
