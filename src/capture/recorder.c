/* Record: wait, drain, obey, and end the file well. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>

#include "base/log.h"
#include "base/memory.h"
#include "capture/control.h"
#include "capture/recorder_private.h"
#include "perfdata/format.h"

enum { NS_PER_MS = 1000000, LOOK_MS = 50, PIPE_MS = 100 /* where nothing wakes us: tasks of others, rings of ended ones */ };

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct error *recorder_switch(struct recorder *recorder, size_t event, bool on)
{
	const struct kernel *kernel = recorder->setup.kernel;
	const struct place *places;
	size_t place_count = counters_places(recorder->counters, &places);
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	for (size_t i = 0; i < event_list_count(recorder->setup.events); i++) {
		bool leads = event_list_at(recorder->setup.events, i)->leader == i;

		if (event == SIZE_MAX ? !leads : event != i)
			continue;
		for (size_t place = 0; place < place_count; place++) {
			int fd = counters_fd(recorder->counters, i, place);

			if (fd >= 0 && kernel->control(fd, request, event == SIZE_MAX ? PERF_IOC_FLAG_GROUP : 0))
				return error_os(errno, "switch %s", event_list_at(recorder->setup.events, i)->name);
		}
	}
	return NULL;
}

/* What poll(2) waits for: rings, then the end of the task, signals, control. */
struct waiting {
	struct pollfd *fds;
	size_t ring_count;
	int signals;
	bool looks; /* from time to time, whatever poll says */
};

enum { WAIT_TASK, WAIT_SIGNALS, WAIT_CONTROL, WAIT_EXTRA };

static struct target *ends_with(const struct recorder *recorder)
{
	return recorder->setup.command ? recorder->setup.command : recorder->setup.target;
}

static struct error *waiting_init(struct recorder *recorder, struct waiting *ret)
{
	struct target *target = ends_with(recorder);
	sigset_t signals;
	size_t count = rings_count(recorder->rings);

	target_signals(&signals);
	ret->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (ret->signals < 0)
		return error_os(errno, "wait for signals");
	ret->ring_count = count;
	ret->fds = memory_zeroed(count + WAIT_EXTRA, sizeof(*ret->fds));
	for (size_t i = 0; i < count; i++)
		ret->fds[i] = (struct pollfd){ rings_fd(recorder->rings, i), POLLIN, 0 };
	ret->fds[count + WAIT_TASK] = (struct pollfd){ target_pidfd(target), POLLIN, 0 };
	ret->fds[count + WAIT_SIGNALS] = (struct pollfd){ ret->signals, POLLIN, 0 };
	ret->fds[count + WAIT_CONTROL] =
		(struct pollfd){ recorder->setup.control ? control_fd(recorder->setup.control) : -1, POLLIN, 0 };
	ret->looks = target_pidfd(target) < 0 && !target_is_cpus(target);
	return NULL;
}

static void waiting_release(struct waiting *waiting)
{
	close_guard(&waiting->signals);
	free(waiting->fds);
}

/* The next moment something is to be done; UINT64_MAX: none. */
static uint64_t next_deadline_ns(const struct recorder *recorder)
{
	const struct recorder_setup *setup = &recorder->setup;
	uint64_t next = setup->timeout_ns ? recorder->start_ns + setup->timeout_ns : UINT64_MAX;

	if (recorder->window < setup->window_count) {
		const struct recorder_window *window = &setup->windows[recorder->window];
		uint64_t at = recorder->start_ns + (recorder->window_is_open ? window->off_ns : window->on_ns);

		if (recorder->window_is_open && !window->off_ns)
			return next;
		return at < next ? at : next;
	}
	return next;
}

static int poll_ms(const struct recorder *recorder, const struct waiting *waiting)
{
	uint64_t deadline = next_deadline_ns(recorder), now = now_ns(CLOCK_MONOTONIC);
	uint64_t left = deadline <= now ? 0 : (deadline - now + NS_PER_MS - 1) / NS_PER_MS;

	if (waiting->looks && left > LOOK_MS)
		return LOOK_MS;
	/* Whoever reads a pipe wants to see what is there. */
	if (perfdata_writer_is_pipe(recorder->writer) && left > PIPE_MS)
		return PIPE_MS;
	return deadline == UINT64_MAX ? -1 : left > INT32_MAX ? INT32_MAX : (int)left;
}

/* Open or close the window whose time has come. */
static struct error *turn_windows(struct recorder *recorder)
{
	const struct recorder_setup *setup = &recorder->setup;
	uint64_t passed = now_ns(CLOCK_MONOTONIC) - recorder->start_ns;
	struct error *err = NULL;

	while (!err && recorder->window < setup->window_count) {
		const struct recorder_window *window = &setup->windows[recorder->window];

		if (recorder->window_is_open && (!window->off_ns || passed < window->off_ns))
			break;
		if (!recorder->window_is_open && passed < window->on_ns)
			break;
		recorder->window += recorder->window_is_open;
		recorder->window_is_open = !recorder->window_is_open;
		err = recorder_switch(recorder, SIZE_MAX, recorder->window_is_open);
	}
	if (setup->timeout_ns && passed >= setup->timeout_ns)
		recorder->stopped = true;
	return err;
}

/* A ring of an ended task says so for ever: leave it out, and look at what other tasks still put into it. */
static void drop_hung_up(struct waiting *waiting)
{
	for (size_t i = 0; i < waiting->ring_count; i++) {
		if (!(waiting->fds[i].revents & (POLLHUP | POLLERR | POLLNVAL)))
			continue;
		waiting->fds[i].fd = -1;
		waiting->looks = true;
	}
}

static struct error *check_end(struct recorder *recorder)
{
	struct target *target = ends_with(recorder);
	bool done;
	struct error *err = target_wait(target, 1, &done);
	int signal = target_signal(target);

	if (!err && signal)
		recorder->result.signal = signal;
	if (err || done || signal)
		recorder->stopped = true;
	return err;
}

static struct error *one_turn(struct recorder *recorder, struct waiting *waiting)
{
	const struct recorder_setup *setup = &recorder->setup;
	struct pollfd *control = &waiting->fds[waiting->ring_count + WAIT_CONTROL];
	struct error *err;

	if (poll(waiting->fds, waiting->ring_count + WAIT_EXTRA, poll_ms(recorder, waiting)) < 0 && errno != EINTR)
		return error_os(errno, "wait for samples");
	drop_hung_up(waiting);
	err = turn_windows(recorder);
	if (!err)
		err = recorder_drain(recorder);
	if (!err && control->revents) {
		err = recorder_obey(recorder);
		control->fd = control_fd(setup->control);
	}
	if (setup->max_bytes && perfdata_written(recorder->writer) >= setup->max_bytes && !recorder->stopped) {
		log_note("stopped: %s has reached its --max-size", setup->output);
		recorder->stopped = true;
	}
	return err ? err : check_end(recorder);
}

static struct error *start(struct recorder *recorder)
{
	const struct recorder_setup *setup = &recorder->setup;
	struct error *err = NULL;

	if (recorder->side_counters)
		err = counters_enable(recorder->side_counters);
	if (!err && !setup->start_disabled)
		err = counters_enable(recorder->counters);
	recorder->start_ns = now_ns(CLOCK_MONOTONIC);
	if (!err && setup->command)
		err = target_start(setup->command);
	return err;
}

static struct error *write_end(struct recorder *recorder)
{
	auto_text struct text build_ids = { 0 };
	uint64_t times[2] = { recorder->first_ns, recorder->last_ns };
	struct error *err = NULL;

	if (recorder->last_ns)
		err = perfdata_set_feature(recorder->writer, PERFDATA_FEATURE_SAMPLE_TIME, times, sizeof(times));
	if (!err && recorder->hits) {
		hits_finish(recorder->hits, recorder->setup.keep_binaries, recorder->setup.cache, &build_ids);
		if (build_ids.length)
			err = perfdata_set_feature(recorder->writer, PERFDATA_FEATURE_BUILD_ID, build_ids.bytes,
						   build_ids.length);
	}
	return err;
}

/* first: what went wrong before, to be told; the file is ended all the same. */
static struct error *finish(struct recorder *recorder, struct error *first)
{
	cleanup(error_guard) struct error *err = counters_disable(recorder->counters);

	if (!err && !first)
		err = recorder_drain(recorder);
	if (!err && !first)
		err = write_end(recorder);

	cleanup(error_guard) struct error *last = perfdata_finish(recorder->writer);

	recorder->result.bytes = perfdata_written(recorder->writer);
	recorder->result.cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	return first ? first : err ? take(err) : take(last);
}

struct error *recorder_run(struct recorder *recorder, struct recorder_result *ret)
{
	cleanup(waiting_release) struct waiting waiting = { .signals = -1 };
	struct error *err = waiting_init(recorder, &waiting);

	if (!err)
		err = start(recorder);
	while (!err && !recorder->stopped)
		err = one_turn(recorder, &waiting);
	err = finish(recorder, err);
	*ret = recorder->result;
	return err;
}
