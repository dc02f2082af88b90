/* The perf.data format: header, record and feature numbers beyond the kernel's own. */
#ifndef PERFDATA_FORMAT_H
#define PERFDATA_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

/* Source: tools/perf/Documentation/perf.data-file-format.txt. */
#define PERFDATA_MAGIC 0x32454c4946524550u    /* "PERFILE2" of a little-endian word */
#define PERFDATA_MAGIC_V1 0x454c494646524550u /* "PERFFILE" */

struct perfdata_section {
	uint64_t offset, size; /* bytes of the file */
};

enum { PERFDATA_FEATURE_BITS = 256 };

struct perfdata_header {
	uint64_t magic;
	uint64_t size;      /* of this header; PERFDATA_PIPE_HEADER_SIZE in a pipe */
	uint64_t attr_size; /* of one entry of attrs: the attribute and a section of its ids */
	struct perfdata_section attrs, data, event_types;
	uint64_t features[PERFDATA_FEATURE_BITS / 64];
};

enum {
	PERFDATA_PIPE_HEADER_SIZE = 16,
	PERFDATA_V1_HEADER_SIZE = 72, /* without the feature bits */
	PERFDATA_EVENT_TYPE_SIZE = 72, /* of version 1: u64 config, char name[64] */
	PERFDATA_RECORD_MAX = 65535,
};

/* Record types the recorder writes. Source: tools/lib/perf/include/perf/event.h. */
enum perfdata_record_type {
	PERFDATA_RECORD_CALLCHAIN_DEFERRED = 22, /* the kernel's; newer than some headers */
	PERFDATA_RECORD_HEADER_ATTR = 64,
	PERFDATA_RECORD_EVENT_TYPE,
	PERFDATA_RECORD_TRACING_DATA, /* u32 size of the payload behind it, then the payload, not counted in size */
	PERFDATA_RECORD_BUILD_ID,
	PERFDATA_RECORD_FINISHED_ROUND,
	PERFDATA_RECORD_ID_INDEX,
	PERFDATA_RECORD_AUXTRACE_INFO,
	PERFDATA_RECORD_AUXTRACE, /* u64 size of the payload behind it, not counted in size */
	PERFDATA_RECORD_AUXTRACE_ERROR,
	PERFDATA_RECORD_THREAD_MAP,
	PERFDATA_RECORD_CPU_MAP,
	PERFDATA_RECORD_STAT_CONFIG,
	PERFDATA_RECORD_STAT,
	PERFDATA_RECORD_STAT_ROUND,
	PERFDATA_RECORD_EVENT_UPDATE,
	PERFDATA_RECORD_TIME_CONV,
	PERFDATA_RECORD_HEADER_FEATURE,
	PERFDATA_RECORD_COMPRESSED,
	PERFDATA_RECORD_FINISHED_INIT,
	PERFDATA_RECORD_COMPRESSED2,
	PERFDATA_RECORD_BPF_METADATA,
	PERFDATA_RECORD_SCHEDSTAT_CPU,
	PERFDATA_RECORD_SCHEDSTAT_DOMAIN,
};

/* Feature sections. Source: tools/perf/util/header.h. */
enum perfdata_feature {
	PERFDATA_FEATURE_TRACING_DATA = 1,
	PERFDATA_FEATURE_BUILD_ID,
	PERFDATA_FEATURE_HOSTNAME,
	PERFDATA_FEATURE_OSRELEASE,
	PERFDATA_FEATURE_VERSION,
	PERFDATA_FEATURE_ARCH,
	PERFDATA_FEATURE_NRCPUS,
	PERFDATA_FEATURE_CPUDESC,
	PERFDATA_FEATURE_CPUID,
	PERFDATA_FEATURE_TOTAL_MEM,
	PERFDATA_FEATURE_CMDLINE,
	PERFDATA_FEATURE_EVENT_DESC,
	PERFDATA_FEATURE_CPU_TOPOLOGY,
	PERFDATA_FEATURE_NUMA_TOPOLOGY,
	PERFDATA_FEATURE_BRANCH_STACK,
	PERFDATA_FEATURE_PMU_MAPPINGS,
	PERFDATA_FEATURE_GROUP_DESC,
	PERFDATA_FEATURE_AUXTRACE,
	PERFDATA_FEATURE_STAT,
	PERFDATA_FEATURE_CACHE,
	PERFDATA_FEATURE_SAMPLE_TIME,
	PERFDATA_FEATURE_MEM_TOPOLOGY,
	PERFDATA_FEATURE_CLOCKID,
	PERFDATA_FEATURE_DIR_FORMAT,
	PERFDATA_FEATURE_BPF_PROG_INFO,
	PERFDATA_FEATURE_BPF_BTF,
	PERFDATA_FEATURE_COMPRESSED,
	PERFDATA_FEATURE_CPU_PMU_CAPS,
	PERFDATA_FEATURE_CLOCK_DATA,
	PERFDATA_FEATURE_HYBRID_TOPOLOGY,
	PERFDATA_FEATURE_PMU_CAPS,
};

/* misc bits of a BUILD_ID record and of MMAP2. */
enum { PERFDATA_MISC_BUILD_ID_SIZE = 1 << 15 };

/* What EVENT_UPDATE says of an event. */
enum perfdata_update {
	PERFDATA_UPDATE_UNIT,
	PERFDATA_UPDATE_SCALE,
	PERFDATA_UPDATE_NAME,
	PERFDATA_UPDATE_CPUS,
};

/* In a call chain: the next word is the cookie of a CALLCHAIN_DEFERRED record to come. */
#define PERFDATA_CONTEXT_USER_DEFERRED ((uint64_t)-640)

/* "SAMPLE", "MMAP2"; "type 4711" kinds are "unknown". */
const char *perfdata_record_name(uint32_t type);

#endif
