/* Probing what the kernel opens. */
#include "measure/probe.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

static int open_at(const struct kernel *kernel, const struct event *event, struct perf_event_attr *attr)
{
	bool place = event->system_wide;
	int cpu = place && event->cpus ? atoi(event->cpus) : place ? 0 : -1;
	int fd = kernel->open(attr, place ? -1 : 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	kernel->close(fd);
	return 0;
}

enum probe_answer probe_event(const struct kernel *kernel, const struct event *event, int *os_errno)
{
	struct perf_event_attr attr = event->attr;

	attr.disabled = 1;
	*os_errno = open_at(kernel, event, &attr);
	if (*os_errno == EINVAL && attr.exclude_guest) {
		attr.exclude_guest = 0;
		*os_errno = open_at(kernel, event, &attr);
	}
	if (!*os_errno)
		return PROBE_OPENS;
	if ((*os_errno != EACCES && *os_errno != EPERM) || attr.exclude_kernel || attr.exclude_user ||
	    event->system_wide)
		return PROBE_REFUSED;
	attr.exclude_kernel = attr.exclude_hv = 1;
	*os_errno = open_at(kernel, event, &attr);
	return *os_errno ? PROBE_REFUSED : PROBE_USER_ONLY;
}

enum { COUNTERS_LIMIT = 32, SPIN_COUNT = 200000 };

struct group {
	const struct kernel *kernel;
	int fds[COUNTERS_LIMIT];
	size_t count;
};

static void group_close(struct group *group)
{
	while (group->count)
		group->kernel->close(group->fds[--group->count]);
}

static bool group_open(struct group *group, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_HARDWARE,
			.size = PERF_ATTR_SIZE_VER0,
			.config = i ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_HW_CPU_CYCLES,
			.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
			.disabled = !i,
			.exclude_kernel = 1,
			.exclude_hv = 1,
		};
		int fd = group->kernel->open(&attr, 0, -1, i ? group->fds[0] : -1, PERF_FLAG_FD_CLOEXEC);

		if (fd < 0)
			return false;
		group->fds[group->count++] = fd;
	}
	return true;
}

/* A group that the kernel takes may still never run, when someone else holds a counter. */
static bool group_counts(struct group *group)
{
	struct {
		uint64_t value, enabled_ns, running_ns;
	} count;

	if (group->kernel->control(group->fds[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP))
		return false;
	for (volatile unsigned i = 0; i < SPIN_COUNT; i++)
		;
	group->kernel->control(group->fds[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	return group->kernel->read(group->fds[0], &count, sizeof(count)) == sizeof(count) && count.running_ns;
}

size_t probe_counters(const struct kernel *kernel)
{
	for (size_t size = 1; size <= COUNTERS_LIMIT; size++) {
		struct group group = { .kernel = kernel };
		bool fits = group_open(&group, size) && group_counts(&group);

		group_close(&group);
		if (!fits)
			return size - 1;
	}
	return COUNTERS_LIMIT;
}
