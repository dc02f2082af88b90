/* An array of written memory. */
#include "workload/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

struct error *lines_init(uint64_t bytes, struct lines *ret)
{
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mapped == MAP_FAILED)
		return error_os(errno, "map an array of %ju bytes", (uintmax_t)bytes);
	memset(mapped, 0, bytes);
	*ret = (struct lines){ mapped, bytes / CACHE_LINE };
	return NULL;
}

void lines_release(struct lines *lines)
{
	if (lines->bytes)
		munmap(lines->bytes, lines->count * CACHE_LINE);
}
