/* The least that any report does: walk the records of a mapped file, and add samples up by address, process and chain.
 * usage: walk FILE */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "perfdata/format.h"
#include "perfdata/layout.h"

struct slot {
	uint64_t key, count;
};

static struct slot *slots;
static size_t slot_count, used;

static struct slot *place_of(uint64_t key)
{
	size_t at = hash_word(key) & (slot_count - 1);

	while (slots[at].key && slots[at].key != key)
		at = (at + 1) & (slot_count - 1);
	return &slots[at];
}

static void grow(void)
{
	struct slot *old = slots;
	size_t count = slot_count;

	slot_count = count ? 2 * count : 1 << 12;
	slots = calloc(slot_count, sizeof(*slots));
	if (!slots)
		abort();
	for (size_t i = 0; i < count; i++)
		if (old[i].key)
			*place_of(old[i].key) = old[i];
	free(old);
}

static void count(const struct sample_layout *layout, const char *body)
{
	uint64_t key = sample_word(body, layout->ip) ^ sample_word(body, layout->tid) << 32;
	const uint64_t *chain = layout->callchain < 0 ? NULL : (const uint64_t *)(body + layout->callchain);
	struct slot *slot;

	for (uint64_t i = 0; chain && i < chain[0]; i++)
		key = (key ^ chain[1 + i]) * 0x9e3779b97f4a7c15u;
	if (used * 2 >= slot_count)
		grow();
	slot = place_of(key | 1);
	used += !slot->key;
	slot->key = key | 1;
	slot->count++;
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	struct stat file;
	struct sample_layout layout;
	uint64_t samples = 0;

	if (fd < 0 || fstat(fd, &file))
		return 2;

	const char *bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	const struct perfdata_header *header = (const void *)bytes;

	sample_layout_init(&layout, (const void *)(bytes + header->attrs.offset));
	for (const char *at = bytes + header->data.offset, *end = at + header->data.size; at < end;) {
		const struct perf_event_header *record = (const void *)at;

		if (record->type == PERF_RECORD_SAMPLE) {
			count(&layout, at + sizeof(*record));
			samples++;
		}
		at += record->size;
	}
	printf("%llu\n", (unsigned long long)samples);
	return 0;
}
