/* How events are sampled: the attributes. */
#include "capture/sampling.h"

#include <sys/types.h>

#include "arch/arch.h"
#include "base/file.h"
#include "perfdata/writer.h"

enum { DEFAULT_MAX_FREQUENCY = 100000 };

static bool opens(const struct kernel *kernel, struct perf_event_attr *attr)
{
	int fd;

	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->size = PERF_ATTR_SIZE_VER0;
	attr->disabled = attr->exclude_kernel = attr->exclude_hv = 1;
	fd = kernel->open(attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		kernel->close(fd);
	return fd >= 0;
}

void sampling_probe(const struct kernel *kernel, struct sampling_support *ret)
{
	struct perf_event_attr both = { .mmap = 1, .mmap2 = 1, .build_id = 1, .read_format = PERF_FORMAT_LOST };
	struct perf_event_attr build_id = { .mmap = 1, .mmap2 = 1, .build_id = 1 };

	*ret = (struct sampling_support){ true, true };
	if (opens(kernel, &both))
		return;
	*ret = (struct sampling_support){ opens(kernel, &build_id), false };
}

static uint64_t user_registers(void)
{
	const struct arch *arch = arch_host();
	uint64_t mask = 0;

	for (size_t i = 0; i < arch->register_count; i++)
		mask |= 1ull << arch->registers[i].perf_bit;
	return mask;
}

static void ask_for_side_band(const struct sampling *sampling, const struct sampling_support *support,
			      struct perf_event_attr *attr)
{
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = 1;
	attr->build_id = support->build_id;
	attr->namespaces = sampling->namespaces;
	attr->context_switch = sampling->switches;
	/* Text that appears while we record: BPF programs, trampolines. Others' business without privilege. */
	attr->ksymbol = attr->bpf_event = geteuid() == 0;
}

static void ask_for_stacks(const struct sampling *sampling, struct perf_event_attr *attr)
{
	if (sampling->call_graph != CALL_GRAPH_NONE)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->exclude_callchain_kernel = sampling->user_callchains;
	if (sampling->call_graph == CALL_GRAPH_DWARF) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr->sample_regs_user = user_registers();
		attr->sample_stack_user = sampling->stack_bytes;
		attr->exclude_callchain_user = 1;
	}
	if (sampling->branches) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = sampling->branches;
	}
}

/* The fields every record of every event has. */
static void ask_for_fields(const struct sampling *sampling, bool several, struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	if (!sampling->no_time)
		attr->sample_type |= PERF_SAMPLE_TIME;
	if (!sampling->no_period)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	if (sampling->cpu)
		attr->sample_type |= PERF_SAMPLE_CPU;
	if (several)
		attr->sample_type |= PERF_SAMPLE_IDENTIFIER;
	if (attr->type == PERF_TYPE_TRACEPOINT)
		attr->sample_type |= PERF_SAMPLE_RAW;
	attr->sample_id_all = 1;
	attr->watermark = 1;
	attr->wakeup_watermark = sampling->watermark_bytes;
	attr->use_clockid = sampling->has_clock;
	attr->clockid = sampling->has_clock ? sampling->clock : 0;
}

static void ask_for_rate(const struct sampling *sampling, struct perf_event_attr *attr)
{
	/* A period= or freq= term of the event itself goes before. */
	if (attr->sample_period)
		return;
	if (attr->type == PERF_TYPE_TRACEPOINT && sampling->is_default_rate) {
		attr->sample_period = 1;
		return;
	}
	attr->freq = !sampling->period;
	if (sampling->period)
		attr->sample_period = sampling->period;
	else
		attr->sample_freq = sampling->frequency;
}

/* S: the leader samples and reads the others. */
static void ask_for_reads(struct perf_event_attr *attr, bool is_leader)
{
	attr->sample_type |= PERF_SAMPLE_READ;
	attr->read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!is_leader) {
		attr->freq = 0;
		attr->sample_period = 0;
	}
}

static bool leader_reads(const struct event_list *events, const struct event *event)
{
	return event->sample_read || event_list_at(events, event->leader)->sample_read;
}

void sampling_apply(const struct sampling *sampling, const struct sampling_support *support,
		    struct event_list *events, bool *reads)
{
	size_t count = event_list_count(events);

	*reads = false;
	for (size_t i = 0; i < count; i++) {
		struct event *event = event_list_edit(events, i);
		struct perf_event_attr *attr = &event->attr;

		ask_for_fields(sampling, count > 1 || sampling->separate_side_band, attr);
		ask_for_rate(sampling, attr);
		ask_for_stacks(sampling, attr);
		attr->read_format = PERF_FORMAT_ID | (support->lost ? PERF_FORMAT_LOST : 0);
		if (leader_reads(events, event)) {
			ask_for_reads(attr, event->leader == i);
			*reads = true;
		}
		attr->exclude_user |= sampling->all_kernel;
		attr->exclude_kernel |= sampling->all_user;
		attr->exclude_hv |= sampling->all_user;
		if (i == 0 && !sampling->separate_side_band)
			ask_for_side_band(sampling, support, attr);
		attr->size = perfdata_attr_size(attr);
	}
}

struct event_list *sampling_side_band(const struct sampling *sampling, const struct sampling_support *support)
{
	struct event_list *events = event_list_create();
	struct error *err = event_list_add(events, "dummy:u");

	/* The name is the kernel's own, always there. */
	if (err)
		abort();

	struct perf_event_attr *attr = &event_list_edit(events, 0)->attr;

	ask_for_fields(sampling, true, attr);
	attr->sample_period = 1;
	attr->read_format = PERF_FORMAT_ID | (support->lost ? PERF_FORMAT_LOST : 0);
	ask_for_side_band(sampling, support, attr);
	attr->size = perfdata_attr_size(attr);
	return events;
}

uint64_t sampling_max_frequency(void)
{
	long long frequency;

	return file_read_number("/proc/sys/kernel/perf_event_max_sample_rate", &frequency) && frequency > 0 ?
		       (uint64_t)frequency :
		       DEFAULT_MAX_FREQUENCY;
}
