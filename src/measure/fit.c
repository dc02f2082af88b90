/* Which events can count at the same time here: the kernel is asked, by opening them as one group. */
#include "measure/fit.h"

#include "base/file.h"
#include "base/memory.h"

struct fit {
	const struct kernel *kernel;
	struct event_list *events;
	int *set;
	bool watchdog; /* a system-wide counter that no group check knows of */
};

static bool is_leader(const struct fit *fit, size_t event)
{
	return event_list_at(fit->events, event)->leader == event;
}

static bool needs_counter(const struct event *event)
{
	return event->attr.type != PERF_TYPE_SOFTWARE && event->attr.type != PERF_TYPE_TRACEPOINT &&
	       event->attr.type != PERF_TYPE_BREAKPOINT && !event->system_wide;
}

static int open_here(const struct fit *fit, const struct perf_event_attr *wanted, int group_fd)
{
	struct perf_event_attr attr = *wanted;
	int fd;

	if (!attr.size)
		attr.size = PERF_ATTR_SIZE_VER0;
	attr.disabled = group_fd < 0;
	/* arm64 leaves a leader that is off out of the reckoning, unless exec will turn it on. */
	attr.enable_on_exec = attr.disabled;
	attr.sample_period = 0;
	attr.freq = 0;
	fd = fit->kernel->open(&attr, 0, -1, group_fd, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		attr.exclude_kernel = attr.exclude_hv = 1;
		fd = fit->kernel->open(&attr, 0, -1, group_fd, PERF_FLAG_FD_CLOEXEC);
	}
	return fd;
}

static bool in_trial(const struct fit *fit, size_t event, int set, size_t leader)
{
	return (set >= 0 && fit->set[event] == set) || event_list_at(fit->events, event)->leader == leader;
}

/* The members of a set with one group more, opened together, the watchdog's cycles among them. */
static bool opens_together(const struct fit *fit, int set, size_t leader)
{
	const struct perf_event_attr cycles = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
						.size = PERF_ATTR_SIZE_VER0 };
	size_t count = event_list_count(fit->events), open = 0;
	auto_free int *fds = memory_alloc((count + 1) * sizeof(*fds));
	bool fits = true;

	if (fit->watchdog) {
		fds[0] = open_here(fit, &cycles, -1);
		open = fds[0] >= 0;
	}
	for (size_t i = 0; i < count && fits; i++) {
		if (!in_trial(fit, i, set, leader))
			continue;
		fds[open] = open_here(fit, &event_list_at(fit->events, i)->attr, open ? fds[0] : -1);
		fits = fds[open] >= 0;
		open += fits;
	}
	while (open)
		fit->kernel->close(fds[--open]);
	return fits;
}

static void put_group(const struct fit *fit, size_t leader, int set)
{
	for (size_t i = leader; i < event_list_count(fit->events); i++)
		if (event_list_at(fit->events, i)->leader == leader)
			fit->set[i] = set;
}

/* What does not open alone is left to the opener to explain. */
static bool concerns(const struct fit *fit, size_t leader)
{
	for (size_t i = leader; i < event_list_count(fit->events); i++)
		if (event_list_at(fit->events, i)->leader == leader && needs_counter(event_list_at(fit->events, i)))
			return opens_together(fit, FIT_EVERYWHERE, leader);
	return false;
}

size_t fit_sets(const struct kernel *kernel, struct event_list *events, int *set)
{
	struct fit fit = { .kernel = kernel, .events = events, .set = set };
	size_t set_count = 0;
	long long watchdog = 0;

	fit.watchdog = file_read_number("/proc/sys/kernel/nmi_watchdog", &watchdog) && watchdog > 0;
	for (size_t i = 0; i < event_list_count(events); i++)
		set[i] = FIT_EVERYWHERE;
	for (size_t i = 0; i < event_list_count(events); i++) {
		size_t chosen = 0;

		if (!is_leader(&fit, i) || !concerns(&fit, i))
			continue;
		while (chosen < set_count && !opens_together(&fit, (int)chosen, i))
			chosen++;
		put_group(&fit, i, (int)chosen);
		set_count = chosen == set_count ? chosen + 1 : set_count;
	}
	return set_count;
}
