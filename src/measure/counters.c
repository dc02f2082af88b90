/* Open counters: switch them on and off, read them, close them. Opening is in counters_open.c. */
#include "measure/counters.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/counters_private.h"

int *counters_slot(const struct counters *counters, size_t event, size_t place)
{
	return &counters->fds[event * counters->place_count + place];
}

bool counters_is_leader(const struct counters *counters, size_t event)
{
	return counters->leader[event] == event;
}

size_t counters_group_size(const struct counters *counters, size_t leader)
{
	size_t size = 0;

	for (size_t i = 0; i < counters->event_count; i++)
		size += counters->leader[i] == leader;
	return size;
}

const struct error *counters_why(const struct counters *counters, size_t event)
{
	return counters->why[event];
}

bool counters_user_only(const struct counters *counters, size_t event)
{
	return counters->user_only[event];
}

size_t counters_places(const struct counters *counters, const struct place **ret)
{
	*ret = counters->places;
	return counters->place_count;
}

int counters_fd(const struct counters *counters, size_t event, size_t place)
{
	return *counters_slot(counters, event, place);
}

uint64_t counters_id(const struct counters *counters, size_t event, size_t place)
{
	int fd = counters_fd(counters, event, place);
	uint64_t id = 0;

	if (fd >= 0)
		counters->setup.kernel->control(fd, PERF_EVENT_IOC_ID, (unsigned long)&id);
	return id;
}

/* One call a group: its members follow their leader. */
static struct error *control_all(struct counters *counters, unsigned long request, bool all)
{
	for (size_t event = 0; event < counters->event_count; event++)
		for (size_t place = 0; place < counters->place_count; place++) {
			int fd = counters_fd(counters, event, place);

			if (fd < 0 || !counters_is_leader(counters, event))
				continue;
			if (!all && counters->on_exec && counters->places[place].pid >= 0)
				continue;
			if (counters->setup.kernel->control(fd, request, PERF_IOC_FLAG_GROUP))
				return error_os(errno, "switch the counters of %s",
						event_list_at(counters->setup.events, event)->name);
		}
	return NULL;
}

struct error *counters_enable(struct counters *counters)
{
	return control_all(counters, PERF_EVENT_IOC_ENABLE, false);
}

struct error *counters_disable(struct counters *counters)
{
	return control_all(counters, PERF_EVENT_IOC_DISABLE, true);
}

/* Layouts of a read: perf_event_open(2), "Reading results". */
enum { SINGLE_VALUE, SINGLE_ENABLED, SINGLE_RUNNING, SINGLE_WORDS };
enum { GROUP_COUNT, GROUP_ENABLED, GROUP_RUNNING, GROUP_VALUES };

static struct error *read_words(struct counters *counters, size_t event, size_t place, uint64_t *words, size_t count)
{
	const struct kernel *kernel = counters->setup.kernel;
	ssize_t size = kernel->read(counters_fd(counters, event, place), words, count * sizeof(*words));
	const char *name = event_list_at(counters->setup.events, event)->name;

	if (size < 0)
		return error_os(errno, "read the counter of %s", name);
	/* A pinned event that lost its counter reads as end of file: it has counted nothing. */
	if (size == 0)
		memset(words, 0, count * sizeof(*words));
	else if ((size_t)size < count * sizeof(*words))
		return error_new(ERROR_OS, "read the counter of %s: %zd bytes", name, size);
	return NULL;
}

static struct error *read_single(struct counters *counters, size_t event, size_t place, struct count *counts)
{
	uint64_t words[SINGLE_WORDS];
	struct error *err = read_words(counters, event, place, words, SINGLE_WORDS);

	if (!err)
		counts[event * counters->place_count + place] =
			(struct count){ words[SINGLE_VALUE], words[SINGLE_ENABLED], words[SINGLE_RUNNING] };
	return err;
}

/* The kernel lists members in the order they were opened: ours. One read, so that they belong together. */
static struct error *read_group(struct counters *counters, size_t leader, size_t place, struct count *counts)
{
	size_t next = GROUP_VALUES, word_count = GROUP_VALUES + counters_group_size(counters, leader);
	auto_free uint64_t *words = memory_zeroed(word_count, sizeof(*words));
	size_t open = 0;

	for (size_t i = 0; i < counters->event_count; i++)
		open += counters->leader[i] == leader && counters_fd(counters, i, place) >= 0;

	struct error *err = read_words(counters, leader, place, words, GROUP_VALUES + open);

	for (size_t i = leader; !err && i < counters->event_count; i++)
		if (counters->leader[i] == leader && counters_fd(counters, i, place) >= 0)
			counts[i * counters->place_count + place] =
				(struct count){ words[next++], words[GROUP_ENABLED], words[GROUP_RUNNING] };
	return err;
}

static bool reads_as_group(const struct counters *counters, size_t event)
{
	return !counters->setup.sampling && !counters->no_group_read &&
	       counters_group_size(counters, counters->leader[event]) > 1;
}

static struct error *read_one(struct counters *counters, size_t event, size_t place, struct count *counts)
{
	if (counters_fd(counters, event, place) < 0)
		return NULL;
	if (!reads_as_group(counters, event))
		return read_single(counters, event, place, counts);
	return counters_is_leader(counters, event) ? read_group(counters, event, place, counts) : NULL;
}

struct error *counters_read(struct counters *counters, struct count *counts)
{
	size_t total = counters->event_count * counters->place_count;
	auto_free struct count *fresh = memory_zeroed(total, sizeof(*fresh));

	for (size_t event = 0; event < counters->event_count; event++)
		for (size_t place = 0; place < counters->place_count; place++) {
			struct error *err = read_one(counters, event, place, fresh);

			if (err)
				return err;
		}
	if (total)
		memcpy(counts, fresh, total * sizeof(*counts));
	return NULL;
}

void counters_close_event(struct counters *counters, size_t event)
{
	for (size_t place = 0; place < counters->place_count; place++) {
		int *fd = counters_slot(counters, event, place);

		if (*fd >= 0)
			counters->setup.kernel->close(*fd);
		*fd = -1;
	}
}

void counters_destroy(struct counters *counters)
{
	if (!counters)
		return;
	/* Members before leaders: a member whose leader is closed becomes a single event, at some cost. */
	for (size_t i = counters->event_count; counters->fds && i-- > 0;)
		counters_close_event(counters, i);
	for (size_t i = 0; i < counters->event_count; i++)
		error_destroy(counters->why[i]);
	for (size_t i = 0; i < counters->event_count; i++)
		if (counters->keep_apart_fds[i] >= 0)
			counters->setup.kernel->close(counters->keep_apart_fds[i]);
	free(counters->places);
	free(counters->fds);
	free(counters->leader);
	free(counters->why);
	free(counters->keep_apart_fds);
	free(counters->refused);
	free(counters->user_only);
	free(counters);
}

double count_scaled(struct count count)
{
	if (!count.running_ns)
		return NAN;
	if (count.running_ns >= count.enabled_ns)
		return (double)count.value;
	return (double)count.value * ((double)count.enabled_ns / (double)count.running_ns);
}
