/* Records of what was there before the recording began: the kernel, its modules, running tasks. */
#ifndef CAPTURE_SYNTHESIS_H
#define CAPTURE_SYNTHESIS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

/* tail_bytes, here and below: the sample_id that ends each record of the recording; zeros. */

/* MMAP of the kernel and its modules; nothing where the kernel hides its addresses. */
void synthesize_kernel(struct text *records, size_t tail_bytes);
/* COMM and MMAP2 of a process and COMM of its threads; nothing when it is gone. */
void synthesize_process(struct text *records, size_t tail_bytes, pid_t pid);
/* Of all processes. */
must_use struct error *synthesize_processes(struct text *records, size_t tail_bytes);
/* Of the process a thread belongs to; 0 when it is gone. */
pid_t process_of_thread(pid_t tid);

/* The records themselves. */
void append_mapping(struct text *records, size_t tail_bytes, uint16_t misc, uint32_t pid, uint64_t address,
		    uint64_t length, uint64_t offset, const char *path);

#endif
