/* One ring buffer the kernel fills with records. */
#include "measure/ring.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/memory.h"

struct ring {
	const struct kernel *kernel;
	struct perf_event_mmap_page *page;
	const unsigned char *bytes;
	size_t size, mapped_size;
};

struct error *ring_open(const struct kernel *kernel, int fd, size_t pages, struct ring **ret)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct ring ring = { .kernel = kernel, .size = pages * page_bytes };

	ring.mapped_size = ring.size + page_bytes;
	ring.page = kernel->map(fd, ring.mapped_size);
	if (!ring.page) {
		struct error *err = error_os(errno, "map a ring of %zu KiB", ring.size / 1024);

		if (errno != EPERM && errno != EAGAIN)
			return err;
		return error_hint(err, "use smaller rings, or raise kernel.perf_event_mlock_kb with sysctl");
	}
	ring.bytes = (const unsigned char *)ring.page + page_bytes;
	*ret = memory_copy(&ring, sizeof(ring));
	return NULL;
}

/* The kernel's side of the protocol: perf_event_open(2), "Ring-buffer layout": read data_head, then the bytes;
 * write data_tail after the bytes were used. */
size_t ring_peek(struct ring *ring, const void *spans[2], size_t sizes[2])
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	size_t waiting = (size_t)(head - tail), start = (size_t)tail & (ring->size - 1);

	if (!waiting)
		return 0;
	spans[0] = ring->bytes + start;
	sizes[0] = waiting;
	if (start + waiting <= ring->size)
		return 1;
	sizes[0] = ring->size - start;
	spans[1] = ring->bytes;
	sizes[1] = waiting - sizes[0];
	return 2;
}

void ring_consume(struct ring *ring, size_t bytes)
{
	__atomic_store_n(&ring->page->data_tail, ring->page->data_tail + bytes, __ATOMIC_RELEASE);
}

void ring_destroy(struct ring *ring)
{
	if (!ring)
		return;
	munmap(ring->page, ring->mapped_size);
	free(ring);
}
