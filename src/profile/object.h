/* Objects: what can be mapped (binaries, the kernel, modules, JIT code), each once, numbered. */
#ifndef PROFILE_OBJECT_H
#define PROFILE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "symbol/binary.h"

struct intern;
struct mapping_record;
struct ksymbol_record;

enum object_kind {
	OBJECT_UNKNOWN, /* object 0: no mapping held the address */
	OBJECT_FILE,
	OBJECT_KERNEL,
	OBJECT_MODULE,
	OBJECT_KSYMBOL, /* one kernel-made function: a BPF program, a trampoline */
	OBJECT_ANONYMOUS, /* JIT code: named by /tmp/perf-PID.map */
	OBJECT_SPECIAL, /* [heap], [stack], [vdso], SYSV segments: addresses stay as they are */
};

struct object {
	enum object_kind kind;
	const char *path;     /* as in the record; interned */
	const char *shown;    /* short name of reports: "libc.so.6", "[ext4]", "[JIT] tid 7"; interned */
	uint8_t build_id[20];
	size_t build_id_size; /* 0: unknown */
	uint32_t pid;         /* of the first process that mapped it */
	struct kernel_reference reference; /* of the kernel; symbol is interned */
	uint64_t load_address; /* module: where it lay */
	uint64_t length;      /* ksymbol: bytes */
};

struct objects {
	struct intern *names; /* borrowed */
	struct object *items; /* items[0] is OBJECT_UNKNOWN */
	size_t count, capacity;
	struct objects_index *index;
};

struct objects *objects_create(struct intern *names);
/* The object a mapping names, added when new. is_kernel: the record's cpumode said kernel. */
uint32_t objects_of_mapping(struct objects *objects, const struct mapping_record *mapping, bool is_kernel);
uint32_t objects_of_ksymbol(struct objects *objects, const struct ksymbol_record *symbol);
/* The kernel of a recording that does not describe it. */
uint32_t objects_kernel(struct objects *objects);
/* Give a build id to every object of that path that has none. */
void objects_set_build_id(struct objects *objects, const char *path, const uint8_t *build_id, size_t size);
void objects_destroy(struct objects *objects);
DEFINE_GUARD(objects)

/* The kernel's name in a mapping ("[kernel.kallsyms]_text"): its length, 0 when it is no kernel. */
size_t object_kernel_name_length(const char *path);

#endif
