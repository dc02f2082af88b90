/* Records: what the kernel and the recorder write into a perf.data file, one after another. */
#ifndef PERFDATA_RECORD_H
#define PERFDATA_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A view of one whole record in native byte order. Borrowed from the reader until its next call. */
struct record {
	uint32_t type;           /* PERF_RECORD_*, or one of perfdata/format.h from 64 up */
	uint16_t misc;           /* PERF_RECORD_MISC_* */
	uint32_t size;           /* bytes, header included; never less than 8 */
	const void *body;        /* size - 8 bytes, 8-byte aligned */
	size_t attr_index;       /* which event it belongs to; SIZE_MAX: none */
	uint64_t time_ns;        /* of the sample or its sample_id; 0: none */
	uint64_t file_offset;
};

/* A decoded PERF_RECORD_SAMPLE; pointers borrow from the record. Absent fields are 0 or NULL. */
struct sample {
	uint64_t ip, addr, id, stream_id, period, weight, data_src, transaction, phys_addr, cgroup;
	uint64_t data_page_size, code_page_size;
	uint64_t time_ns;            /* CLOCK of attr.clockid */
	uint32_t pid, tid, cpu;
	const uint64_t *callchain;   /* [callchain_length], innermost first, PERF_CONTEXT_* among them */
	size_t callchain_length;
	const void *raw;             /* not swapped */
	size_t raw_size;
	const uint64_t *user_regs;   /* [popcount(attr.sample_regs_user)], by rising perf bit */
	uint64_t user_regs_abi;      /* PERF_SAMPLE_REGS_ABI_* */
	const void *user_stack;      /* from the stack pointer up */
	size_t user_stack_size;      /* bytes that were copied, not asked for */
	const struct perf_branch_entry *branches;
	size_t branch_count;
	const uint64_t *read;        /* the PERF_SAMPLE_READ words, laid out as attr.read_format says */
	size_t read_words;
};

/* Source: kernel/events/core.c, perf_output_sample(). Errors: ERROR_FORMAT when a field overruns. */
must_use struct error *sample_decode(const struct perf_event_attr *attr, const struct record *record,
				     struct sample *ret);

/* Decoded side-band records; strings borrow from the record and are NUL-terminated inside it. */
struct mapping_record { /* MMAP and MMAP2 */
	uint32_t pid, tid;
	uint64_t address, length, file_offset;
	uint32_t prot, flags;
	const uint8_t *build_id; /* NULL: none in the record */
	size_t build_id_size;
	uint64_t inode;          /* 0 when the record has a build id instead */
	uint32_t device_major, device_minor;
	const char *path;
};
struct comm_record {
	uint32_t pid, tid;
	bool is_exec;
	const char *comm;
};
struct task_record { /* FORK and EXIT */
	uint32_t pid, parent_pid, tid, parent_tid;
};
struct ksymbol_record {
	uint64_t address;
	uint32_t length;
	uint16_t symbol_type, flags; /* PERF_RECORD_KSYMBOL_* */
	const char *name;
};

must_use struct error *mapping_record_decode(const struct record *record, struct mapping_record *ret);
must_use struct error *comm_record_decode(const struct record *record, struct comm_record *ret);
must_use struct error *task_record_decode(const struct record *record, struct task_record *ret);
must_use struct error *ksymbol_record_decode(const struct record *record, struct ksymbol_record *ret);

#endif
