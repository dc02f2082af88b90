/* One ring a CPU, or a task, into which all events there write. */
#include "capture/rings.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "base/memory.h"

struct placed_ring {
	struct place key; /* pid is -1 for a CPU's */
	int fd;           /* of the event it was mapped with */
	struct ring *ring;
};

struct rings {
	const struct kernel *kernel;
	struct placed_ring *items;
	size_t count, capacity;
	size_t pages;
	bool may_shrink;
};

/* The kernel lets events share a ring on one CPU, or, when not bound to a CPU, of one task. */
static struct place key_of(const struct place *place)
{
	return place->cpu >= 0 ? (struct place){ -1, place->cpu } : (struct place){ place->pid, -1 };
}

static struct placed_ring *find(const struct rings *rings, struct place key)
{
	/* Those of the last places are the likeliest. */
	for (size_t i = rings->count; i-- > 0;) {
		if (rings->items[i].key.pid == key.pid && rings->items[i].key.cpu == key.cpu)
			return &rings->items[i];
	}
	return NULL;
}

static struct error *add(struct rings *rings, struct place key, int fd)
{
	struct ring *ring = NULL;
	struct error *err = ring_open(rings->kernel, fd, rings->pages, &ring);

	while (err && rings->may_shrink && error_kind(err) == ERROR_PERMISSION && rings->pages > 1 && !rings->count) {
		error_destroy(err);
		rings->pages /= 2;
		err = ring_open(rings->kernel, fd, rings->pages, &ring);
	}
	if (err)
		return err;
	array_grow(&rings->items, rings->count, &rings->capacity);
	rings->items[rings->count++] = (struct placed_ring){ key, fd, ring };
	return NULL;
}

static struct error *attach(struct rings *rings, const struct place *place, int fd)
{
	struct place key = key_of(place);
	const struct placed_ring *ring = find(rings, key);

	if (!ring)
		return add(rings, key, fd);
	if (rings->kernel->control(fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)ring->fd))
		return error_os(errno, "share the ring of CPU %d", place->cpu);
	return NULL;
}

static struct error *attach_all(struct rings *rings, const struct counters *counters, size_t events)
{
	const struct place *places;
	size_t place_count = counters_places(counters, &places);

	for (size_t event = 0; event < events; event++) {
		for (size_t place = 0; place < place_count; place++) {
			int fd = counters_fd(counters, event, place);
			struct error *err = fd < 0 ? NULL : attach(rings, &places[place], fd);

			if (err)
				return err;
		}
	}
	return NULL;
}

struct error *rings_open(const struct rings_setup *setup, struct rings **ret)
{
	cleanup(rings_guard) struct rings *rings = memory_zeroed(1, sizeof(*rings));

	rings->kernel = setup->kernel;
	rings->pages = setup->pages;
	rings->may_shrink = setup->may_shrink;
	for (size_t i = 0; i < setup->counters_count; i++) {
		struct error *err = attach_all(rings, setup->counters[i], setup->event_counts[i]);

		if (err)
			return err;
	}
	*ret = take(rings);
	return NULL;
}

size_t rings_count(const struct rings *rings)
{
	return rings->count;
}

struct ring *rings_at(const struct rings *rings, size_t index)
{
	return rings->items[index].ring;
}

int rings_fd(const struct rings *rings, size_t index)
{
	return rings->items[index].fd;
}

void rings_destroy(struct rings *rings)
{
	if (!rings)
		return;
	for (size_t i = 0; i < rings->count; i++)
		ring_destroy(rings->items[i].ring);
	free(rings->items);
	free(rings);
}
