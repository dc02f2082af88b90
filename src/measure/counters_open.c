/* Open counters: attributes, what to do when the kernel refuses, groups that do not fit. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/text.h"
#include "measure/counters_private.h"
#include "measure/probe.h"
#include "measure/refusal.h"

/* One event at one place. */
struct attempt {
	struct counters *counters;
	struct event *event;
	size_t index, place;
};

static bool is_task(const struct attempt *attempt)
{
	return attempt->counters->places[attempt->place].pid >= 0;
}

static struct perf_event_attr make_attr(const struct attempt *attempt)
{
	const struct counters *counters = attempt->counters;
	struct perf_event_attr attr = attempt->event->attr;
	bool leads = counters_is_leader(counters, attempt->index);

	if (!attr.size)
		attr.size = PERF_ATTR_SIZE_VER0;
	/* Members follow their leader; what is on while its leader is off counts nothing. */
	attr.disabled = leads;
	attr.enable_on_exec = leads && counters->on_exec && is_task(attempt);
	attr.inherit = counters->setup.inherit && is_task(attempt);
	if (!counters->setup.sampling) {
		attr.sample_period = 0;
		attr.freq = 0;
		attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		if (!counters->no_group_read && counters_group_size(counters, counters->leader[attempt->index]) > 1)
			attr.read_format |= PERF_FORMAT_GROUP;
	}
	return attr;
}

static bool raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_once(const struct attempt *attempt, struct perf_event_attr *attr)
{
	const struct counters *counters = attempt->counters;
	const struct place *place = &counters->places[attempt->place];
	size_t leader = counters->leader[attempt->index];
	int group_fd = leader == attempt->index ? -1 : *counters_slot(counters, leader, attempt->place);

	*attr = make_attr(attempt);
	return counters->setup.kernel->open(attr, place->pid, place->cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
}

/* Change what the kernel may have objected to. Returns false when there is nothing left to change. */
static bool adapt(const struct attempt *attempt)
{
	struct counters *counters = attempt->counters;
	struct perf_event_attr *attr = &attempt->event->attr;

	switch (errno) {
	case EMFILE:
		return raise_file_limit();
	case EACCES:
	case EPERM: /* perf_event_paranoid 2: user mode is still free to count */
		if (attr->exclude_kernel || attr->exclude_user || !is_task(attempt))
			return false;
		attr->exclude_kernel = attr->exclude_hv = 1;
		counters->user_only[attempt->index] = true;
		return true;
	case EINVAL: /* Linux before 4.13 */
		if (counters->no_group_read || attempt->index != counters->leader[attempt->index] ||
		    counters_group_size(counters, attempt->index) < 2)
			return false;
		counters->no_group_read = true;
		return true;
	case EOPNOTSUPP:
	case ENOENT:
		if (!attempt->event->precise_max || !attr->precise_ip)
			return false;
		attr->precise_ip--;
		return true;
	default:
		return false;
	}
}

static struct error *explain(const struct attempt *attempt, const struct perf_event_attr *attr, int os_errno)
{
	struct refusal refusal = { .event = attempt->event->name, .attr = attr, .os_errno = os_errno,
				   .system_wide = !is_task(attempt), .sampling = attempt->counters->setup.sampling };
	struct refusal_machine machine = { .kernel = attempt->counters->setup.kernel };

	return refusal_explain(&refusal, &machine);
}

/* Why an event of the same kind was refused, the same way: the machine is asked once. NULL: none was. */
static struct error *explained_before(const struct attempt *attempt, int os_errno)
{
	const struct counters *counters = attempt->counters;

	for (size_t i = 0; i < attempt->index; i++) {
		const struct event *other = event_list_at(counters->setup.events, i);
		const struct error *why = counters->why[i];
		struct error *err;

		if (!why || counters->refused[i] != os_errno || other->attr.type != attempt->event->attr.type ||
		    other->attr.exclude_kernel != attempt->event->attr.exclude_kernel ||
		    !text_starts_with(error_message(why), other->name))
			continue;
		err = error_new(error_kind(why), "%s%s", attempt->event->name, error_message(why) + strlen(other->name));
		return error_hint_text(why) ? error_hint(err, "%s", error_hint_text(why)) : err;
	}
	return NULL;
}

static struct error *out_of_files(const struct attempt *attempt)
{
	struct error *err = error_os(EMFILE, "open %s: %zu events at %zu places", attempt->event->name,
				     attempt->counters->event_count, attempt->counters->place_count);

	return error_hint(err, "raise the limit first: ulimit -n 65536");
}

/* os_errno: 0 when it is open, ESRCH when the task is gone; any other refusal leaves its reason in counters->why. */
static struct error *open_at(const struct attempt *attempt, int *os_errno)
{
	struct counters *counters = attempt->counters;
	struct perf_event_attr attr;
	int fd;

	do
		fd = open_once(attempt, &attr);
	while (fd < 0 && adapt(attempt));
	*os_errno = fd < 0 ? errno : 0;
	*counters_slot(counters, attempt->index, attempt->place) = fd;
	if (!*os_errno || *os_errno == ESRCH)
		return NULL;
	if (*os_errno == EMFILE || *os_errno == ENFILE)
		return out_of_files(attempt);
	counters->refused[attempt->index] = *os_errno;
	counters->why[attempt->index] = explained_before(attempt, *os_errno);
	if (!counters->why[attempt->index])
		counters->why[attempt->index] = explain(attempt, &attr, *os_errno);
	return NULL;
}

/* The leader is not open there: neither is the member. */
static bool is_cut_off(const struct attempt *attempt)
{
	size_t leader = attempt->counters->leader[attempt->index];

	return leader != attempt->index && *counters_slot(attempt->counters, leader, attempt->place) < 0;
}

/* opened: at how many places; os_errno: of the refusal that stopped it, or 0. */
static struct error *open_event(struct counters *counters, size_t index, size_t *opened, int *os_errno)
{
	struct attempt attempt = { counters, event_list_edit(counters->setup.events, index), index, 0 };
	struct error *err = NULL;

	*os_errno = 0;
	for (size_t place = 0; !err && !*os_errno && place < counters->place_count; place++) {
		int refused;

		attempt.place = place;
		if (!counters_belongs(counters, index, place) || is_cut_off(&attempt))
			continue;
		err = open_at(&attempt, &refused);
		*opened += !err && !refused;
		*os_errno = refused == ESRCH ? 0 : refused;
	}
	if (*os_errno)
		counters_close_event(counters, index);
	return err;
}

static void append_group(struct text *out, const struct counters *counters, const size_t *members, size_t count)
{
	text_append(out, out->length ? ",{" : "{");
	for (size_t i = 0; i < count; i++) {
		text_append(out, i ? "," : "");
		text_append(out, event_list_at(counters->setup.events, members[i])->name);
	}
	text_append_char(out, '}');
}

static bool is_of_core(const struct counters *counters, const size_t *members, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (event_list_at(counters->setup.events, members[i])->system_wide)
			return false;
	return true;
}

/* members: of the group, in order; fit: how many of them the kernel took. */
static struct error *too_large(const struct counters *counters, const size_t *members, size_t count, size_t fit)
{
	size_t there = is_of_core(counters, members, count) ? probe_counters(counters->setup.kernel) : 0;
	auto_free char *counters_text = there ? memory_format("this CPU has %zu counters, and ", there) : NULL;
	auto_text struct text split = { 0 };
	struct error *err;

	for (size_t first = 0; first < count; first += fit)
		append_group(&split, counters, members + first, count - first < fit ? count - first : fit);
	err = error_new(ERROR_UNSUPPORTED, "the group of %zu events does not fit: %s%zu of them can count together here",
			count, counters_text ? counters_text : "", fit);
	return error_hint(err, "split it: -e '%s'", split.bytes);
}

/* members: of the group, in order; fit: how many the kernel took together. */
static struct error *group_too_large(const struct counters *counters, size_t leader)
{
	auto_free size_t *members = memory_zeroed(counters->event_count, sizeof(*members));
	size_t count = 0, fit = 0;

	for (size_t i = 0; i < counters->event_count; i++)
		if (counters->leader[i] == leader) {
			members[count++] = i;
			fit += !counters->why[i];
		}
	return too_large(counters, members, count, fit);
}

static void forget_why(struct counters *counters, size_t event)
{
	error_destroy(counters->why[event]);
	counters->why[event] = NULL;
}

/* Opens alone what was refused in its group: only counters were wanting then. */
static struct error *find_crowded(struct counters *counters, size_t index, bool *crowded)
{
	size_t leader = counters->leader[index], opened = 0;
	struct error *reason = take(counters->why[index]), *err;
	int os_errno;

	counters->leader[index] = index;
	err = open_event(counters, index, &opened, &os_errno);
	counters_close_event(counters, index);
	forget_why(counters, index);
	counters->leader[index] = leader;
	counters->why[index] = reason;
	*crowded = opened > 0;
	return err;
}

/* A weak group (modifier W) that does not fit becomes single events. */
static struct error *dissolve(struct counters *counters, size_t leader)
{
	struct error *err = NULL;
	size_t opened = 0;
	int os_errno;

	for (size_t i = counters->event_count; i-- > leader;)
		if (counters->leader[i] == leader) {
			counters_close_event(counters, i);
			forget_why(counters, i);
		}
	for (size_t i = leader; !err && i < counters->event_count; i++)
		if (counters->leader[i] == leader) {
			counters->leader[i] = i;
			err = open_event(counters, i, &opened, &os_errno);
		}
	return err;
}

static struct error *mend_groups(struct counters *counters, const bool *crowded)
{
	for (size_t i = 0; i < counters->event_count; i++) {
		size_t leader = counters->leader[i];
		struct error *err;

		if (!crowded[i] || leader == i)
			continue;
		if (!event_list_at(counters->setup.events, leader)->weak)
			return group_too_large(counters, leader);
		err = dissolve(counters, leader);
		if (err)
			return err;
	}
	return NULL;
}

/* Open nowhere, though the kernel refused nothing. */
static void mark_unopened(struct counters *counters, size_t index)
{
	const struct error *why = counters->why[counters->leader[index]];

	if (why)
		counters->why[index] = error_new(error_kind(why), "%s", error_message(why));
	else
		counters->why[index] = error_new(ERROR_UNSUPPORTED, "%s counts none of the chosen CPUs",
						 event_list_at(counters->setup.events, index)->name);
}

static struct error *open_all(struct counters *counters, bool *crowded)
{
	bool gone = counters->event_count > 0;

	for (size_t i = 0; i < counters->event_count; i++) {
		size_t opened = 0;
		int os_errno;
		struct error *err;

		if (counters->setup.chosen && !counters->setup.chosen[i])
			continue;
		err = open_event(counters, i, &opened, &os_errno);
		if (!err && (os_errno == EINVAL || os_errno == ENOSPC) && counters->leader[i] != i)
			err = find_crowded(counters, i, &crowded[i]);
		if (err)
			return err;
		gone = gone && !opened && !counters->why[i] && counters->task_place_count;
		if (!opened && !counters->why[i] && !gone)
			mark_unopened(counters, i);
	}
	return gone ? error_new(ERROR_NOT_FOUND, "every task to measure has ended") : NULL;
}

static bool is_first_of_type(const struct counters *counters, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!counters->why[i] && event_list_at(counters->setup.events, i)->attr.type ==
						 event_list_at(counters->setup.events, index)->attr.type)
			return false;
	return true;
}

/* A task that inherits all its counters may swap them with its parent's when the kernel switches between the two
 * (perf_event_context_sched_out()): the launcher would then hold the command's counters, running, and later
 * commands would inherit spent ones. A counter that is not inherited makes their sets unlike, and the kernel leaves
 * both in place. Before Linux 6.2 each kind of PMU has a set of its own, so each type gets one; switched off, it
 * takes no hardware counter. */
static struct error *keep_apart(struct counters *counters)
{
	for (size_t i = 0; i < counters->event_count; i++) {
		struct perf_event_attr attr = event_list_at(counters->setup.events, i)->attr;
		bool is_open = counters_fd(counters, i, 0) >= 0;

		if (!is_open || !is_first_of_type(counters, i))
			continue;
		attr.size = attr.size ? attr.size : PERF_ATTR_SIZE_VER0;
		attr.disabled = 1;
		attr.sample_period = attr.freq = 0;
		counters->keep_apart_fds[i] = counters->setup.kernel->open(
			&attr, launcher_pid(counters->setup.launcher), -1, -1, PERF_FLAG_FD_CLOEXEC);
		if (counters->keep_apart_fds[i] < 0)
			return error_os(errno, "open a counter on the launcher");
	}
	return NULL;
}

static struct counters *prepare(const struct counters_setup *setup)
{
	struct counters *counters = memory_zeroed(1, sizeof(*counters));

	counters->setup = *setup;
	if (!setup->target)
		counters->setup.inherit = counters->setup.enable_on_exec = true;
	counters->on_exec = counters->setup.enable_on_exec;
	counters->event_count = event_list_count(setup->events);
	counters->keep_apart_fds = memory_alloc(counters->event_count * sizeof(*counters->keep_apart_fds));
	for (size_t i = 0; i < counters->event_count; i++)
		counters->keep_apart_fds[i] = -1;
	counters->leader = memory_zeroed(counters->event_count, sizeof(*counters->leader));
	counters->why = memory_zeroed(counters->event_count, sizeof(*counters->why));
	counters->refused = memory_zeroed(counters->event_count, sizeof(*counters->refused));
	counters->user_only = memory_zeroed(counters->event_count, sizeof(*counters->user_only));
	for (size_t i = 0; i < counters->event_count; i++)
		counters->leader[i] = event_list_at(setup->events, i)->leader;
	return counters;
}

struct error *counters_open(const struct counters_setup *setup, struct counters **ret)
{
	cleanup(counters_guard) struct counters *counters = prepare(setup);
	auto_free bool *crowded = memory_zeroed(counters->event_count, sizeof(*crowded));
	struct error *err = counters_find_places(counters);
	size_t slots = counters->event_count * counters->place_count;

	if (err)
		return err;
	counters->fds = memory_alloc(slots * sizeof(*counters->fds));
	for (size_t i = 0; i < slots; i++)
		counters->fds[i] = -1;
	err = open_all(counters, crowded);
	if (!err)
		err = mend_groups(counters, crowded);
	if (!err && !setup->target)
		err = keep_apart(counters);
	if (err)
		return err;
	*ret = take(counters);
	return NULL;
}
